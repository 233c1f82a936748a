import Tern
import TernProtocol
import TernTesting
import Testing

/// Redirects that a session follows, over the real transport.
@Suite("Redirected calls", .timeLimit(.minutes(1)))
struct RedirectedCallTests {
    /// Fields of a request's own, and whether they may go to another origin.
    private static let fields: [(name: String, goesElsewhere: Bool)] = [
        ("Accept", true), ("Accept-Language", true), ("User-Agent", true), ("Content-Type", true), ("Range", true),
        ("Cookie", false), ("X-Api-Key", false), ("Proxy-Authorization", false), ("X-Amz-Security-Token", false),
        ("Authorization2", false), ("Referer", false), ("Content-Api-Key", false), ("DPoP", false), ("Origin", false),
    ]

    private static var ownFields: HTTPFields {
        var own: HTTPFields = [:]
        for field in fields { own.append(field.name, "value-of-\(field.name)") }
        return own
    }

    @Test("Within the origin the token and every field go along", arguments: [301, 302, 303, 307, 308])
    func sameOrigin(status: Int) async throws {
        let world = try await TwoOrigins()
        world.redirect(1, to: "/api/b?x=1#part", status: status)
        let reply = try await world.session.send(
            try world.request("a", .get, Self.ownFields), followingRedirects: true)
        #expect(reply.status == 200)
        let token = try await world.token()
        #expect(world.paths == ["a", "b"] && world.tokens == [token, token])
        for field in Self.fields where !["Content-Type", "Content-Api-Key"].contains(field.name) {
            #expect(world.calls.last?.fields[field.name] == "value-of-\(field.name)", "\(field.name)")
        }
    }

    @Test(
        "What becomes of method and body",
        arguments: [
            (301, "POST", "GET", false), (302, "POST", "GET", false), (303, "POST", "GET", false),
            (307, "POST", "POST", true), (308, "POST", "POST", true), (301, "PUT", "PUT", true),
            (303, "PUT", "GET", false), (307, "PATCH", "PATCH", true), (303, "DELETE", "GET", false),
        ])
    func bodies(status: Int, method: String, next: String, keepsBody: Bool) async throws {
        let world = try await TwoOrigins()
        world.redirect(1, to: "b", status: status)
        let request = try world.request(
            "a", HTTPMethod(rawValue: method), ["Content-Type": "text/plain"], body: .bytes(Array("hello".utf8)))
        let reply = try await world.session.send(request, followingRedirects: true)
        #expect(reply.status == 200 && world.paths == ["a", "b"])
        let last = try #require(world.calls.last)
        #expect(last.method.rawValue == next)
        #expect(last.bodyBytes ?? [] == (keepsBody ? Array("hello".utf8) : []))
        #expect((last.fields["Content-Type"] == "text/plain") == keepsBody)
    }

    @Test("HEAD stays HEAD", arguments: [302, 303, 308])
    func head(status: Int) async throws {
        let world = try await TwoOrigins()
        world.redirect(1, to: "b", status: status)
        #expect(try await world.session.send(try world.request("a", .head), followingRedirects: true).status == 200)
        #expect(world.calls.map(\.method) == [.head, .head])
    }

    @Test(
        "At another origin the token is gone, and every field that is not known to be harmless", arguments: [302, 307])
    func otherOrigin(status: Int) async throws {
        let world = try await TwoOrigins()
        world.redirect(1, to: world.other.apiAddress("file"), status: status)
        let request = try world.request("a", .post, Self.ownFields, body: .bytes(Array("hello".utf8)))
        let reply = try await world.session.send(request, followingRedirects: true)
        #expect(reply.body == Array("elsewhere".utf8))
        let arrived = try #require(world.callsElsewhere.first)
        #expect(arrived.fields["Authorization"] == nil)
        for field in Self.fields {
            let isAboutBody = field.name == "Content-Type"
            let mayGo = field.goesElsewhere && (status == 307 || !isAboutBody)
            #expect((arrived.fields[field.name] == "value-of-\(field.name)") == mayGo, "\(field.name)")
        }
        // 307 means that the body goes there.
        #expect(arrived.bodyBytes ?? [] == (status == 307 ? Array("hello".utf8) : []))
        #expect(arrived.method == (status == 307 ? .post : .get))
    }

    @Test("Another port is another origin, and so is another name of the same machine")
    func otherName() async throws {
        let world = try await TwoOrigins()
        world.redirect(1, to: "http://localhost:\(world.server.port)/api/b")
        _ = try await world.session.send(try world.request("a"), followingRedirects: true)
        #expect(world.paths == ["a", "b"])
        let token = try await world.token()
        #expect(world.tokens == [token, nil])
    }

    @Test("The token does not come back with a redirect that leads back, and nothing is renewed")
    func backAgain() async throws {
        let world = try await TwoOrigins()
        world.redirect(1, to: world.other.apiAddress("file"))
        world.other.served.change { $0.faults.removeAll() }
        world.other.served.add(Fault(at: .api, .redirect(to: world.server.apiAddress("back"))))
        let reply = try await world.session.send(
            try world.request("a", .get, ["Cookie": "c=1"]), followingRedirects: true)
        #expect(reply.status == 401)
        let token = try await world.token()
        #expect(world.paths == ["a", "back"] && world.tokens == [token, nil])
        #expect(world.calls.last?.fields["Cookie"] == nil)
        #expect(world.refreshes == 0)
    }

    @Test("A 401 of another origin says nothing about the token")
    func refusedElsewhere() async throws {
        let world = try await TwoOrigins()
        world.redirect(1, to: world.other.apiAddress("file"))
        world.other.served.change { $0.faults = [Fault(at: .api, .replace(TwoOrigins.refusal))] }
        let reply = try await world.session.send(try world.request("a"), followingRedirects: true)
        #expect(reply.status == 401)
        #expect(world.callsElsewhere.count == 1 && world.refreshes == 0)
    }

    @Test("A 401 behind a redirect within the origin repeats the call that was refused, not the first one")
    func refusedBehindRedirect() async throws {
        let world = try await TwoOrigins()
        world.redirect(1, to: "/api/b")
        world.server.served.add(Fault(at: .api, on: .nth(2), .replace(TwoOrigins.refusal)))
        let old = try await world.token()
        #expect(try await world.session.send(try world.request("a"), followingRedirects: true).status == 200)
        let new = try await world.token()
        #expect(world.paths == ["a", "b", "b"] && world.tokens == [old, old, new] && old != new)
        #expect(world.refreshes == 1)
    }

    @Test("One repeat for the whole call, not one for each redirect")
    func oneRepeatInAll() async throws {
        let world = try await TwoOrigins()
        world.server.served.add(Fault(at: .api, on: .nth(1), .replace(TwoOrigins.refusal)))
        world.redirect(2, to: "/api/b")
        world.server.served.add(Fault(at: .api, on: .nth(3), .replace(TwoOrigins.refusal)))
        #expect(try await world.session.send(try world.request("a"), followingRedirects: true).status == 401)
        #expect(world.paths == ["a", "a", "b"] && world.refreshes == 1)
    }

    @Test("Five redirects are followed and the sixth is an error")
    func loop() async throws {
        let world = try await TwoOrigins()
        for number in 1...5 { world.redirect(number, to: "/api/\(number)") }
        #expect(try await world.session.send(try world.request("0"), followingRedirects: true).status == 200)
        #expect(world.paths == ["0", "1", "2", "3", "4", "5"])
        world.server.served.add(Fault(at: .api, .redirect(to: "/api/loop?secret=1")))
        let problem = await reason { try await world.session.send(try world.request("0"), followingRedirects: true) }
        #expect(problem == .httpStatus(302, location: world.server.apiAddress("loop")))
        #expect(world.paths.count == 12)
    }

    @Test("Nothing is followed unless it is asked for")
    func handedOver() async throws {
        let world = try await TwoOrigins()
        world.redirect(1, to: "/api/b", status: 308)
        let reply = try await world.session.send(try world.request("a"))
        #expect(reply.status == 308 && reply.fields["Location"] == "/api/b")
        #expect(world.paths == ["a"])
    }

    @Test("Plain http beyond loopback is refused, and an address that is none", arguments: [302, 307])
    func refused(status: Int) async throws {
        let world = try await TwoOrigins()
        let locations: [(String, TernError.Reason)] = [
            ("http://192.0.2.1/x", .insecureEndpoint(field: "Location")),
            ("http://127.0.0.1.example/x", .insecureEndpoint(field: "Location")),
            ("ftp://127.0.0.1/x", .insecureEndpoint(field: "Location")),
            ("http://ada@127.0.0.1:\(world.server.port)/x", .malformedResponse(field: "Location")),
            ("mailto:ada@example.com", .malformedResponse(field: "Location")),
            ("https://127.0.0.1:99999/x", .malformedResponse(field: "Location")),
        ]
        for (location, expected) in locations {
            world.redirect(1, to: location, status: status)
            let problem = await reason {
                try await world.session.send(try world.request("a"), followingRedirects: true)
            }
            #expect(problem == expected, "\(location)")
        }
        #expect(world.paths.count == locations.count)
    }

    @Test(
        "Nothing leads from https to http, not even on loopback",
        arguments: [
            "http://api.example/x", "http://127.0.0.1/x", "HTTP://localhost/x", "//api.example/ok",
        ])
    func downgrade(location: String) async throws {
        let held = try await HeldGrant { request, _ in
            guard request.url.encodedPath == "/a" else { return HTTPResponse(status: 200) }
            return HTTPResponse(status: 302, fields: ["Location": location])
        }
        let session = try await held.session()
        let problem = await reason { try await session.send(.get("https://api.example/a"), followingRedirects: true) }
        let isSecure = location.hasPrefix("//")
        #expect(problem == (isSecure ? nil : .insecureEndpoint(field: "Location")))
        #expect(held.transport.sent.map(\.url.scheme) == (isSecure ? ["https", "https"] : ["https"]))
    }
}
