internal import TernCrypto
public import TernProtocol

/// For machines without a browser: shows the address, which the user opens anywhere, and takes the callback that the user
/// pastes.
///
/// The page at the redirect URI need not exist; the browser shows an error, and its address line has the answer. What may
/// be pasted is the whole address, the bare code, or `code#state`.
public struct TerminalPasteUserAgent: UserAgent {
    private let announce: @Sendable (URI) -> Void
    private let complain: @Sendable (String) -> Void
    private let lines: any LineReader

    /// How often a user may paste something else.
    public static let maximumAttemptCount = 5

    /// Makes an agent.
    ///
    /// - Parameters:
    ///   - lines: where the pasted text comes from.
    ///   - complain: shows a sentence that says why a pasted text was not taken.
    ///   - announce: shows the address to open and asks for the callback.
    public init(
        lines: any LineReader = StandardInputReader(), complain: @escaping @Sendable (String) -> Void = { _ in },
        announce: @escaping @Sendable (URI) -> Void
    ) {
        self.announce = announce
        self.complain = complain
        self.lines = lines
    }

    /// Any redirect URI will do. It never throws.
    public func prepare(for redirectURI: RedirectURI) async throws(TernError) -> any UserAgentVisit {
        PasteVisit(redirectURI: redirectURI, announce: announce, complain: complain, lines: lines)
    }
}

private final class PasteVisit: UserAgentVisit {
    let redirectURI: RedirectURI
    var delivery: CallbackDelivery { .pasted }

    private let announce: @Sendable (URI) -> Void
    private let complain: @Sendable (String) -> Void
    private let lines: any LineReader
    private let outcome = OneShot<Result<URI, TernError>>()

    init(
        redirectURI: RedirectURI, announce: @escaping @Sendable (URI) -> Void,
        complain: @escaping @Sendable (String) -> Void, lines: any LineReader
    ) {
        self.redirectURI = redirectURI
        self.announce = announce
        self.complain = complain
        self.lines = lines
    }

    func open(_ page: URI, judge: @escaping CallbackJudge) async throws(TernError) -> URI {
        announce(page)
        let asking = Task { outcome.resolve(await ask(judge)) }
        defer { asking.cancel() }
        return try await outcome.value(whenCancelled: .failure(TernError(.cancelled, at: .userAgent))).get()
    }

    func dismiss() async { outcome.resolve(.failure(TernError(.cancelled, at: .userAgent))) }

    private func ask(_ judge: CallbackJudge) async -> Result<URI, TernError> {
        var problem = ""
        for _ in 0..<TerminalPasteUserAgent.maximumAttemptCount {
            guard let line = await lines.nextLine() else {
                return .failure(TernError(.userCancelled, at: .userAgent))
            }
            do throws(PastedAnswer.Refusal) {
                let callback = try PastedAnswer.callback(from: line, at: redirectURI)
                switch judge(callback) {
                case .success, .signedOut, .failure: return .success(callback)
                case .refused(let reason): problem = "is not the answer of this sign-in: \(reason)"
                case .notMine:
                    problem = "is another address: one that begins with \(redirectURI.uri.redacted) is wanted"
                }
            } catch {
                problem = error.problem
            }
            complain("This \(problem).")
        }
        return .failure(TernError(.malformedCallback("what was pasted \(problem)"), at: .userAgent))
    }
}
