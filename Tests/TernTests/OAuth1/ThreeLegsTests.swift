import Tern
import TernCrypto
import TernOAuth1
import TernProtocol
import Testing

@testable import TernTesting

/// RFC 5849 through the same client, session and stores as OAuth 2.
@Suite("OAuth 1.0a")
struct ThreeLegsTests {
    private static let methods: [OAuth1SignatureMethod] = [.hmacSHA1, .hmacSHA256, .hmacSHA512, .plaintext]

    private func provider(_ change: (inout TestClient) -> Void = { _ in }) -> TestProvider {
        var client = TestClient.oauth1App
        change(&client)
        return TestProvider(AuthorizationServer(clients: [client]))
    }

    private func api(_ provider: TestProvider, _ path: String = "notes?b5=%3D%253D&a3=a&a3=2+q&c%40=&%C3%A9=") throws
        -> HTTPRequest
    { try .get(provider.apiAddress(path)) }

    @Test("Three legs and signed calls afterwards, by every method in every place", arguments: methods)
    func threeLegs(method: OAuth1SignatureMethod) async throws {
        for placement in ParameterPlacement.allCases {
            let provider = provider()
            let key = try OAuth1SigningKey(method, secret: ClientSecret("test-secret"))
            let client = try provider.oauth1Client(key) {
                $0.endpointPlacement = placement
                $0.placement = placement
                $0.realm = "Photos"
                $0.hashesBody = placement == .header
            }
            let session = try await client.signIn(with: provider.userAgent)
            let credential = try await session.credential()
            #expect(credential.additionalMembers["screen_name"]?.string == TestUser.ada.username)
            #expect(credential.refreshToken == nil && credential.scope.isEmpty)
            let form = HTTPRequest(
                .post, try api(provider).url, body: .form(["status": "Hello Ladies + Gentlemen, 100% é"]))
            #expect(try await session.send(form).status == 200)
            guard placement != .form else { continue }
            let answer = try await session.send(try api(provider))
            #expect(answer.status == 200)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("\"sub\":\"\(TestUser.ada.subject)\""))
            let json = HTTPRequest(
                .put, try api(provider).url, fields: ["Content-Type": "application/json"],
                body: .bytes(Array("{}".utf8)))
            #expect(try await session.send(json).status == 200)
        }
    }

    @Test("A client with a private key", arguments: [OAuth1SignatureMethod.rsaSHA1, .rsaSHA256, .rsaSHA512])
    func privateKey(method: OAuth1SignatureMethod) async throws {
        let key = try RSAPrivateKey.generate()
        let provider = provider { $0.oauth1 = OAuth1Registration(publicKey: key.publicKey) }
        let client = try provider.oauth1Client(try OAuth1SigningKey(method, privateKey: key))
        let session = try await client.signIn(with: provider.userAgent)
        #expect(try await session.send(try api(provider)).status == 200)
    }

    @Test("The session is found in the store, is one of the accounts, and ends by signing out")
    func session() async throws {
        let provider = provider()
        let client = try provider.oauth1Client()
        _ = try await client.signIn(with: provider.userAgent)
        let later = try provider.oauth1Client()
        let session = try #require(try await later.session())
        #expect(try await session.send(try api(provider)).status == 200)
        #expect(try await provider.store.accounts() == [later.configuration.account])
        #expect(await reason { try await session.refresh() }?.code == "unsupported")
        #expect(await reason { try await session.userInfo() }?.code == "unsupported")
        let report = try await session.signOut(.browserToo(provider.userAgent))
        #expect(report == SignOutReport(revocation: .notOffered, endSession: .notOffered))
        #expect(try await later.session() == nil)
        #expect(await reason { try await session.send(try api(provider)) } == .signedOut)
    }

    @Test("A new process finishes the sign-in by its callback alone, once")
    func coldStart() async throws {
        let provider = provider()
        let signIn = try await provider.oauth1Client().begin()
        let record = try SignIn(signIn.record)
        #expect(record == signIn)
        let redirect = try RedirectURI("com.example.app:/callback")
        let callback = try await provider.browser.signIn(at: signIn.address, stoppingAt: redirect)
        let client = try provider.oauth1Client()
        let foreign = try #require(URI("com.example.app:/callback?oauth_token=other&oauth_verifier=x"))
        #expect(await reason { try await client.finish(callback: foreign) } == .strayCallback(.unknownState))
        let session = try await client.finish(callback: callback)
        #expect(try await session.send(try api(provider)).status == 200)
        #expect(await reason { try await client.finish(callback: callback) } == .strayCallback(.alreadyUsed))
        #expect(provider.server.count(of: .tokenCredentials) == 1)
    }

    @Test("Out of band: the user types the PIN, and a wrong one is told")
    func pin() async throws {
        struct Lines: LineReader {
            let next: @Sendable () -> String?
            func nextLine() async -> String? { next() }
        }
        for isRight in [true, false] {
            let provider = provider()
            let client = try provider.oauth1Client(redirectURI: "oob")
            // The page is walked through first; it ends at a text and not at an address.
            let signIn = try await client.begin()
            _ = try? await provider.browser.signIn(at: signIn.address, stoppingAt: nil)
            let shown = provider.server.server.state.temporaryCredentials.values.first?.allowed?.verifier
            let typed = isRight ? try #require(shown) : "12345678x"
            let callback = try #require(OAuth1AuthorizationResponse.callback(pin: typed, at: .outOfBand))
            let outcome = await reason { try await client.finish(signIn, callback: callback, delivery: .pasted) }
            #expect(outcome?.code == (isRight ? nil : "verifier_invalid"))
            #expect(try await (client.session() != nil) == isRight)
            let opened = Locked<URI?>(nil)
            let agent = TerminalPasteUserAgent(lines: Lines { " \(typed) \r" }) { page in opened.withLock { $0 = page }
            }
            let visit = try await agent.prepare(for: .outOfBand)
            #expect(try await visit.open(signIn.address) { _ in .success } == callback)
            #expect(opened.withLock { $0 } == signIn.address)
        }
    }

    @Test("The user says no")
    func denied() async throws {
        let provider = TestProvider(AuthorizationServer(clients: [.oauth1App]), consent: .deny)
        let client = try provider.oauth1Client()
        let error = await #expect(throws: TernError.self) { try await client.signIn(with: provider.userAgent) }
        #expect(error?.code == "user_refused" && error?.step == .authorizationResponse)
        #expect(try await provider.store.keys().isEmpty)
    }

    @Test("What the service refuses is told in its words, and nothing is stored")
    func refusals() async throws {
        let provider = provider { $0.oauth1 = OAuth1Registration(secret: "test-secret", methods: [.hmacSHA1]) }
        for (key, clientID, code) in [
            (OAuth1SigningKey.hmacSHA1(ClientSecret("wrong-secret")), "test-key", "signature_invalid"),
            (.hmacSHA1(ClientSecret("test-secret")), "nobody", "consumer_key_unknown"),
            (.hmacSHA256(ClientSecret("test-secret")), "test-key", "signature_method_rejected"),
            (.plaintext(ClientSecret("test-secret")), "test-key", "signature_method_rejected"),
        ] {
            let client = try provider.oauth1Client(key, clientID: clientID)
            let error = await #expect(throws: TernError.self) { try await client.signIn(with: provider.userAgent) }
            #expect(error?.code == code && error?.step == .temporaryCredentials)
            #expect(error?.serverError?.status == (code == "signature_method_rejected" ? 400 : 401))
        }
        #expect(provider.server.count(of: .oauth1Authorization) == 0)
        #expect(try await provider.store.keys().isEmpty)
    }

    @Test("A recorded request is worth nothing")
    func replay() async throws {
        let provider = provider()
        let session = try await provider.oauth1Client().signIn(with: provider.userAgent)
        let signed = try await session.authorize(try api(provider))
        #expect(try await provider.transport.send(signed, step: .resourceRequest).status == 200)
        #expect(try await provider.transport.send(signed, step: .resourceRequest).status == 401)
        #expect(try await session.authorize(try api(provider)) != signed)
    }

    @Test(
        "A clock that is wrong is put right by the service's, once, and stays right for the account",
        arguments: [-1, 1])
    func clock(sign: Int) async throws {
        let serverClock = FakeClock(NumericDate(1_750_000_000 + Double(sign) * 7_200))
        let base = provider()
        let transport = TestTransport(base.server, clock: serverClock)
        let environment = Environment(transport: transport, store: base.store, clock: base.clock)
        let client = try OAuthClient(
            oauth1: base.server.server.oauth1Server(), clientID: "test-key",
            key: .hmacSHA1(ClientSecret("test-secret")), redirectURI: "com.example.app:/callback", in: environment)
        let robot = RobotUserAgent(transport: transport)
        let session = try await client.signIn(with: robot)
        #expect(base.server.count(of: .temporaryCredentials) == 2 && base.server.count(of: .tokenCredentials) == 1)
        #expect(try await session.send(try api(base)).status == 200)
        #expect(base.server.count(of: .api) == 1)
        // A new process knows it from the record.
        let later = try OAuthClient(
            oauth1: base.server.server.oauth1Server(), clientID: "test-key",
            key: .hmacSHA1(ClientSecret("test-secret")), redirectURI: "com.example.app:/callback", in: environment)
        #expect(try await later.session()?.send(try api(base)).status == 200)
        #expect(base.server.count(of: .api) == 2)
        // A client in its own right learns it from its first refusal.
        let signer = OAuth1Signer(clientID: "test-key", .hmacSHA1(ClientSecret("test-secret")))
        let alone = OAuth1Authorizer(signer, in: environment)
        for count in [4, 5] {
            #expect(try await alone.send(try api(base)).status == 200)
            #expect(base.server.count(of: .api) == count)
        }
        // Where the secret is wrong too, one repeat is all.
        let wrong = OAuth1Authorizer(
            OAuth1Signer(clientID: "test-key", .hmacSHA1(ClientSecret("wrong"))), in: environment)
        #expect(try await wrong.send(try api(base)).status == 401)
        #expect(base.server.count(of: .api) == 7)
    }

    @Test("A client in its own right has no user")
    func twoLegs() async throws {
        let provider = provider()
        let answer = try await provider.oauth1Client().clientAuthorizer().send(try api(provider))
        #expect(answer.status == 200 && !String(decoding: answer.body, as: UTF8.self).contains("\"sub\""))
        #expect(throws: TernError.self) { try provider.client().clientAuthorizer() }
        let wrong = try TestProvider().client(redirectURI: "oob")
        #expect(await reason { try await wrong.begin() }?.code == "unsupported_redirect")
    }

    @Test("xAuth, for clients that may, and only by its name")
    func password() async throws {
        let provider = provider { $0.oauth1?.allowsPasswords = true }
        let client = try provider.oauth1Client { $0.endpointMethod = .get }
        let session = try await client.signInHandingOverPassword(username: "ada", password: OAuth1Password("lovelace"))
        #expect(try await session.send(try api(provider)).status == 200)
        let sent = try #require(provider.server.requests(to: .tokenCredentials).first?.request)
        #expect(sent.method == .post && sent.url.encodedQuery == nil)
        let refused = await reason {
            try await client.signInHandingOverPassword(username: "ada", password: OAuth1Password("no"))
        }
        #expect(refused?.code == "permission_denied")
    }

    @Test("What OAuth 1.0a cannot promise is refused by name", arguments: ["prompt", "max_age", "scope", "sub"])
    func promises(field: String) async throws {
        let provider = provider()
        let client = try provider.oauth1Client()
        var options = SignInOptions()
        switch field {
        case "prompt": options.prompt = [.login]
        case "max_age": options.maxAge = .seconds(1)
        case "scope": options.scope = ["api"]
        default: options.expectedSubject = "x"
        }
        let error = await reason { [options] in try await client.begin(options) }
        guard case .invalidConfiguration(field, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(provider.server.count(of: .temporaryCredentials) == 0)
    }

    @Test("A token that the user took back: told, or a new sign-in where that is allowed")
    func revoked() async throws {
        let provider = provider()
        let session = try await provider.oauth1Client().signIn(with: provider.userAgent)
        provider.server.change { $0.revokeGrants(ofUser: TestUser.ada.subject) }
        #expect(try await session.send(try api(provider)).status == 401)
        await session.setInteraction(.allowed(with: provider.userAgent))
        #expect(try await session.send(try api(provider)).status == 200)
        #expect(provider.server.count(of: .tokenCredentials) == 2)
    }

    @Test("Plain http and other origins see no token")
    func otherOrigins() async throws {
        let provider = provider()
        let session = try await provider.oauth1Client().signIn(with: provider.userAgent)
        #expect(
            await reason { try await session.send(.get("http://api.example/x")) } == .insecureEndpoint(field: "url"))
        let elsewhere = try #require(URI("https://cdn.example/f"))
        provider.server.add(
            Fault(at: .api, .replace(HTTPResponse(status: 302, fields: ["Location": elsewhere.text]))))
        let seen = Locked<[HTTPRequest]>([])
        let origin = try #require(elsewhere.origin)
        let transport = provider.transport.answering(origin) { request, _ in
            seen.withLock { $0.append(request) }
            return Delivery(.answer(HTTPResponse(status: 200)))
        }
        let client = try OAuthClient(
            oauth1: provider.server.server.oauth1Server(), clientID: "test-key",
            key: .hmacSHA1(ClientSecret("test-secret")), redirectURI: "com.example.app:/callback",
            in: Environment(transport: transport, store: provider.store, clock: provider.clock))
        let other = try #require(try await client.session())
        #expect(try await other.send(try api(provider), followingRedirects: true).status == 200)
        #expect(seen.withLock { $0.map { $0.fields["Authorization"] } } == [nil])
    }
}
