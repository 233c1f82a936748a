import Tern
import TernTesting
import Testing

@Suite("Encrypted ID tokens and user information (OpenID Connect Core §10.2)")
struct EncryptedTokenTests {
    /// Keys are made once, since those of RSA take their time, and kept as text: the leak checker does not follow what a
    /// global holds of a parsed key.
    private struct Keys: Sendable {
        private let saved: [KeyManagementAlgorithm: JSONObject]

        init() {
            saved = Dictionary(
                uniqueKeysWithValues: KeyManagementAlgorithm.allCases.compactMap { algorithm in
                    let key = try? JWK.generate(for: algorithm, encryption: .a128CBCHS256, keyID: "enc-1")
                    return key.map { (algorithm, $0.privateJSON()) }
                })
        }

        subscript(algorithm: KeyManagementAlgorithm) -> JWK? { saved[algorithm].flatMap { try? JWK(.object($0)) } }
    }

    private static let keys = Keys()

    private static func encryption(_ algorithm: KeyManagementAlgorithm = .rsaOAEP256) throws -> TestEncryption {
        let key = try #require(keys[algorithm])
        return TestEncryption(algorithm, key: key.publicHalf ?? key)
    }

    private func world(
        _ change: (inout TestClient) throws -> Void, _ configure: (inout ClientConfiguration) -> Void
    ) throws -> World {
        var app = TestClient.app
        try change(&app)
        return try World(AuthorizationServer(clients: [app]), configure)
    }

    /// What a sign-in fails with, and that it left nothing behind.
    private func refusal(in world: World) async throws -> String? {
        do throws(TernError) {
            _ = try await world.client.signIn(with: world.robot)
            return nil
        } catch {
            #expect(try await world.store.keys().isEmpty)
            return error.code
        }
    }

    @Test("Sign-in, user information and refresh with every algorithm", arguments: KeyManagementAlgorithm.allCases)
    func everyAlgorithm(algorithm: KeyManagementAlgorithm) async throws {
        let key = try #require(Self.keys[algorithm])
        let world = try world {
            $0.idTokenEncryption = try Self.encryption(algorithm)
            $0.userInfoEncryption = $0.idTokenEncryption
            // Signed and encrypted for one half of them, encrypted alone for the other.
            $0.userInfoAlgorithm = algorithm.isAsymmetric ? .es256 : nil
        } _: {
            $0.decryptionKeys = JWKSet([key])
            $0.idTokenEncryption = .required
            $0.userInfoEncryption = .required
        }
        let session = try await world.client.signIn(with: world.robot)
        #expect(try await session.userInfo().subject == TestUser.ada.subject)
        // What is kept is the signed token, which is what a logout wants as its hint.
        let kept = try #require(try await session.credential().idToken)
        #expect(throws: Never.self) { try JWS(compact: kept.exposedText) }

        world.clock.advance(by: .seconds(3_600))
        _ = try await session.accessToken()
        let renewed = try #require(try await session.credential().idToken)
        #expect(renewed != kept)
        #expect(throws: Never.self) { try JWS(compact: renewed.exposedText) }
    }

    @Test(
        "With the key that the client's secret stands for",
        arguments: KeyManagementAlgorithm.allCases.filter { !$0.isAsymmetric }, ContentEncryption.allCases)
    func secretKey(algorithm: KeyManagementAlgorithm, encryption: ContentEncryption) async throws {
        let world = try world {
            $0.authentication = .basic("a-secret-of-the-client")
            $0.idTokenEncryption = TestEncryption(algorithm, encryption)
            $0.userInfoEncryption = TestEncryption(algorithm, encryption)
        } _: {
            $0.authentication = .basic(ClientSecret("a-secret-of-the-client"))
            $0.idTokenEncryption = .required
        }
        let session = try await world.client.signIn(with: world.robot)
        #expect(try await session.userInfo().subject == TestUser.ada.subject)
    }

    @Test("The hint of a logout is the token inside")
    func logoutHint() async throws {
        let key = try #require(Self.keys[.ecdhES])
        let world = try world {
            $0.idTokenEncryption = try Self.encryption(.ecdhES)
        } _: {
            $0.decryptionKeys = JWKSet([key])
        }
        let session = try await world.client.signIn(with: world.robot)
        let hint = try #require(try await session.credential().idToken)
        let endpoint = try #require(URI(world.server.server.address(of: .endSession)))
        let address = try EndSessionRequest(endpoint: endpoint, clientID: TestClient.app.clientID, idTokenHint: hint)
            .url()
        let page = try await world.transport.send(HTTPRequest(.get, address), step: .logout)
        #expect(!String(decoding: page.body, as: UTF8.self).contains("not from here"))
    }

    /// A world whose server encrypts ID tokens.
    private func encrypting(_ encryption: TestEncryption, keys: [JWK]) throws -> World {
        try world {
            $0.idTokenEncryption = encryption
        } _: {
            $0.decryptionKeys = JWKSet(keys)
        }
    }

    @Test("Without any key, or with none that fits, the error says that a key is missing")
    func noKey() async throws {
        let encryption = try Self.encryption()
        var renamed = try #require(Self.keys[.rsaOAEP256])
        renamed.keyID = "enc-2"
        let other = try #require(Self.keys[.ecdhES])
        for keys in [[], [renamed], [other]] {
            let world = try encrypting(encryption, keys: keys)
            #expect(try await refusal(in: world) == "encrypted_id_token_unsupported")
        }
    }

    @Test("A wrong key and an altered token look the same")
    func wrongKey() async throws {
        let encryption = try Self.encryption(.ecdhESA128KW)
        let wrong = try encrypting(encryption, keys: [try JWK.generate(for: .ecdhESA128KW, keyID: "enc-1")])
        #expect(try await refusal(in: wrong) == "id_token_decryption")
        let altered = try encrypting(encryption, keys: [try #require(Self.keys[.ecdhESA128KW])])
        altered.server.add(Fault(at: .token, .member("id_token", .append("AAAA"))))
        #expect(try await refusal(in: altered) == "id_token_decryption")
    }

    @Test("A token that has to be encrypted and is not is refused")
    func missingEncryption() async throws {
        let key = try #require(Self.keys[.rsaOAEP256])
        let plain = try world { _ in
        } _: {
            $0.decryptionKeys = JWKSet([key])
            $0.idTokenEncryption = .required
        }
        #expect(try await refusal(in: plain) == "id_token_not_encrypted")

        for algorithm in [nil, SignatureAlgorithm.es256] {
            let world = try world {
                $0.userInfoAlgorithm = algorithm
            } _: {
                $0.userInfoEncryption = .required
            }
            let session = try await world.client.signIn(with: world.robot)
            let error = await #expect(throws: TernError.self) { try await session.userInfo() }
            #expect(error?.code == "user_info_rejected")
        }
    }

    @Test("Claims that were encrypted and not signed are no ID token, whoever knows the key")
    func notSigned() async throws {
        let key = try #require(Self.keys[.rsaOAEP256])
        for content in [#"{"iss":"https://id.example.com","sub":"u"}"#, #"{"a.b":"c.d"}"#, "", "a.b", "a.b.c.d.e"] {
            let forged = try JWE.encrypt(
                payload: Array(content.utf8),
                header: JWEHeader(algorithm: .rsaOAEP256, encryption: .a128GCM, keyID: "enc-1", contentType: "JWT"),
                key: try #require(key.publicHalf))
            let world = try world { _ in
            } _: {
                $0.decryptionKeys = JWKSet([key])
            }
            world.server.add(Fault(at: .token, .member("id_token", .set(.string(forged)))))
            #expect(try await refusal(in: world) == "id_token_not_signed")
        }
    }

    @Test("What is inside is checked like any ID token")
    func innerToken() async throws {
        let key = try #require(Self.keys[.rsaOAEP256])
        func refused(_ inner: String) async throws -> String? {
            let outer = try JWE.encrypt(
                payload: Array(inner.utf8), header: JWEHeader(algorithm: .rsaOAEP256, encryption: .a128GCM),
                key: try #require(key.publicHalf))
            let world = try world { _ in
            } _: {
                $0.decryptionKeys = JWKSet([key])
            }
            world.server.add(Fault(at: .token, .member("id_token", .set(.string(outer)))))
            return try await refusal(in: world)
        }
        let none = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        let claims = Base64URL.encode(Array(#"{"sub":"u"}"#.utf8))
        #expect(try await refused("\(none).\(claims).") == "id_token_unsupported_algorithm")
        let stranger = try JWK.generate(for: .rs256, keyID: "rs256-1")
        let foreign = try JWT.sign(
            JWTClaims(["sub": "u"]), header: JWSHeader(algorithm: .rs256, keyID: "rs256-1"), key: stranger)
        #expect(try await refused(foreign) == "id_token_signature")
    }

    @Test("RSA1_5, PBES2 and compression are refused, with a key that could do them")
    func refusedAlgorithms() async throws {
        let key = try #require(Self.keys[.rsaOAEP256])
        func refused(_ header: String) async throws -> String? {
            let token = Base64URL.encode(Array(header.utf8)) + ".AAAA.AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA"
            let world = try world { _ in
            } _: {
                $0.decryptionKeys = JWKSet([key])
            }
            world.server.add(Fault(at: .token, .member("id_token", .set(.string(token)))))
            return try await refusal(in: world)
        }
        #expect(try await refused(#"{"alg":"RSA1_5","enc":"A128GCM"}"#) == "id_token_unsupported_algorithm")
        #expect(
            try await refused(#"{"alg":"PBES2-HS256+A128KW","enc":"A128GCM","p2s":"AA","p2c":1}"#)
                == "id_token_unsupported_algorithm")
        #expect(try await refused(#"{"alg":"RSA-OAEP-256","enc":"A128GCM","zip":"DEF"}"#) == "id_token_malformed")
        #expect(try await refused(#"{"alg":"RSA-OAEP-256","enc":"A128GCM","crit":["x"]}"#) == "id_token_malformed")
    }

    @Test("User information without a key, with a wrong one, and about somebody else")
    func userInfo() async throws {
        func failure(_ keys: [JWK], _ content: String? = nil) async throws -> TernError? {
            let world = try world {
                $0.userInfoEncryption = try Self.encryption(.ecdhES)
            } _: {
                $0.decryptionKeys = JWKSet(keys)
            }
            if let content, let key = Self.keys[.ecdhES]?.publicHalf {
                let header = JWEHeader(algorithm: .ecdhES, encryption: .a128GCM)
                let text = try JWE.encrypt(payload: Array(content.utf8), header: header, key: key)
                world.server.add(Fault(at: .userInfo, .text(text)))
            }
            let session = try await world.client.signIn(with: world.robot)
            do throws(TernError) {
                _ = try await session.userInfo()
                return nil
            } catch { return error }
        }
        let key = try #require(Self.keys[.ecdhES])
        let missing = try await failure([])
        #expect(missing?.code == "encrypted_id_token_unsupported")
        #expect(missing?.explanation.whatHappened.contains("user information") == true)
        #expect(missing?.step == .userInfo)
        #expect(try await failure([try JWK.generate(for: .ecdhES, keyID: "enc-1")])?.code == "id_token_decryption")
        #expect(try await failure([key]) == nil)
        #expect(try await failure([key], #"{"sub":"somebody-else"}"#)?.code == "user_info_rejected")
        #expect(try await failure([key], #"["sub"]"#)?.code == "id_token_malformed")
        #expect(try await failure([key], "a.b.c")?.code == "id_token_malformed")
    }

    @Test("An ID token that came another way is opened too")
    func verify() async throws {
        let key = try JWK.generate(for: .ecdhESA256KW, curve: .x25519)
        let world = try world {
            $0.idTokenEncryption = TestEncryption(.ecdhESA256KW, .a256CBCHS512, key: key.publicHalf)
        } _: {
            $0.decryptionKeys = JWKSet([key])
        }
        let session = try await world.client.signIn(with: world.robot)
        let inner = try #require(try await session.credential().idToken)
        let outer = try JWE.encrypt(
            payload: Array(inner.exposedText.utf8), header: JWEHeader(algorithm: .ecdhESA256KW, encryption: .a192GCM),
            key: try #require(key.publicHalf))
        let checked = try await world.client.verify(EncodedIDToken(outer), nonce: .ifPresent(nil))
        #expect(checked.subject == TestUser.ada.subject)
        #expect(checked.encoded == inner)
    }
}
