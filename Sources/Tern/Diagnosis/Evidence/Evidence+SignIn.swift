internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

extension OAuthClient {
    /// Runs a part of a sign-in, and adds to its errors what is known of the sign-in.
    func explaining<Result>(
        _ signIn: SignIn?, _ visit: (any UserAgentVisit)? = nil, redirectURI: RedirectURI? = nil,
        _ body: () async throws(TernError) -> Result
    ) async throws(TernError) -> Result {
        do throws(TernError) {
            return try await body()
        } catch {
            let redirect = signIn?.redirectURI ?? redirectURI ?? configuration.redirectURI
            var evidence = Evidence(clues(of: redirect))
            if error.step == .userAgent {
                evidence.clues.formUnion(environment.surroundings)
                if let visit { evidence.formUnion(visit.evidence) }
            }
            if let signIn {
                evidence.clues.formUnion(clues(of: signIn))
                evidence.formUnion(EndpointCaller.redirects(sent: signIn.redirectURI.text, in: error))
            }
            if error.step == .idToken, let doTheyAgree = serverClock.agrees {
                evidence.clues.insert(doTheyAgree ? .clockAgrees : .clockDiffers)
            }
            if case .flowExpired(let refused) = error.reason, !refused.isEmpty {
                evidence.clues.insert(.somethingRefused)
            }
            if error.serverError?.code == "invalid_scope", let known = directory.knownMetadata?.scopes,
                !(signIn?.scope ?? configuration.scope).values.allSatisfy(known.contains)
            {
                evidence.clues.insert(.scopeNotAdvertised)
            }
            let failure = error.with(evidence)
            tell(.signInFailed, failure) { [:] }
            throw failure
        }
    }

    private func clues(of redirect: RedirectURI) -> Set<Clue> {
        var clues: Set<Clue> = [.redirect(redirect.kind)]
        if redirect.uri.host?.lowercased() == "localhost" { clues.insert(.redirectNamesLocalhost) }
        if case .issuer(let issuer, _) = configuration.server, let host = URI(issuer.text)?.host,
            let provider = Clue.Provider(host: host)
        {
            clues.insert(.provider(provider))
        }
        return clues
    }

    private func clues(of signIn: SignIn) -> Set<Clue> {
        var clues: Set<Clue> = []
        if !begunSignIns.withLock({ $0.contains(signIn.state) }) { clues.insert(.restored) }
        if environment.clock.now > signIn.begunAt + Self.slowness { clues.insert(.slowSignIn) }
        return clues
    }

    /// Codes live a minute to ten.
    private static let slowness = Duration.seconds(600)
}

/// What was met lately, kept as digests: codes that were sent, which a server refuses the second time and rarely says why,
/// and sign-ins that were begun here.
struct RecentSecrets: Sendable {
    private var digests: [[UInt8]] = []

    private static let maximumCount = 64

    func contains(_ text: String) -> Bool { digests.contains(Self.digest(text)) }

    mutating func insert(_ text: String) {
        digests.append(Self.digest(text))
        if digests.count > Self.maximumCount { digests.removeFirst() }
    }

    private static func digest(_ text: String) -> [UInt8] { HashFunction.sha256.digest(Array(text.utf8)) }
}

extension Session {
    /// What the age of a grant says about its end.
    static func evidence(of credential: Credential, at now: NumericDate) -> Evidence {
        let age = now.secondsSince1970 - credential.obtainedAt.secondsSince1970
        if age > 7 * 86_400 { return Evidence([.oldGrant]) }
        return Evidence(age < 3_600 ? [.youngGrant] : [])
    }
}
