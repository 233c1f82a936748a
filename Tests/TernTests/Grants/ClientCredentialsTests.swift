import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Client credentials")
struct ClientCredentialsTests {
    @Test("A service gets a token, calls an API and renews by asking again")
    func wholeLife() async throws {
        let world = try GrantWorld()
        let session = try await world.client.clientCredentials(RequestedAccess(scope: ["api"]))
        let first = try await session.accessToken()
        let reply = try await session.send(.get(world.provider.apiAddress("notes")))
        #expect(reply.status == 200)
        #expect(try JSON(parsing: reply.body)["sub"]?.string == "service")
        let credential = try await session.credential()
        #expect(credential.refreshToken == nil && credential.isRenewable && credential.scope == "api")
        world.provider.clock.advance(by: .seconds(3_600))
        let second = try await session.accessToken()
        #expect(second != first)
        #expect(world.count(.token) == 2)
        #expect(try world.lastGrant()["grant_type"] == "client_credentials")
        #expect(try world.lastGrant()["scope"] == "api")
    }

    @Test("A token that the store holds is used again, also by a new process, and by the session of its account")
    func stored() async throws {
        let world = try GrantWorld()
        let session = try await world.client.clientCredentials()
        let token = try await session.accessToken()
        let again = try await world.newClient().clientCredentials()
        #expect(try await again.accessToken() == token)
        #expect(world.count(.token) == 1)
        let other = try #require(try await world.newClient().session(session.account))
        world.provider.clock.advance(by: .seconds(3_600))
        #expect(try await other.accessToken() != token)
        #expect(try await session.accessToken() == other.accessToken())
        #expect(world.count(.token) == 2)
    }

    @Test("Many callers lead to one request, at the first time and at a renewal")
    func manyCallers() async throws {
        let world = try GrantWorld()
        let client = world.client
        let sessions = try await withThrowingTaskGroup(of: Session.self) { group in
            for _ in 0..<20 { group.addTask { try await client.clientCredentials() } }
            return try await group.reduce(into: [Session]()) { $0.append($1) }
        }
        #expect(world.count(.token) == 1)
        world.provider.clock.advance(by: .seconds(3_600))
        let tokens = try await withThrowingTaskGroup(of: AccessToken.self) { group in
            for session in sessions {
                for _ in 0..<5 { group.addTask { try await session.accessToken() } }
            }
            return try await group.reduce(into: Set<AccessToken>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        #expect(world.count(.token) == 2)
    }

    @Test("A refused token is replaced once")
    func refused() async throws {
        let world = try GrantWorld()
        let session = try await world.client.clientCredentials()
        world.provider.server.change { $0.forgetAccessTokens() }
        let reply = try await session.send(.get(world.provider.apiAddress("notes")))
        #expect(reply.status == 200)
        #expect(world.count(.token) == 2)
    }

    @Test("What is asked for has a place of its own, beside the user's")
    func places() async throws {
        let world = try GrantWorld()
        let user = try await world.client.signIn(with: world.provider.userAgent)
        let plain = try await world.client.clientCredentials()
        let api = try await world.client.clientCredentials(RequestedAccess(scope: ["api"]))
        let admin = try await world.client.clientCredentials(RequestedAccess(scope: ["admin"]))
        #expect(Set([user.account, plain.account, api.account, admin.account]).count == 4)
        #expect(try await admin.credential().scope == "admin")
        let taken = try await world.reason {
            try await world.client.clientCredentials(account: user.account)
        }
        guard case .invalidConfiguration("account", _) = taken else {
            Issue.record("\(String(describing: taken))")
            return
        }
        #expect(try await user.credential().subject == TestUser.ada.subject)
    }

    @Test("A public client is refused before anything is sent")
    func publicClient() async throws {
        let world = try GrantWorld(.app)
        let reason = try await world.reason { try await world.client.clientCredentials() }
        guard case .invalidConfiguration("authentication", _) = reason else {
            Issue.record("\(String(describing: reason))")
            return
        }
        #expect(world.provider.server.change { $0.journal.count } == 0)
    }

    @Test("A refused secret ends no session: the next call asks again")
    func passingRefusal() async throws {
        let world = try GrantWorld()
        let session = try await world.client.clientCredentials()
        world.provider.clock.advance(by: .seconds(3_600))
        world.provider.server.change { $0.clients[0].authentication = .basic("another") }
        #expect(try await world.code { try await session.accessToken() } == "invalid_client")
        world.provider.server.change { $0.clients[0].authentication = .basic("secret") }
        _ = try await session.accessToken()
    }

    @Test("Signing out revokes the token, and a later renewal of somebody else brings nothing back")
    func signOut() async throws {
        let world = try GrantWorld()
        let session = try await world.client.clientCredentials()
        let events = world.client.events()
        #expect(try await session.signOut().revocation == .done)
        #expect(try await world.provider.store.keys().isEmpty)
        #expect(try await world.reason { try await session.accessToken() } == .signedOut)
        for await event in events {
            #expect(event == AccountEvent(account: session.account, event: .signedOut))
            break
        }
    }

    @Test("A refresh token and an ID token in the answer are tolerated, and not kept")
    func superfluous() async throws {
        let answer: JSONObject = [
            "access_token": "at", "token_type": "Bearer", "expires_in": 60, "refresh_token": "rt", "id_token": "x.y.z",
        ]
        let held = try await HeldGrant(
            configure: { $0.authentication = .post(ClientSecret("secret")) },
            { _, _ in HTTPResponse(status: 200, body: answer.serialized()) })
        let session = try await held.client.clientCredentials()
        let credential = try await session.credential()
        #expect(credential.accessToken.exposedText == "at")
        #expect(credential.refreshToken == nil && credential.idToken == nil)
    }

    @Test("The strict server refuses public clients, foreign scopes and clients without this grant")
    func strictServer() async throws {
        let world = try GrantWorld { $0.clients[0].furtherGrants = [.deviceCode] }
        #expect(try await world.code { try await world.client.clientCredentials() } == "unauthorized_client")
        world.provider.server.change { $0.clients[0].furtherGrants = [.clientCredentials] }
        let foreign = RequestedAccess(scope: ["openid"])
        #expect(try await world.code { try await world.client.clientCredentials(foreign) } == "invalid_scope")
    }

    @Test("A record says how it is renewed, and one without a word is renewed as ever")
    func record() async throws {
        let world = try GrantWorld()
        let access = RequestedAccess(
            scope: ["api"], resources: [try #require(URI("https://api.example.com/"))],
            additionalParameters: ["tenant": "one"])
        let credential = try await world.client.clientCredentials(access).credential()
        #expect(credential.renewalMethod == .clientCredentials(access))
        #expect(try Credential(credential.record) == credential)
        let old = try Credential(HeldGrant.record(obtainedAt: world.provider.clock.now))
        #expect(old.renewalMethod == .refreshToken)
    }
}
