import TernCrypto
import TernProtocol
import Testing

@testable import Tern

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct TerminalPasteTests {
    /// Hands out prepared lines, then the end.
    private final class Lines: LineReader {
        private let rest: Locked<[String]>
        init(_ lines: [String]) { rest = Locked(lines) }
        func nextLine() async -> String? { rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    private static let redirect = "http://127.0.0.1:8400/cb"

    private func paste(_ lines: [String]) async throws -> (callback: URI, complaints: [String]) {
        let complaints = Locked<[String]>([])
        let shown = Locked<[String]>([])
        let agent = TerminalPasteUserAgent(
            lines: Lines(lines), complain: { text in complaints.withLock { $0.append(text) } },
            announce: { page in shown.withLock { $0.append(page.text) } })
        let redirect = try RedirectURI(Self.redirect)
        let visit = try await agent.prepare(for: redirect)
        #expect(visit.delivery == .pasted)
        let callback = try await visit.open(try URI.required("https://idp.example/a", field: "page")) { callback in
            guard redirect.matches(callback) else { return .notMine }
            let state = FormParameters(decoding: callback.encodedQuery ?? "")?["state"]
            return state == nil || state == "st-open-1" ? .success : .refused("its state is another one")
        }
        #expect(shown.withLock { $0 } == ["https://idp.example/a"])
        return (callback, complaints.withLock { $0 })
    }

    @Test("UA-07: what a user pastes", arguments: ["", " ", "\t", "'", "\"", "“", "\r", " \"'", "<"])
    func takesAddressCodeAndCodeWithState(around: String) async throws {
        for (text, query) in [
            ("http://127.0.0.1:8400/cb?code=u7&state=st-open-1", "code=u7&state=st-open-1"),
            ("127.0.0.1:8400/cb?code=u7&state=st-open-1", "code=u7&state=st-open-1"),
            ("?code=u7&state=st-open-1", "code=u7&state=st-open-1"),
            ("code=u7&state=st-open-1", "code=u7&state=st-open-1"),
            ("u7", "code=u7"),
            ("u7#st-open-1", "code=u7&state=st-open-1"),
            ("4/0Ab_c+d=", "code=4%2F0Ab_c%2Bd%3D"),
        ] {
            let (callback, complaints) = try await paste([around + text + around])
            #expect(callback.text == Self.redirect + "?" + query)
            #expect(complaints.isEmpty)
        }
    }

    @Test func asksAgainAndSaysWhy() async throws {
        let (callback, complaints) = try await paste([
            "", "https://evil.example/cb?code=1&state=st-open-1", "two words", "u7#other", "u7#st-open-1",
        ])
        #expect(callback.encodedQuery == "code=u7&state=st-open-1")
        #expect(
            complaints == [
                "This is empty.",
                "This is another address: one that begins with http://127.0.0.1:8400/cb is wanted.",
                "This has blanks inside.", "This is not the answer of this sign-in: its state is another one.",
            ])
    }

    @Test func anAddressMustHaveItsState() async throws {
        let (_, complaints) = try await paste(["http://127.0.0.1:8400/cb?code=u7", "u7"])
        #expect(complaints == ["This has lost its state: copy the whole address."])
    }

    @Test func givesUpAfterFiveAttemptsAndAtTheEndOfInput() async throws {
        let tired = await #expect(throws: TernError.self) { try await paste(Array(repeating: "a b", count: 6)) }
        #expect(tired?.code == "malformed_callback")
        let ended = await #expect(throws: TernError.self) { try await paste(["a b"]) }
        #expect(ended?.reason == .userCancelled)
    }

    @Test func dismissAndCancellationEndTheWait() async throws {
        struct Never: LineReader {
            let asked: OneShot<Bool>
            func nextLine() async -> String? {
                asked.resolve(true)
                return await OneShot<String?>().value(whenCancelled: nil)
            }
        }
        for cancels in [true, false] {
            let asked = OneShot<Bool>()
            let agent = TerminalPasteUserAgent(lines: Never(asked: asked)) { _ in }
            let visit = try await agent.prepare(for: RedirectURI(Self.redirect))
            let page = try URI.required("https://idp.example/a", field: "page")
            let waiting = Task { try await visit.open(page) { _ in .success } }
            _ = await asked.value(whenCancelled: false)
            if cancels { waiting.cancel() } else { await visit.dismiss() }
            let error = await #expect(throws: TernError.self) { try await waiting.value }
            #expect(error?.reason == .cancelled)
        }
    }

    @Test func readsLinesFromADescriptorAndCanBeCancelled() async throws {
        let pipe = try #require(LoopbackSocket.wakePipe())
        defer { LoopbackSocket.closeSocket(pipe.read) }
        let reader = StandardInputReader(descriptor: pipe.read)
        let text = "one\r\ntwö\nrest"
        #expect(write(pipe.write, text, text.utf8.count) == text.utf8.count)
        #expect(await reader.nextLine() == "one\r")
        #expect(await reader.nextLine() == "twö")
        let waiting = Task { await reader.nextLine() }
        waiting.cancel()
        #expect(await waiting.value == nil)
        LoopbackSocket.closeSocket(pipe.write)
        _ = await reader.nextLine()
        #expect(await reader.nextLine() == nil)
    }
}
