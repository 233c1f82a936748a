@testable import Tern
import TernTesting
import Testing

extension Provocation {
    static let idToken: [Provocation] = [
        idToken(
            "id_token_clock_ahead", .claim("exp", .move(.seconds(-7_200))), .claim("iat", .move(.seconds(-7_200))),
            date: HTTPDate(date: FakeClock().now + .seconds(-7_200)).description),
        idToken(
            "id_token_clock_behind", .claim("iat", .move(.seconds(7_200))),
            date: HTTPDate(date: FakeClock().now + .seconds(7_200)).description),
        idToken("id_token_server_clock", .claim("iat", .move(.seconds(7_200)))),
        idToken("id_token_unreadable", .claim("sub", .remove)),
        idToken("id_token_forged", signature: .byForeignKey),
        idToken("id_token_keys_not_published", .header("kid", .set("unknown")), signature: .byForeignKey),
        idToken("id_token_algorithm", signature: .none),
        idToken("id_token_issuer", .claim("iss", .append("/"))),
        idToken("id_token_audience", .claim("aud", .set("other"))),
        idToken("id_token_authorized_party", .claim("azp", .set("other"))),
        idToken("id_token_nonce_dropped", .claim("nonce", .remove)),
        idToken("id_token_replayed", .claim("nonce", .append("x"))),
        idToken("tokens_mixed_up", .claim("at_hash", .append("x"))),
        idToken(
            "login_too_old", .claim("auth_time", .move(.seconds(-7_200))),
            options: SignInOptions { $0.maxAge = .seconds(60) }),
        idToken(
            "login_by_other_method", .claim("acr", .set("weak")), options: SignInOptions { $0.acrValues = ["strong"] }),
        signIn("another_user", options: SignInOptions { $0.expectedSubject = "somebody" }),
        idToken("foreign_tenant", .claim("tid", .set("theirs"))) { $0.allowedTenants = ["ours"] },
        Provocation("encrypted_with_old_key") {
            var app = TestClient.app
            app.idTokenEncryption = TestEncryption(.rsaOAEP256, key: try JWK.generate(for: .rsaOAEP256, keyID: "e1"))
            let newKey = try JWK.generate(for: .rsaOAEP256, keyID: "e1")
            return try await signIn("", at: AuthorizationServer(clients: [app])) {
                $0.decryptionKeys = JWKSet([newKey])
            }.provoke()
        },
        Provocation("encryption_not_registered") {
            let key = try JWK.generate(for: .rsaOAEP256, keyID: "e1")
            return try await signIn("") {
                $0.decryptionKeys = JWKSet([key])
                $0.idTokenEncryption = .required
            }.provoke()
        },
        Provocation("encrypted_without_signature") {
            let key = try JWK.generate(for: .rsaOAEP256, keyID: "e1")
            let plain = try JWE.encrypt(
                payload: Array("{}".utf8), header: JWEHeader(algorithm: .rsaOAEP256, encryption: .a128GCM),
                key: try #require(key.publicHalf))
            return try await signIn("", [Fault(at: .token, .member("id_token", .set(.string(plain))))]) {
                $0.decryptionKeys = JWKSet([key])
            }.provoke()
        },
    ]

    static let signedTokens: [Provocation] = [
        answer("token_clock", .claim("exp", .move(.seconds(-7_200))), knowing: [.clockDiffers]),
        answer("token_over", .claim("exp", .move(.seconds(-7_200)))),
        answer("token_for_another_party", .claim("aud", .append("x"))),
        answer("token_of_another_kind", .claim("exp", .remove)),
        answer("token_forged", signature: .byForeignKey),
        answer("token_keys_not_published", .header("kid", .set("unknown")), signature: .byForeignKey),
    ]

    /// A signed answer of the authorization endpoint that the server has changed.
    private static func answer(
        _ cause: String, _ parts: TokenChange.Part..., signature: TokenChange.Signature = .renewed,
        knowing clues: Set<Clue> = []
    ) -> Provocation {
        Provocation(cause) {
            var change = TokenChange(signature: signature)
            change.parts = parts
            let world = try World.answering(.code, .jwt)
            world.server.add(Fault(at: .interaction, .changeToken(change)))
            let signIn = try await world.client.begin()
            let callback = try await world.callback(of: signIn)
            return try await whatFails { try await world.client.finish(signIn, callback: callback) }
                .with(Evidence(clues))
        }
    }
}

extension SignInOptions {
    fileprivate init(_ change: (inout SignInOptions) -> Void) {
        self.init()
        change(&self)
    }
}
