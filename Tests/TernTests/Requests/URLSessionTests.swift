import Foundation
import Tern
import TernCrypto
import TernFoundation
import TernProtocol
import TernTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The bridge to `URLSession`, against servers on loopback.
@Suite(
    "URLSession", .timeLimit(.minutes(1)),
    .disabled(
        if: isAddressSanitized, "the system's URLSession loses memory with each request, which would count as ours"))
struct URLSessionTests {
    /// A configuration that can be cancelled safely everywhere.
    static func urlSession(
        fields: [String: String] = [:], delegate: (any URLSessionDelegate)? = nil, hasCache: Bool = false
    ) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        if !hasCache { configuration.urlCache = nil }
        configuration.httpAdditionalHeaders = fields
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    private func request(_ address: String, _ method: String = "GET", body: String? = nil) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: address)))
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        return request
    }

    private func get(_ path: String, _ world: TwoOrigins) throws -> URLRequest {
        try request(world.server.apiAddress(path))
    }

    @Test("A call carries the token, in the place of another one")
    func call() async throws {
        let world = try await TwoOrigins()
        var request = try get("notes", world)
        request.setValue("Basic x", forHTTPHeaderField: "authorization")
        let (data, response) = try await world.session.data(for: request, over: Self.urlSession())
        #expect(response.statusCode == 200 && String(decoding: data, as: UTF8.self).contains("/api/notes"))
        let token = try await world.token()
        #expect(world.tokens == [token] && world.calls.first?.fields.values(of: "Authorization").count == 1)
    }

    @Test("A refused token: one refresh and one repeat, with the body", arguments: [false, true])
    func refused(hasCache: Bool) async throws {
        let world = try await TwoOrigins()
        let urlSession = Self.urlSession(hasCache: hasCache)
        world.server.served.change { $0.forgetAccessTokens() }
        let post = try request(world.server.apiAddress("notes"), "POST", body: "q=1")
        #expect(try await world.session.data(for: post, over: urlSession).1.statusCode == 200)
        #expect(world.calls.map(\.bodyBytes) == [Array("q=1".utf8), Array("q=1".utf8)] && world.refreshes == 1)
        #expect(Set(world.tokens).count == 2)

        world.server.served.add(Fault(at: .api, .replace(TwoOrigins.refusal)))
        #expect(try await world.session.data(for: get("notes", world), over: urlSession).1.statusCode == 401)
        #expect(world.calls.count == 4 && world.refreshes == 2)
    }

    @Test("Many refused at one moment: one refresh")
    func crowd() async throws {
        let world = try await TwoOrigins()
        let urlSession = Self.urlSession()
        world.server.served.change { $0.forgetAccessTokens() }
        let request = try get("notes", world)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...30 {
                group.addTask { try await world.session.data(for: request, over: urlSession).1.statusCode }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(world.refreshes == 1)
    }

    @Test(
        "Within the origin a redirect keeps token, fields and, with 307 and 308, the body",
        arguments: [301, 302, 303, 307, 308])
    func sameOrigin(status: Int) async throws {
        let world = try await TwoOrigins()
        world.redirect(1, to: "b?x=1", status: status)
        var post = try request(world.server.apiAddress("a"), "POST", body: "hello")
        post.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        post.setValue("1", forHTTPHeaderField: "X-Mine")
        let answer = try await world.session.data(for: post, over: Self.urlSession(fields: ["X-Key": "k"]))
        #expect(answer.1.statusCode == 200 && answer.1.url?.query == "x=1")
        let token = try await world.token()
        #expect(world.paths == ["a", "b"] && world.tokens == [token, token])
        let (last, keepsBody) = (try #require(world.calls.last), status >= 307)
        #expect(last.fields["X-Mine"] == "1" && last.fields["X-Key"] == "k")
        #expect(last.method == (keepsBody ? .post : .get))
        #expect(last.bodyBytes ?? [] == (keepsBody ? Array("hello".utf8) : []))
        #expect((last.fields["Content-Type"] == "text/plain") == keepsBody)
    }

    @Test(
        "At another origin neither the token, nor the request's fields, nor those of the session",
        arguments: [302, 307])
    func otherOrigin(status: Int) async throws {
        let world = try await TwoOrigins()
        world.redirect(1, to: world.other.apiAddress("file"), status: status)
        world.other.served.change { $0.faults = [Fault(at: .api, .redirect(to: world.server.apiAddress("back")))] }
        let urlSession = Self.urlSession(fields: [
            "Authorization": "Basic mine", "X-Session-Key": "k", "Cookie": "c=2", "Accept": "text/x-mine",
        ])
        var get = try get("a", world)
        get.setValue("1", forHTTPHeaderField: "X-Api-Key")
        get.setValue("de", forHTTPHeaderField: "Accept-Language")
        let (_, response) = try await world.session.data(for: get, over: urlSession)
        #expect(response.statusCode == 401)

        let token = try await world.token()
        let first = try #require(world.calls.first)
        #expect(first.fields["Authorization"] == token && first.fields["X-Session-Key"] == "k")
        #expect(world.paths == ["a", "back"] && world.callsElsewhere.count == 1 && world.refreshes == 0)
        for stranger in world.callsElsewhere + world.calls.dropFirst() {
            for name in ["Authorization", "X-Session-Key", "X-Api-Key", "Cookie"] {
                #expect(stranger.fields[name] == nil, "\(name)")
            }
            #expect(stranger.fields["Accept"] == "text/x-mine" && stranger.fields["Accept-Language"] == "de")
        }
        // The session itself is as it was.
        _ = try await world.session.data(for: self.get("c", world), over: urlSession)
        #expect(world.calls.last?.fields["X-Session-Key"] == "k")
    }

    @Test("Redirects that are not followed")
    func refusedRedirects() async throws {
        let world = try await TwoOrigins()
        let urlSession = Self.urlSession()
        let locations: [(String, TernError.Reason)] = [
            ("http://192.0.2.1/x", .insecureEndpoint(field: "Location")),
            ("http://ada@127.0.0.1:\(world.server.port)/x", .malformedResponse(field: "Location")),
            ("mailto:ada@example.com", .malformedResponse(field: "Location")),
        ]
        for (location, expected) in locations {
            world.redirect(1, to: location)
            let problem = await reason { try await world.session.data(for: get("a", world), over: urlSession) }
            #expect(problem == expected, "\(location)")
        }
        world.server.served.change { $0.faults = [Fault(at: .api, .redirect(to: "/api/loop"))] }
        let address = world.server.apiAddress("loop")
        #expect(
            await reason { try await world.session.data(for: get("a", world), over: urlSession) }
                == .httpStatus(302, location: address))
        #expect(world.paths.count == 3 + 6)
    }

    @Test("Whether redirects are followed is the caller's word alone", arguments: [false, true])
    func delegatesWord(follows: Bool) async throws {
        let world = try await TwoOrigins()
        world.redirect(1, to: world.other.apiAddress("file"))
        let delegate = Delegate(follows: !follows)
        let (data, response) = try await world.session.data(
            for: get("a", world), over: Self.urlSession(delegate: delegate), followingRedirects: follows)
        #expect(response.statusCode == (follows ? 200 : 302))
        #expect((String(decoding: data, as: UTF8.self) == "elsewhere") == follows)
        #expect(world.callsElsewhere.count == (follows ? 1 : 0))
        #expect(delegate.count == 0)
    }

    @Test("A stack that follows by itself asks about each redirect")
    func foreignStack() async throws {
        let world = try await TwoOrigins()
        world.redirect(1, to: "/api/b")
        world.redirect(2, to: world.other.apiAddress("file"))
        world.other.served.change { $0.faults = [Fault(at: .api, .redirect(to: world.server.apiAddress("back")))] }
        var request = try await world.session.authorize(get("a", world))
        request.setValue("k", forHTTPHeaderField: "X-Api-Key")
        let urlSession = Self.urlSession(delegate: Delegate(asksWhatToDo: true))
        let status = try await withCheckedThrowingContinuation { continuation in
            let task = urlSession.dataTask(with: request) { _, response, error in
                continuation.resume(
                    with: error.map { .failure($0) } ?? .success((response as? HTTPURLResponse)?.statusCode))
            }
            task.resume()
        }
        #expect(status == 401)
        let token = try await world.token()
        #expect(world.paths == ["a", "b", "back"] && world.tokens == [token, token, nil])
        #expect(world.calls.map { $0.fields["X-Api-Key"] } == ["k", "k", nil])
        let arrived = try #require(world.callsElsewhere.first)
        #expect(arrived.fields["Authorization"] == nil && arrived.fields["X-Api-Key"] == nil)
    }

    @Test(
        "A 401 is an answer, whatever it asks for",
        arguments: [
            (#"Basic realm="x""#, 0), (#"Basic realm="x", Bearer error="invalid_token""#, 1),
            (#"Bearer error="invalid_token", Basic realm="x, y""#, 1), ("Digest realm=\"x\", nonce=\"y\"", 0),
            ("Negotiate", 0), ("Basic", 0), ("Bearer", 1), (#"bearer realm="a"#, 1), ("", 1), ("\"", 1),
        ], [false, true])
    func challenges(challenge: (text: String, refreshes: Int), hasCache: Bool) async throws {
        let world = try await TwoOrigins()
        world.server.served.add(
            Fault(
                at: .api, .replace(HTTPResponse(status: 401, fields: ["WWW-Authenticate": challenge.text]))))
        for delegate in [nil, Delegate()] {
            let answer = try await world.session.data(
                for: get("a", world), over: Self.urlSession(delegate: delegate, hasCache: hasCache))
            #expect(answer.1.statusCode == 401)
        }
        #expect(world.refreshes == 2 * challenge.refreshes)
        #expect(world.calls.count == 2 * (1 + challenge.refreshes))
    }

    @Test("The delegate's credential answers a challenge")
    func credential() async throws {
        let world = try await TwoOrigins()
        let challenge = HTTPResponse(status: 401, fields: ["WWW-Authenticate": #"Basic realm="x""#])
        world.server.served.add(Fault(at: .api, on: .nth(1), .replace(challenge)))
        world.server.served.add(Fault(at: .api, on: .nth(2), .status(200)))
        let delegate = Delegate(credential: URLCredential(user: "ada", password: "pw", persistence: .none))
        let answer = try await world.session.data(for: get("a", world), over: Self.urlSession(delegate: delegate))
        #expect(answer.1.statusCode == 200)
        #expect(world.tokens.last == "Basic YWRhOnB3")
    }

    @Test("Trouble of the connection is a URLError, trouble with the token a TernError")
    func trouble() async throws {
        let world = try await TwoOrigins()
        let gone = try request(world.other.apiAddress("a"))
        await world.other.stop()
        await #expect(throws: URLError.self) { try await world.session.data(for: gone, over: Self.urlSession()) }
        world.server.served.change { $0.revokeGrants(ofUser: TestUser.ada.subject) }
        let problem = await reason { try await world.session.data(for: get("a", world), over: Self.urlSession()) }
        #expect(problem?.code == "reauthentication_required")
        let plain = try request("http://api.example/a")
        #expect(
            await reason { try await world.session.data(for: plain, over: Self.urlSession()) }
                == .insecureEndpoint(field: "url"))
    }

    @Test("A call that is cancelled beforehand is not sent")
    func cancelledBefore() async throws {
        let world = try await TwoOrigins()
        let (request, urlSession) = (try get("a", world), Self.urlSession())
        let caller = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await world.session.data(for: request, over: urlSession).1.statusCode
        }
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(world.calls.isEmpty)
    }

    @Test("A call that is cancelled while nothing comes ends at once", arguments: [false, true])
    func cancelledMeanwhile(hasCache: Bool) async throws {
        let world = try await TwoOrigins()
        world.server.served.add(Fault(at: .api, .dropAnswer, .connection(.silence)))
        let (request, urlSession) = (try get("a", world), Self.urlSession(hasCache: hasCache))
        let caller = Task { try await world.session.data(for: request, over: urlSession).1.statusCode }
        while world.calls.isEmpty { await Task.yield() }
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
    }

    @Test("Cancelling at any moment neither hangs nor traps")
    func cancelledAtAnyMoment() async throws {
        let world = try await TwoOrigins()
        let (request, urlSession) = (try get("a", world), Self.urlSession())
        var ended = 0
        for round in 0..<300 {
            let caller = Task { try await world.session.data(for: request, over: urlSession).1.statusCode }
            for _ in 0..<(round * round / 30) { await Task.yield() }
            caller.cancel()
            do {
                #expect(try await caller.value == 200)
                ended += 1
            } catch {
                #expect(error is CancellationError)
            }
        }
        #expect(ended < 300)
        #expect(try await world.session.data(for: request, over: urlSession).1.statusCode == 200)
    }

    @Test("A stream is sent once: the token is renewed, and the caller is told to make the body again")
    func stream() async throws {
        let world = try await TwoOrigins()
        let uploads = try UploadServer([#"401 No\#r\#nWWW-Authenticate: Bearer error="invalid_token""#, "201 Yes"])
        let urlSession = Self.urlSession()
        let old = try await world.token()
        let problem = await reason {
            try await world.session.data(for: self.upload(to: uploads.address), over: urlSession)
        }
        #expect(problem == .bodyNotReplayable)
        #expect(uploads.requests.count == 1 && world.refreshes == 1)
        let answer = try await world.session.data(for: upload(to: uploads.address), over: urlSession)
        #expect(answer.1.statusCode == 201 && world.refreshes == 1)
        let new = try await world.token()
        for (text, token) in zip(uploads.requests, [old, new]) {
            #expect(text.contains("\r\nAuthorization: \(token)\r\n"))
            #expect(text.contains("hello"))
            // Two lengths would be two readings of one body (RFC 9112 §6.1).
            let head = text.lowercased()
            #expect(head.contains("transfer-encoding:") != head.contains("content-length:"))
        }
    }

    @Test("A stream and a redirect: 307 wants the body again, 303 does not", arguments: [303, 307])
    func redirectedStream(status: Int) async throws {
        let world = try await TwoOrigins()
        let uploads = try UploadServer(["\(status) There\r\nLocation: \(world.other.apiAddress("done"))"])
        let urlSession = Self.urlSession()
        let problem = await reason {
            let answer = try await world.session.data(for: self.upload(to: uploads.address), over: urlSession)
            #expect(answer.1.statusCode == 200)
        }
        #expect(problem == (status == 307 ? .bodyNotReplayable : nil))
        #expect(world.callsElsewhere.map(\.method) == (status == 307 ? [] : [.get]))
        #expect(world.refreshes == 0)
    }

    private func upload(to address: String) throws -> URLRequest {
        var request = try request(address, "POST")
        request.httpBodyStream = InputStream(data: Data("hello".utf8))
        request.setValue("5", forHTTPHeaderField: "Content-Length")
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        return request
    }
}

#if canImport(FoundationNetworking)
    private let isAddressSanitized = dlsym(nil, "__asan_init") != nil
#else
    private let isAddressSanitized = false
#endif

/// A delegate of the application's own.
private final class Delegate: NSObject, URLSessionTaskDelegate, Sendable {
    private let follows: Bool
    private let asksWhatToDo: Bool
    private let credential: Locked<URLCredential?>
    private let redirects = Locked(0)

    init(follows: Bool = true, asksWhatToDo: Bool = false, credential: URLCredential? = nil) {
        self.follows = follows
        self.asksWhatToDo = asksWhatToDo
        self.credential = Locked(credential)
    }

    /// How often it was asked about redirects.
    var count: Int { redirects.withLock { $0 } }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        redirects.withLock { $0 += 1 }
        if asksWhatToDo {
            completionHandler(task.currentRequest.flatMap { request.redirected(by: response, from: $0) })
        } else {
            completionHandler(follows ? request : nil)
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let credential = credential.withLock { $0 }
        completionHandler(credential == nil ? .performDefaultHandling : .useCredential, credential)
    }
}
