import TernCrypto
import TernProtocol
import Testing

@testable import Tern

@Suite struct LoopbackUserAgentTests {
    /// Runs its closure as if it were the user in the browser.
    private struct PlayedBrowser: BrowserOpener {
        let play: @Sendable (URI) async throws(TernError) -> Void
        func open(_ page: URI) async throws(TernError) { try await play(page) }
    }

    /// Accepts `code=good` with `state=s`; says why it refuses others.
    private static let judge: CallbackJudge = { callback in
        let parameters = FormParameters(decoding: callback.encodedQuery ?? "") ?? [:]
        guard parameters["state"] == "s" else { return .refused("its state is not that of this sign-in <b>") }
        return parameters["error"].map { .failure($0) } ?? .success
    }

    private static let page: URI? = URI("https://idp.example/auth")

    private static func get(
        _ address: String, _ method: HTTPMethod = .get, _ fields: HTTPFields = [:]
    ) async throws(TernError) -> HTTPResponse {
        var request = try HTTPRequest.get(address)
        request.method = method
        request.fields = fields
        return try await CurlTransport().send(request, step: .userAgent)
    }

    private static func text(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }

    /// Plays a sign-in at `redirect`; the closure gets the redirect with its port, without the path.
    private func signIn(
        _ redirect: String = "http://127.0.0.1/cb", ports: [Int] = [],
        _ play: @escaping @Sendable (String) async throws(TernError) -> Void
    ) async throws(TernError) -> URI {
        let base = Locked("")
        let agent = LoopbackUserAgent(
            application: "Test & Co",
            browser: PlayedBrowser { _ throws(TernError) in try await play(base.withLock { $0 }) }, ports: ports)
        let visit = try await agent.prepare(for: RedirectURI(redirect))
        let uri = visit.redirectURI.uri
        base.withLock { $0 = "http://\(uri.host ?? ""):\(uri.port ?? 0)" }
        #expect(visit.delivery == .open)
        guard let page = Self.page else { throw TernError(.cancelled, at: .userAgent) }
        do throws(TernError) {
            let callback = try await visit.open(page, judge: Self.judge)
            await visit.dismiss()
            return callback
        } catch {
            await visit.dismiss()
            throw error
        }
    }

    @Test("UA-01: it waits through everything but the answer") func waitsThroughEverythingButTheAnswer() async throws {
        let played = OneShot<[Int]>()
        let callback = try await signIn { base throws(TernError) in
            var statuses: [Int] = []
            for path in [
                "/favicon.ico", "/", "/cb/more?code=x&state=s", "/cb?code=x&state=wrong", "/cb?error=access_denied",
            ] {
                let answer = try await Self.get(base + path)
                statuses.append(answer.status)
                if path.hasPrefix("/cb?") {
                    #expect(Self.text(answer).contains("<title>This did not work</title>"))
                    #expect(Self.text(answer).contains("of this sign-in &lt;b&gt;</p>"))
                }
            }
            statuses.append(try await Self.get(base + "/cb?code=good&state=s", .post).status)
            statuses.append(try await Self.get(base + "/cb?code=good&state=s", .head).status)
            let answer = try await Self.get(base + "/cb?code=u1&state=s")
            statuses.append(answer.status)
            #expect(Self.text(answer).contains("<title>You are signed in to Test &amp; Co</title>"))
            #expect(answer.fields["Cache-Control"] == "no-store")
            #expect(answer.fields["Referrer-Policy"] == "no-referrer")
            let policy = answer.fields["Content-Security-Policy"] ?? ""
            #expect(policy.hasPrefix("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            #expect(!Self.text(answer).contains("u1"), "the page does not hold the code")
            played.resolve(statuses)
        }
        #expect(callback.encodedQuery == "code=u1&state=s")
        #expect(await played.value(whenCancelled: []) == [404, 404, 404, 400, 400, 405, 204, 200])
    }

    @Test("UA-02: loading ahead uses nothing up", arguments: ["Sec-Purpose", "Purpose", "X-Moz"])
    func loadingAheadUsesNothingUp(name: String) async throws {
        let judged = Locked(0)
        let agent = LoopbackUserAgent(browser: PlayedBrowser { _ throws(TernError) in })
        let visit = try await agent.prepare(for: RedirectURI("http://127.0.0.1/cb"))
        let page = try #require(Self.page)
        let answers = Task {
            let address = visit.redirectURI.text + "?code=u2&state=s"
            // Until the visit waits, the answer is 503 as well.
            let ahead = try await Self.get(address, .get, [name: "prefetch;prerender"]).status
            var status = 503
            while status == 503 { status = try await Self.get(address).status }
            return [ahead, status]
        }
        let callback = try await visit.open(page) { callback in
            judged.withLock { $0 += 1 }
            return Self.judge(callback)
        }
        #expect(callback.encodedQuery == "code=u2&state=s")
        #expect(try await answers.value == [503, 200])
        #expect(judged.withLock { $0 } == 1)
        await visit.dismiss()
    }

    @Test("UA-03 a, b, d: it listens where the redirect says") func listensWhereTheRedirectSays() async throws {
        for (redirect, hosts) in [
            ("http://127.0.0.1/cb", ["127.0.0.1"]), ("http://localhost/cb", ["127.0.0.1", "[::1]"]),
        ] {
            let agent = LoopbackUserAgent(browser: AnnouncingBrowser { _ in })
            let visit = try #require(await agent.prepare(for: RedirectURI(redirect)) as? LoopbackVisit)
            let port = try #require(visit.redirectURI.uri.port)
            #expect(visit.redirectURI.text == redirect.replacing("/cb", with: ":\(port)/cb"))
            // What is bound there keeps others out; where nothing is bound, another may listen.
            for host in LoopbackHost.allCases {
                let isTaken = (try? HTTPListener(hosts: [host], port: port) { _ in HTTPResponse(status: 200) }) == nil
                #expect(isTaken == hosts.contains(host.rawValue) || Self.lacksIPv6, "\(redirect) \(host)")
            }
            await visit.dismiss()
        }
    }

    private static var lacksIPv6: Bool {
        (try? HTTPListener(hosts: [.ipv6]) { _ in HTTPResponse(status: 200) }) == nil
    }

    @Test("UA-03 c: a taken port is told before a browser opens") func aTakenPortIsToldBeforeABrowserOpens()
        async throws
    {
        let taken = try HTTPListener { _ in HTTPResponse(status: 200) }
        let opened = Locked(false)
        let browser = AnnouncingBrowser { _ in opened.withLock { $0 = true } }
        let redirect = try RedirectURI("http://127.0.0.1:\(taken.port)/cb")
        let error = await #expect(throws: TernError.self) {
            try await LoopbackUserAgent(browser: browser).prepare(for: redirect)
        }
        #expect(error?.reason == .portInUse([taken.port]))
        #expect(error?.step == .userAgent)
        let spare = try HTTPListener { _ in HTTPResponse(status: 200) }
        await spare.stop()
        let visit = try await LoopbackUserAgent(browser: browser, ports: [taken.port, spare.port]).prepare(
            for: redirect)
        #expect(visit.redirectURI.text == "http://127.0.0.1:\(spare.port)/cb")
        #expect(!opened.withLock { $0 })
        await visit.dismiss()
        await taken.stop()
    }

    @Test(arguments: ["https://app.example/cb", "com.example.app:/cb", "http://127.0.0.2/cb"])
    func refusesRedirectsThatAreNotItsOwn(redirect: String) async throws {
        let error = await #expect(throws: TernError.self) {
            try await LoopbackUserAgent(browser: AnnouncingBrowser { _ in }).prepare(for: RedirectURI(redirect))
        }
        #expect(error?.code == "unsupported_redirect")
    }

    @Test func anErrorAnswerEndsTheVisitAndSaysSo() async throws {
        let played = OneShot<HTTPResponse>()
        let callback = try await signIn { base throws(TernError) in
            played.resolve(try await Self.get(base + "/cb?error=access_denied&state=s"))
        }
        #expect(callback.encodedQuery == "error=access_denied&state=s")
        let answer = await played.value(whenCancelled: HTTPResponse(status: 0))
        #expect(answer.status == 400)
        #expect(Self.text(answer).contains("access_denied</p>"))
    }

    @Test func repeatsGetTheSamePageAndOthersDoNot() async throws {
        let agent = LoopbackUserAgent(browser: PlayedBrowser { _ throws(TernError) in })
        let visit = try await agent.prepare(for: RedirectURI("http://localhost/cb"))
        let page = try #require(Self.page)
        let waiting = Task { try await visit.open(page, judge: Self.judge) }
        // By another name of this machine than the redirect's.
        let base = "http://127.0.0.1:\(visit.redirectURI.uri.port ?? 0)/cb"
        var first = HTTPResponse(status: 503)
        while first.status == 503 { first = try await Self.get(base + "?code=1&state=s") }
        #expect(try await waiting.value.text == visit.redirectURI.text + "?code=1&state=s")
        #expect(try await Self.get(base + "?code=1&state=s") == first)
        #expect(try await Self.get(base + "?code=2&state=s").status == 400)
        await visit.dismiss()
        await visit.dismiss()
        await #expect(throws: TernError.self) { try await Self.get(base) }
    }

    @Test func cancellingTheTaskEndsTheVisit() async throws {
        let opened = OneShot<Bool>()
        let agent = LoopbackUserAgent(browser: AnnouncingBrowser { _ in opened.resolve(true) })
        let visit = try await agent.prepare(for: RedirectURI("http://127.0.0.1/cb"))
        let page = try #require(Self.page)
        let waiting = Task { try await visit.open(page, judge: Self.judge) }
        _ = await opened.value(whenCancelled: false)
        waiting.cancel()
        let error = await #expect(throws: TernError.self) { try await waiting.value }
        #expect(error?.reason == .cancelled)
        await visit.dismiss()
    }

    @Test func dismissingEndsTheVisit() async throws {
        let opened = OneShot<Bool>()
        let agent = LoopbackUserAgent(browser: AnnouncingBrowser { _ in opened.resolve(true) })
        let visit = try await agent.prepare(for: RedirectURI("http://127.0.0.1/cb"))
        let page = try #require(Self.page)
        let waiting = Task { try await visit.open(page, judge: Self.judge) }
        _ = await opened.value(whenCancelled: false)
        async let first: Void = visit.dismiss()
        async let second: Void = visit.dismiss()
        let error = await #expect(throws: TernError.self) { try await waiting.value }
        #expect(error?.reason == .cancelled)
        _ = await (first, second)
    }

    @Test func aBrowserThatDoesNotOpenIsAnError() async throws {
        let error = await #expect(throws: TernError.self) {
            try await signIn { _ throws(TernError) in throw TernError(.browserUnavailable("none"), at: .userAgent) }
        }
        #expect(error?.reason == .browserUnavailable("none"))
    }

    @Test func aSilentPeerHoldsNothingUp() async throws {
        let start = ContinuousClock.now
        _ = try await signIn { base throws(TernError) in
            let port = Int(base.split(separator: ":").last ?? "") ?? 0
            _ = await RawPeer.onThread { (0..<70).compactMap { _ in RawPeer.connect(port) } }
            _ = try await Self.get(base + "/cb?code=1&state=s")
        }
        #expect(ContinuousClock.now - start < .seconds(30))
    }
}
