import Tern
import TernTesting
import Testing

extension Provocation {
    private static let secret = ClientAuthentication.basic(ClientSecret("test-secret"))

    private static func confidential(_ authentication: TestClient.Authentication) -> AuthorizationServer {
        AuthorizationServer(clients: [TestClient("test-app", authentication: authentication)])
    }

    /// The server's words to a client with a key.
    private static func keyed(_ cause: String, _ detail: String? = nil) -> Provocation {
        Provocation(cause) {
            let key = try SigningKey(try JWK.generate(for: .es256, keyID: "k1"))
            return try await told(cause, "invalid_client", detail, authentication: .privateKeyJWT(key)).provoke()
        }
    }

    /// A sign-in of a client with an attestation.
    ///
    /// - Parameter answer: what the token endpoint says in the place of its own check.
    private static func attested(
        _ cause: String, lasting lifetime: Duration = .seconds(600), byStranger: Bool = false,
        answering answer: HTTPResponse? = nil
    ) -> Provocation {
        Provocation(cause) {
            let attester = try SigningKey(try JWK.generate(for: .es256, keyID: "a1"))
            let signer = byStranger ? try SigningKey(try JWK.generate(for: .es256, keyID: "a1")) : attester
            let key = try SigningKey(try JWK.generate(for: .es256))
            let wallet = TestClient("wallet", authentication: .attestation(by: attester))
            let provider = TestProvider(AuthorizationServer(clients: [wallet]))
            let text = try TestClient.attestation(
                of: "wallet", key: key, by: signer, until: provider.clock.now + lifetime)
            let way = ClientAuthentication.attestation(ClientAttester(try ClientAttestation(text, key: key)))
            if let answer { provider.server.add(Fault(at: .token, .replace(answer))) }
            return try await whatFails {
                try await provider.client(authentication: way).signIn(with: provider.userAgent)
            }
        }
    }

    static let client: [Provocation] = [
        told("client_unknown", "invalid_client", "The client is not registered"),
        signIn("public_client_asked_for_secret", at: confidential(.basic("test-secret"))),
        told(
            "secret_of_public_client", "invalid_client", "AADSTS700025: Client is public", authentication: secret),
        signIn("secret_wrong", at: confidential(.basic("another-secret"))) { $0.authentication = secret },
        told(
            "secret_expired", "invalid_client", "AADSTS7000222: The provided client secret keys are expired",
            authentication: secret),
        Provocation("secret_sent_in_other_way") {
            var server = confidential(.post("test-secret"))
            server.settings.metadataChanges["token_endpoint_auth_methods_supported"] = ["client_secret_post"]
            return try await signIn("", at: server) {
                $0.authentication = secret
                $0.triesOtherAuthentication = false
            }.provoke()
        },
        told("secret_encoding", "invalid_client", authentication: .basic(ClientSecret("a+b/c %d"))),
        keyed("assertion_audience"),
        keyed("assertion_key", "the signature of the assertion is not good"),
        told("certificate_not_shown", "invalid_client", authentication: .tls),
        told(
            "certificate_unregistered", "invalid_client", "the certificate is not registered", authentication: .tls),
        attested("attestation_refused", answering: .error("invalid_client", nil)),
        attested("attestation_too_old", lasting: .seconds(-1)), attested("attestation_invalid", byStranger: true),
        told("grant_not_allowed", "unauthorized_client"),
        signIn("not_the_token_endpoint", [Fault(at: .token, .replace(HTTPResponse(status: 404)))]),
    ]

    static let authorization: [Provocation] = [
        Provocation("user_refused") {
            let (world, client) = try World.quiet()
            let robot = RobotUserAgent(transport: world.transport, consent: .deny)
            return try await whatFails { try await client.signIn(with: robot) }
        },
        calledBack("administrator_forbids", "access_denied", "An administrator has blocked this application"),
        calledBack("not_a_test_user", "access_denied", "The app is being tested; only test users have access"),
        atRenewal("consent_missing", "interaction_required", "AADSTS65001: the user has not given consent"),
        calledBack("consent_forbidden_to_ask", "consent_required"),
        Provocation("nobody_logged_in") {
            let (world, client) = try World.quiet()
            var options = SignInOptions()
            options.prompt = [.none]
            return try await whatFails { try await client.signIn(options, with: world.robot) }
        },
        signIn("scope_unknown", scope: ["openid", "nonsense"]),
        Provocation("scope_not_allowed") {
            var app = TestClient.app
            app.scopes = ["openid"]
            return try await signIn("", at: AuthorizationServer(clients: [app, TestClient("other")])) {
                $0.scope = ["openid", "email"]
            }.provoke()
        },
        atRenewal("scope_beyond_grant", "invalid_scope"),
        calledBack("request_incomplete", "invalid_request", "the parameter audience is missing"),
        Provocation("pushing_demanded") {
            var server = AuthorizationServer()
            server.settings.requests.demandsPushed = true
            return try await signIn("", at: server, [pushedNotSaid]).provoke()
        },
        calledBack("pkce_demanded", "invalid_request", "code_challenge is missing"),
        calledBack("response_type_not_allowed", "unsupported_response_type"),
        told("resource_unknown", "invalid_target"),
        calledBack("request_object_refused", "invalid_request_object"),
        calledBack("details_refused", "invalid_authorization_details"),
        calledBack("login_too_weak", "unmet_authentication_requirements"),
        told("user_unknown", "unknown_user_id"), told("hint_too_old", "expired_login_hint_token"),
        told("user_code_missing", "missing_user_code"), told("binding_message_refused", "invalid_binding_message"),
        told("user_not_reached", "transaction_failed"), told("provider_specific_code", "whatever_this_is"),
    ]

    /// The metadata do not say that requests have to be pushed.
    private static let pushedNotSaid = Fault(
        at: .openIDConfiguration, .member("require_pushed_authorization_requests", .remove))
}
