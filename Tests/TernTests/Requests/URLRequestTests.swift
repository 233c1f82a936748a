import Foundation
import Tern
import TernFoundation
import TernProtocol
import TernTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What adapters of other stacks are made of.
@Suite("Requests of Foundation's")
struct URLRequestTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func answer(_ status: Int, from address: String, challenge: String? = nil) throws -> HTTPURLResponse {
        let fields = challenge.map { ["WWW-Authenticate": $0] }
        return try #require(
            HTTPURLResponse(url: try url(address), statusCode: status, httpVersion: nil, headerFields: fields))
    }

    @Test("A request gets the token, in the place of another one, and nothing else changes")
    func authorize() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        var request = URLRequest(url: try url("https://api.example/a?b=c"))
        request.httpMethod = "PUT"
        request.httpBody = Data("x".utf8)
        request.setValue("Bearer old", forHTTPHeaderField: "authorization")
        request.setValue("1", forHTTPHeaderField: "X-Mine")
        let authorized = try await session.authorize(request)
        let token = try await session.accessToken().exposedText
        #expect(authorized.value(forHTTPHeaderField: "Authorization") == "Bearer \(token)")
        #expect(authorized.value(forHTTPHeaderField: "X-Mine") == "1")
        #expect(authorized.url == request.url && authorized.httpBody == request.httpBody)
        #expect(authorized.httpMethod == "PUT" && authorized.allHTTPHeaderFields?.count == 2)
        for (address, expected) in [
            ("http://api.example/a", .insecureEndpoint(field: "url")),
            (
                "https://ada@api.example/a",
                .invalidConfiguration(field: "url", problem: "it has a user name before the host")
            ),
            ("/a", .invalidConfiguration(field: "url", problem: "it is not an absolute address")),
        ] as [(String, TernError.Reason)] {
            let request = URLRequest(url: try url(address))
            #expect(await reason { try await session.authorize(request) } == expected)
        }
    }

    @Test("An answer is judged: repeat once, with the body or not at all; an answer from elsewhere is handed over")
    func decision() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        let plain = try await session.authorize(URLRequest(url: try url("https://api.example/a")))
        let challenge = #"Basic realm="x", Bearer error="invalid_token""#
        let refusal = try answer(401, from: "https://api.example/a", challenge: challenge)

        #expect(
            await session.decision(on: try answer(200, from: "https://api.example/a"), to: plain, attempt: 1)
                == .handOver)
        #expect(await session.decision(on: refusal, to: plain, attempt: 2) == .handOver)
        let elsewhere = try answer(401, from: "https://cdn.example/a", challenge: challenge)
        #expect(await session.decision(on: elsewhere, to: plain, attempt: 1) == .handOver)
        #expect(world.server.count(of: .token) == 1)

        #expect(await session.decision(on: refusal, to: plain, attempt: 1) == .sendAgain)
        let again = try await session.authorize(URLRequest(url: try url("https://api.example/a")))
        let (new, old) = (
            again.value(forHTTPHeaderField: "Authorization"), plain.value(forHTTPHeaderField: "Authorization")
        )
        #expect(new != nil && new != old)
        #expect(world.server.count(of: .token) == 2)

        var stream = try await session.authorize(URLRequest(url: try url("https://api.example/a")))
        stream.httpBodyStream = InputStream(data: Data("x".utf8))
        guard case .fail(let error) = await session.decision(on: refusal, to: stream, attempt: 1) else {
            Issue.record("the stream is sent again")
            return
        }
        #expect(error.reason == .bodyNotReplayable && world.server.count(of: .token) == 3)
        let fresh = try await session.authorize(plain)
        let told = await session.decision(on: refusal, to: fresh, attempt: 1, bodyCanBeReplayed: false)
        #expect(told == .fail(TernError(.bodyNotReplayable, at: .resourceRequest)))
    }

    @Test("OAuth 1.0a signs in the header, the query and the form", arguments: ParameterPlacement.allCases)
    func signed(placement: ParameterPlacement) async throws {
        let provider = TestProvider(AuthorizationServer(clients: [.oauth1App]))
        let session = try await provider.oauth1Client { $0.placement = placement }.signIn(with: provider.userAgent)
        var request = URLRequest(url: try url(provider.apiAddress("notes?a=1")))
        request.httpMethod = "POST"
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data("b=2+%25".utf8)
        let signed = try await session.authorize(request)
        let sent = try #require(HTTPRequest(signed))
        #expect(try await provider.transport.send(sent, step: .resourceRequest).status == 200)
        #expect((signed.value(forHTTPHeaderField: "Authorization") != nil) == (placement == .header))
        #expect((signed.url != request.url) == (placement == .query))
        #expect((signed.httpBody != request.httpBody) == (placement == .form))
        request.httpBody = nil
        request.httpBodyStream = InputStream(data: Data("b=2".utf8))
        #expect(await reason { try await session.authorize(request) }?.code == "unsupported")
    }

    @Test(
        "A redirect within the origin has the token, also where the system has taken it off",
        arguments: ["https://api.example/b", "https://API.example:443/b"], [true, false])
    func sameOrigin(address: String, isThere: Bool) throws {
        var first = URLRequest(url: try url("https://api.example/a"))
        first.setValue("Bearer t", forHTTPHeaderField: "Authorization")
        var next = URLRequest(url: try url(address))
        next.setValue("1", forHTTPHeaderField: "X-Mine")
        if isThere { next.setValue("Bearer t", forHTTPHeaderField: "Authorization") }
        let request = try #require(next.redirected(by: try answer(302, from: "https://api.example/a"), from: first))
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer t")
        #expect(request.value(forHTTPHeaderField: "X-Mine") == "1")
    }

    @Test(
        "A redirect to another origin has neither the token nor anything else that may be one",
        arguments: ["https://cdn.example/b", "https://api.example:8443/b", "https://api.example.:443/b"])
    func otherOrigin(address: String) throws {
        var first = URLRequest(url: try url("https://api.example/a"))
        first.setValue("Bearer t", forHTTPHeaderField: "Authorization")
        var next = URLRequest(url: try url(address))
        for name in ["authorization", "Cookie", "X-Api-Key", "Accept"] { next.setValue("v", forHTTPHeaderField: name) }
        let request = try #require(next.redirected(by: try answer(302, from: "https://api.example/a"), from: first))
        #expect(request.allHTTPHeaderFields == ["Accept": "v"])
        // What leads back from there comes without the token too.
        let back = try #require(
            URLRequest(url: try url("https://api.example/c"))
                .redirected(by: try answer(302, from: address), from: request))
        #expect(back.value(forHTTPHeaderField: "Authorization") == nil)
        // Not even where the first request is given in the place of the one before.
        var mine = URLRequest(url: try url("https://api.example/c"))
        mine.setValue("Bearer t", forHTTPHeaderField: "Authorization")
        let wrong = try #require(mine.redirected(by: try answer(302, from: address), from: first))
        #expect(wrong.value(forHTTPHeaderField: "Authorization") == nil)
    }

    @Test(
        "A redirect that must not be followed",
        arguments: [
            ("https://api.example/a", "http://api.example/b"), ("https://api.example/a", "http://127.0.0.1/b"),
            ("http://127.0.0.1/a", "http://192.0.2.1/b"), ("https://api.example/a", "https://ada@api.example/b"),
            ("https://api.example/a", "ftp://api.example/b"),
        ])
    func refused(from: String, to: String) throws {
        #expect(
            URLRequest(url: try url(to))
                .redirected(by: try answer(302, from: from), from: URLRequest(url: try url(from))) == nil)
    }
}
