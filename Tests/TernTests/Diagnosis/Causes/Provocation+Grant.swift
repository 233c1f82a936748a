import Tern
import TernTesting
import Testing

extension Provocation {
    static let grant: [Provocation] = [
        Provocation("code_used_twice") {
            let (world, client) = try World.quiet()
            var options = SignInOptions()
            options.keepsPending = false
            let signIn = try await client.begin(options)
            let callback = try await world.callback(of: signIn)
            try await client.finish(signIn, callback: callback)
            return try await whatFails { try await client.finish(signIn, callback: callback) }
        },
        Provocation("code_expired") {
            let (world, client) = try World.quiet()
            let signIn = try await client.begin()
            let callback = try await world.callback(of: signIn)
            world.clock.advance(by: .seconds(300))
            return try await whatFails { try await client.finish(signIn, callback: callback) }
        },
        Provocation("code_verifier_lost") {
            let (world, client) = try World.quiet()
            let (first, second) = (try await client.begin(), try await client.begin())
            let callback = try await world.callback(of: first)
            // A process that keeps the verifier of one sign-in with the state of another.
            var mixed = try #require(try JSON(parsing: first.record.exposedBytes).object)
            mixed["code_verifier"] = try JSON(parsing: second.record.exposedBytes)["code_verifier"]
            mixed["kept"] = false
            let signIn = try SignIn(StoredRecord(JSON.object(mixed).serialized()))
            return try await whatFails { try await client.finish(signIn, callback: callback) }
        },
        told(
            "redirect_uri_repeated_otherwise", "invalid_grant",
            "redirect_uri is not the one of the authorization request"),
        told("code_of_another_client", "invalid_grant", "the code was issued to another client"),
        told("device_clock_wrong", "invalid_grant", date: "Wed, 01 Jan 2020 00:00:00 GMT"),
        atRenewal("access_revoked", "invalid_grant", "the grant was revoked"),
        Provocation("refresh_token_expired") {
            let (world, client) = try World.quiet()
            let session = try await client.signIn(with: world.robot)
            world.clock.advance(by: .seconds(31 * 86_400))
            return try await whatFails { try await session.accessToken() }
        },
        Provocation("refresh_token_used_elsewhere") {
            let (world, client) = try World.quiet()
            let session = try await client.signIn(with: world.robot)
            // A copy of the store, as on a second machine.
            let copy = MemoryStore()
            try await copy.save(try #require(try await world.store.load(session.account)), for: session.account)
            var environment = client.environment
            environment.store = copy
            world.clock.advance(by: .seconds(7_200))
            _ = try await OAuthClient(client.configuration, in: environment).session()?.accessToken()
            return try await whatFails { try await session.accessToken() }
        },
        Provocation("unpublished_client") {
            let server = AuthorizationServer(issuer: try #require(URI("https://accounts.google.com")))
            return try await atRenewal("", "invalid_grant", after: .seconds(8 * 86_400), at: server).provoke()
        },
        atRenewal("refresh_token_bound_elsewhere", "invalid_grant", "the refresh token is bound to another key"),
        atRenewal("refresh_token_of_another_client", "invalid_grant", "the token was issued to another client"),
        Provocation("no_refresh_token") {
            var app = TestClient.app
            app.refreshTokens = .never
            let (world, client) = try World.quiet(AuthorizationServer(clients: [app]))
            let session = try await client.signIn(with: world.robot)
            world.clock.advance(by: .seconds(7_200))
            return try await whatFails { try await session.accessToken() }
        },
        told("proof_refused", "invalid_dpop_proof"), told("nonce_wanted_again", "use_dpop_nonce"),
    ]

    static let answers: [Provocation] = [
        signIn("provider_needs_quirk", [Fault(at: .token, .member("access_token", .remove))]),
        signIn("endpoint_moved", [Fault(at: .token, .redirect(to: "https://id.example.com/other"))]),
        signIn("token_type_unknown", [Fault(at: .token, .member("token_type", .set("mac")))]),
        signIn("dpop_not_supported", [Fault(at: .token, .member("token_type", .set("Bearer")))]) { $0.dpop = DPoP() },
        Provocation("revocation_needs_secret") {
            let (world, client) = try World.quiet()
            let session = try await client.signIn(with: world.robot)
            world.server.add(Fault(at: .revocation, .replace(HTTPResponse(status: 401))))
            guard case .failed(let error) = try await session.signOut().revocation else { throw NothingFailed() }
            return error
        },
        Provocation("user_information_of_another") {
            let (world, client) = try World.quiet()
            let session = try await client.signIn(with: world.robot)
            world.server.add(Fault(at: .userInfo, .member("sub", .append("x"))))
            return try await whatFails { try await session.userInfo() }
        },
        Provocation("no_key_for_answer") {
            var app = TestClient.app
            app.idTokenEncryption = TestEncryption(.rsaOAEP256, key: try JWK.generate(for: .rsaOAEP256, keyID: "e1"))
            return try await signIn("", at: AuthorizationServer(clients: [app])).provoke()
        },
    ]

    static let api: [Provocation] = [
        Provocation("api_redirects_in_circle") {
            let provider = TestProvider()
            let session = try await provider.client().signIn(with: provider.userAgent)
            provider.server.add(Fault(at: .api, .redirect(to: provider.apiAddress("notes"))))
            return try await whatFails {
                try await session.send(.get(provider.apiAddress("notes")), followingRedirects: true)
            }
        },
        Provocation("body_was_stream") {
            let (world, client) = try World.quiet()
            let session = try await client.signIn(with: world.robot)
            world.server.change { $0.forgetAccessTokens() }
            let address = try #require(URI(world.server.server.apiAddress("notes")))
            let transport = world.transport
            return try await whatFails {
                try await session.perform(HTTPRequest(.post, address), bodyCanBeReplayed: false) { request in
                    let response = try await transport.send(request, step: .resourceRequest)
                    return (response.status, response)
                }
            }
        },
        Provocation("api_has_another_name") {
            let provider = TestProvider()
            provider.server.change { $0.settings.resourceMetadataChanges["resource"] = "https://other.example" }
            let address = try #require(URI(provider.apiAddress("")))
            return try await whatFails {
                try await ProtectedResourceMetadata.discover(address, over: provider.transport)
            }
        },
        Provocation("page_forbidden") {
            let (world, client) = try World.quiet()
            let session = try await client.signIn(with: world.robot)
            world.server.add(Fault(at: .token, .replace(.error("invalid_grant"))))
            world.clock.advance(by: .seconds(7_200))
            await session.setInteraction(.allowed(with: world.robot))
            return try await whatFails { try await Interaction.forbidding { try await session.accessToken() } }
        },
        Provocation("not_signed_in") {
            let (world, client) = try World.quiet()
            let session = try await client.signIn(with: world.robot)
            try await session.signOut()
            return try await whatFails { try await session.accessToken() }
        },
        Provocation("request_of_stranger") {
            try await whatFails {
                try LoginInitiation(
                    ["iss": "https://evil.example"],
                    allowing: LoginInitiation.Policy(issuers: [try Issuer("https://id.example.com")]))
            }
        },
        Provocation("cancelled_by_application") {
            let (_, client) = try World.quiet()
            let agent = FailingAgent(reason: nil)
            let signIn = Task { try await client.signIn(with: agent) }
            await agent.arrival.arrival()
            signIn.cancel()
            return try await whatFails { try await signIn.value }
        },
    ]

    static let oauth1: [Provocation] = [
        oauth1("consumer_key_wrong", "consumer_key_unknown"),
        oauth1("oauth1_base_string_differs", "signature_invalid", at: .tokenCredentials),
        oauth1("oauth1_secret_wrong", "signature_invalid"),
        oauth1("oauth1_method_unknown", "signature_method_rejected"), oauth1("oauth1_clock", "timestamp_refused"),
        oauth1("oauth1_sent_twice", "nonce_used"), oauth1("oauth1_access_ended", "token_rejected"),
        oauth1("oauth1_pin_wrong", "verifier_invalid"),
        Provocation("oauth1_version") {
            let provider = TestProvider(AuthorizationServer(clients: [.oauth1App]))
            provider.server.add(
                Fault(
                    at: .temporaryCredentials,
                    .replace(HTTPResponse(status: 200, body: Array("oauth_token=t&oauth_token_secret=s".utf8)))))
            let client = try provider.oauth1Client()
            return try await whatFails { try await client.begin() }
        },
    ]

    /// What a service of OAuth 1.0a says.
    private static func oauth1(
        _ cause: String, _ problem: String, at endpoint: Endpoint = .temporaryCredentials
    ) -> Provocation {
        Provocation(cause) {
            let provider = TestProvider(AuthorizationServer(clients: [.oauth1App]))
            let body = Array("oauth_problem=\(problem)".utf8)
            provider.server.add(Fault(at: endpoint, .replace(HTTPResponse(status: 401, body: body))))
            let client = try provider.oauth1Client()
            return try await whatFails { try await client.signIn(with: provider.userAgent) }
        }
    }

    static let registration: [Provocation] = [
        registration("registered_redirect_refused", "invalid_redirect_uri"),
        registration("registered_value_refused", "invalid_client_metadata"),
        registration("software_statement_distrusted", "unapproved_software_statement"),
        registration("software_statement_bad", "invalid_software_statement"),
        registration("registration_closed", "invalid_token"),
    ]

    private static func registration(_ cause: String, _ code: String) -> Provocation {
        Provocation(cause) {
            var server = AuthorizationServer()
            server.settings.registration = .open
            let provider = TestProvider(server)
            provider.server.add(Fault(at: .registration, .replace(.error(code))))
            let registrar = ClientRegistrar(server: .issuer(try Issuer(provider.issuer)), in: provider.environment)
            let metadata = ClientMetadata(redirectURIs: ["com.example.app:/callback"], name: "Notes")
            return try await whatFails { try await registrar.register(metadata) }
        }
    }
}
