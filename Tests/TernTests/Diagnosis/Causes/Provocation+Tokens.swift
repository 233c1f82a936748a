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
        refused("token_replayed", .replayed), refused("token_bound_elsewhere", .bindingMismatch),
        refused("token_of_another_user", .subjectMismatch), refused("token_encrypted", .encrypted),
        refused("token_lacks_scope", .insufficientScope(["admin"])),
        refused("token_of_weak_login", .insufficientAuthentication(acrValues: ["strong"], maxAge: nil)),
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

    /// What an API says of an access token.
    private static func refused(_ cause: String, _ reason: TokenRejection.Reason) -> Provocation {
        Provocation(cause) {
            TernError(.tokenRejected(TokenRejection(.accessToken, reason)), at: .resourceRequest)
        }
    }

    static let store: [Provocation] = [
        keychain("store_locked", .interactionNotAllowed), keychain("keychain_entitlement", .missingEntitlement),
        keychain("keyring_missing", .notAvailable),
        store("disk_full", .storeUnavailable("writing /home/ada/x: No space left on device")),
        store("store_permission", .storeUnavailable("opening /home/ada/x: Permission denied")),
        store("store_busy", .storeUnavailable("the database /home/ada/x: table in use")),
        Provocation("record_damaged") {
            let (world, client) = try World.quiet()
            try await world.store.save(StoredRecord(Array("x".utf8)), for: client.configuration.account)
            return try await whatFails { try await client.session() }
        },
        Provocation("record_of_newer_version") {
            let (world, client) = try World.quiet()
            try await world.store.save(
                StoredRecord(Array(#"{"version":99}"#.utf8)), for: client.configuration.account)
            return try await whatFails { try await client.session() }
        },
        store("record_key_differs", .unknownRecordKey), store("record_plain", .recordNotEncrypted),
    ]

    /// What the system's keychain answers.
    private static func keychain(_ cause: String, _ status: KeychainStatus) -> Provocation {
        Provocation(cause) { status.failure }
    }
}

extension SignInOptions {
    fileprivate init(_ change: (inout SignInOptions) -> Void) {
        self.init()
        change(&self)
    }
}
