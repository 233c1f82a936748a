import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

/// RFC 9449 from sign-in to API.
@Suite("Tokens bound to a key")
struct DPoPFlowTests {
    private func provider(_ change: (inout AuthorizationServer) -> Void = { _ in }) -> TestProvider {
        var server = AuthorizationServer()
        change(&server)
        return TestProvider(server)
    }

    private func client(_ provider: TestProvider, _ dpop: DPoP? = DPoP()) throws -> OAuthClient {
        var configuration = try provider.client().configuration
        configuration.dpop = dpop
        return OAuthClient(configuration, in: provider.environment)
    }

    private func call(_ session: Session, _ provider: TestProvider) async throws -> HTTPResponse {
        try await session.send(.get(provider.apiAddress("notes?x=1")))
    }

    @Test("A sign-in, a call, user information and a refresh; the key stays the same")
    func roundTrip() async throws {
        let provider = provider { $0.settings.dpop.use = .demanded }
        let session = try await client(provider).signIn(with: provider.userAgent)
        let first = try await session.credential()
        #expect(first.tokenType == .dpop)
        #expect(try await call(session, provider).status == 200)
        #expect(try await session.userInfo().subject == TestUser.ada.subject)
        try await session.refresh()
        let second = try await session.credential()
        #expect(second.accessToken != first.accessToken)
        #expect(second.dpop == first.dpop)
        #expect(try await call(session, provider).status == 200)
        let asked = try #require(provider.server.requests(to: .authorization).first)
        #expect(asked.request.url.encodedQuery?.contains("dpop_jkt=" + (first.dpop?.thumbprint ?? "-")) == true)
    }

    @Test("Nonces of both servers are learned, one repeat each, and remembered until they change")
    func nonces() async throws {
        let provider = provider {
            $0.settings.dpop.nonceLifetimeAtAuthorizationServer = .seconds(100)
            $0.settings.dpop.nonceLifetimeAtAPI = .seconds(100)
        }
        func count(_ endpoint: Endpoint) -> Int {
            provider.server.count(of: endpoint)
        }
        let session = try await client(provider).signIn(with: provider.userAgent)
        #expect(count(.token) == 2)
        #expect(try await call(session, provider).status == 200)
        #expect(count(.api) == 2)
        #expect(try await call(session, provider).status == 200)
        #expect(count(.api) == 3)
        try await session.refresh()
        #expect(count(.token) == 3)
        provider.clock.advance(by: .seconds(101))
        #expect(try await call(session, provider).status == 200)
        #expect(count(.api) == 5)
        try await session.refresh()
        #expect(count(.token) == 5)
    }

    @Test("An expired token and a new nonce at once: one refresh, and the call succeeds")
    func expiredAndNonce() async throws {
        let provider = provider { $0.settings.dpop.nonceLifetimeAtAPI = .seconds(100) }
        let session = try await client(provider).signIn(with: provider.userAgent)
        provider.server.change { $0.forgetAccessTokens() }
        #expect(try await call(session, provider).status == 200)
    }

    /// A vault in memory.
    private final class Vault: KeyVault {
        let keys = Locked<[String: SigningKey]>([:])

        func makeKey() throws(TernError) -> (key: SigningKey, handle: String) {
            do throws(JOSEError) {
                let key = try SigningKey(try JWK.generate(for: .es256))
                let handle = keys.withLock { keys in
                    keys["key-\(keys.count)"] = key
                    return "key-\(keys.count - 1)"
                }
                return (key, handle)
            } catch {
                throw TernError(.unsupported("keys"), at: .configuration)
            }
        }

        func key(for handle: String) throws(TernError) -> SigningKey {
            guard let key = keys.withLock({ $0[handle] }) else {
                throw TernError(.reauthenticationRequired(nil), at: .refresh)
            }
            return key
        }
    }

    @Test("A vault makes a key for each sign-in; the record keeps its handle and no key, also in a new process")
    func vault() async throws {
        let provider = provider { $0.settings.dpop.use = .demanded }
        let vault = Vault()
        let dpop = DPoP(key: .vault(vault))
        let begun = try await client(provider, dpop).begin()
        let callback = try await provider.browser.signIn(
            at: begun.address, stoppingAt: try client(provider).configuration.redirectURI)
        let credential = try await client(provider, dpop).finish(
            try SignIn(begun.record), callback: callback)
        let text = String(decoding: credential.record.exposedBytes, as: UTF8.self)
        #expect(text.contains("key-0") && !text.contains("kty"))
        let session = try #require(try await client(provider, dpop).session())
        #expect(try await call(session, provider).status == 200)
        try await session.refresh()
        let second = try await client(provider, dpop).signIn(with: provider.userAgent)
        #expect(try await second.credential().dpop != credential.dpop)
        #expect(vault.keys.withLock { $0.count } == 2)
        vault.keys.withLock { $0 = [:] }
        // Without its key a session is over: nothing is sent, and who may shows the page.
        let keyless = try #require(try await client(provider, dpop).session())
        await #expect(throws: TernError(.reauthenticationRequired(nil), at: .refresh)) {
            try await call(keyless, provider)
        }
        provider.clock.advance(by: .seconds(4000))
        await keyless.setInteraction(.allowed(with: provider.userAgent))
        #expect(try await call(keyless, provider).status == 200)
    }

    /// What an API answers that wants this nonce in the proof.
    private static func nonceWanted(_ nonce: String) -> FaultAction {
        .replace(
            HTTPResponse(
                status: 401, fields: ["DPoP-Nonce": nonce, "WWW-Authenticate": "DPoP error=\"use_dpop_nonce\""]))
    }

    @Test("A nonce that is wanted first does not cost the refresh that a refused token gets")
    func nonceThenRefusal() async throws {
        let provider = provider()
        let session = try await client(provider).signIn(with: provider.userAgent)
        provider.server.change { $0.forgetAccessTokens() }
        provider.server.add(
            Fault(at: .api, on: .nth(1), Self.nonceWanted("n1")))
        #expect(try await call(session, provider).status == 200)
        #expect(provider.server.count(of: .api) == 3)
        let request = try HTTPRequest.get(provider.apiAddress("notes"))
        provider.server.change { $0.forgetAccessTokens() }
        provider.server.add(
            Fault(at: .api, on: .nth(1), Self.nonceWanted("n2")))
        let status = try await session.perform(request) { request in
            let answer = try await provider.transport.send(request, step: .resourceRequest)
            return (answer.status, answer)
        }
        #expect(status == 200)
    }

    @Test("An API that always wants another nonce gets its answer handed over")
    func endlessNonces() async throws {
        let provider = provider()
        let session = try await client(provider).signIn(with: provider.userAgent)
        provider.server.add(
            Fault(at: .api, Self.nonceWanted("n")))
        #expect(try await call(session, provider).status == 401)
        #expect(provider.server.count(of: .api) == 2)
    }

    @Test("A new process uses the kept key, in the middle of a sign-in too")
    func newProcess() async throws {
        let provider = provider { $0.settings.dpop.use = .demanded }
        let begun = try await client(provider).begin()
        let callback = try await provider.browser.signIn(
            at: begun.address, stoppingAt: RedirectURI("com.example.app:/callback"))
        let credential = try await client(provider).finish(try SignIn(begun.record), callback: callback)
        let session = try #require(try await client(provider).session())
        #expect(try await session.credential() == credential)
        #expect(try await call(session, provider).status == 200)
        try await session.refresh()
        #expect(try await call(session, provider).status == 200)
    }

    @Test("A key of the application's own is not kept, and must be there again")
    func ownKey() async throws {
        let provider = provider()
        let key = try SigningKey(try JWK.generate(for: .es256))
        let session = try await client(provider, DPoP(key: .given(key))).signIn(with: provider.userAgent)
        #expect(try await call(session, provider).status == 200)
        let record = try #require(try await provider.store.load(session.account))
        #expect(try JSON(parsing: record.exposedBytes)["dpop"] == .string(DPoPKey(key).thumbprint))
        let again = try #require(try await client(provider, DPoP(key: .given(key))).session())
        #expect(try await call(again, provider).status == 200)
        let lost = try #require(try await client(provider).session())
        let error = await #expect(throws: TernError.self) { try await call(lost, provider) }
        #expect(error?.code == "invalid_configuration")
    }

    @Test("A bearer token in answer to a proof is refused, or taken where that is allowed")
    func downgrade() async throws {
        let provider = provider { $0.settings.dpop.use = .ignored }
        let error = await #expect(throws: TernError.self) {
            try await client(provider).signIn(with: provider.userAgent)
        }
        #expect(error?.reason == .tokenNotBound)
        #expect(try await provider.store.keys().filter { !$0.name.hasPrefix("tern:") }.isEmpty)
        var dpop = DPoP()
        dpop.acceptsBearerTokens = true
        let session = try await client(provider, dpop).signIn(with: provider.userAgent)
        #expect(try await session.credential().tokenType == .bearer)
        #expect(try await call(session, provider).status == 200)
    }

    @Test("A stolen token is of no use: not as a bearer token, not with another key, and no proof works twice")
    func theft() async throws {
        let provider = provider()
        let session = try await client(provider).signIn(with: provider.userAgent)
        let token = try await session.accessToken()
        var request = try HTTPRequest.get(provider.apiAddress("notes"))
        request.fields["Authorization"] = "Bearer " + token.exposedText
        #expect(try await provider.transport.send(request, step: .resourceRequest).status == 401)
        let other = DPoPKey(try SigningKey(try JWK.generate(for: .es256)))
        request.fields["Authorization"] = "DPoP " + token.exposedText
        request.fields["DPoP"] = try other.proof(
            .get, request.url, accessToken: token, now: provider.clock.now)
        #expect(try await provider.transport.send(request, step: .resourceRequest).status == 401)
        let good = try await session.authorize(try HTTPRequest.get(provider.apiAddress("notes")))
        #expect(try await provider.transport.send(good, step: .resourceRequest).status == 200)
        #expect(try await provider.transport.send(good, step: .resourceRequest).status == 401)
    }

    @Test("A wrong clock is put right once from the refusal")
    func clock() async throws {
        let provider = provider()
        let transport = TestTransport(provider.server, clock: provider.clock)
        let wrong = FakeClock(NumericDate(provider.clock.now.secondsSince1970 - 7200))
        var configuration = try provider.client().configuration
        configuration.dpop = DPoP()
        configuration.usesServerClock = true
        let client = OAuthClient(
            configuration, in: Environment(transport: transport, store: provider.store, clock: wrong))
        let session = try await client.signIn(with: provider.userAgent)
        #expect(try await call(session, provider).status == 200)
    }

    @Test("No token, no proof and no key in anything that is printed, and the record holds the key")
    func secrecy() async throws {
        let provider = provider()
        let session = try await client(provider).signIn(with: provider.userAgent)
        let credential = try await session.credential()
        let binding = try #require(credential.dpop)
        #expect("\(binding) \(credential)" == "<DPoP binding> <credential of test-app>")
        #expect(Mirror(reflecting: binding).children.isEmpty)
        #expect(try Credential(credential.record) == credential)
        var object = try #require(try JSON(parsing: credential.record.exposedBytes).object)
        object["dpop"] = nil
        #expect(throws: TernError.self) { try Credential(StoredRecord(JSON.object(object).serialized())) }
        object["dpop"] = ["kty": "EC"]
        #expect(throws: TernError.self) { try Credential(StoredRecord(JSON.object(object).serialized())) }
    }
}
