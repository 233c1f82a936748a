import Tern
import TernTesting
import Testing

/// JWT Secured Authorization Response Mode for OAuth 2.0.
@Suite("Signed answers: whole flows")
struct SignedAnswerTests {
    typealias Mode = AuthorizationRequest.ResponseMode

    private static let modes = Mode.allCases.filter(\.isSigned)

    @Test("Signed with each algorithm", arguments: SignatureAlgorithm.asymmetric.sorted { $0.rawValue < $1.rawValue })
    func algorithms(algorithm: SignatureAlgorithm) async throws {
        let world = try World.answering(.code, .jwt, registered: { $0.authorizationResponseAlgorithm = algorithm })
        let session = try await world.client.signIn(with: world.robot)
        #expect(try await session.credential().subject == TestUser.ada.subject)
    }

    @Test("Signed and encrypted, in each mode", arguments: modes)
    func encrypted(mode: Mode) async throws {
        let encryption = try AnswerEncryption()
        let world = try World.answering(
            .code, mode, registered: { $0.authorizationResponseEncryption = encryption.encryption }
        ) {
            $0.decryptionKeys = JWKSet([encryption.key])
        }
        let signIn = try await world.client.begin()
        let callback = try await world.callback(of: signIn)
        #expect(!callback.text.contains("state="))
        let answer = [callback.encodedQuery, callback.encodedFragment].compactMap(\.self).first {
            $0.contains("response=")
        }
        #expect(answer?.split(separator: ".").count == 5)
        // By the callback alone, as in a new process: what it is for is inside.
        #expect(try await world.client.finish(callback: callback).credential().subject == TestUser.ada.subject)
        _ = try await world.client.signIn(with: world.robot)
    }

    @Test("Encrypted with the client's secret")
    func encryptedWithSecret() async throws {
        let world = try World.answering(
            .codeIDToken, .jwt,
            registered: {
                $0.authentication = .basic("a-secret-of-the-client")
                $0.authorizationResponseEncryption = TestEncryption(.direct, .a256GCM)
            }
        ) {
            $0.authentication = .basic(ClientSecret("a-secret-of-the-client"))
        }
        _ = try await world.client.signIn(with: world.robot)
    }

    @Test("What cannot be opened is refused, and says why")
    func notOpened() async throws {
        let encryption = try AnswerEncryption()
        let other = try AnswerEncryption()
        for (keys, code) in [([], "encrypted_id_token_unsupported"), ([other.key], "id_token_decryption")] {
            let world = try World.answering(
                .code, .jwt, registered: { $0.authorizationResponseEncryption = encryption.encryption }
            ) {
                $0.decryptionKeys = JWKSet(keys)
            }
            let signIn = try await world.client.begin()
            let callback = try await world.callback(of: signIn)
            let reason = try await failure { try await world.client.finish(signIn, callback: callback) }
            #expect(reason?.code == code)
            #expect(world.server.count(of: .token) == 0)
        }
    }

    @Test("With encryption a hybrid answer may come, and an error is inside too")
    func hybrid() async throws {
        let encryption = try AnswerEncryption(.rsaOAEP256)
        for type in [ResponseType.codeIDToken, .codeToken, .codeIDTokenToken] {
            let world = try World.answering(
                type, .formPostJWT, registered: { $0.authorizationResponseEncryption = encryption.encryption }
            ) {
                $0.decryptionKeys = JWKSet([encryption.key])
            }
            _ = try await world.client.signIn(with: world.robot)
            let denier = RobotUserAgent(transport: world.transport, consent: .deny)
            var options = SignInOptions()
            options.prompt = [.consent]
            let reason = try await failure { try await world.client.signIn(options, with: denier) }
            #expect(reason?.code == "access_denied")
        }
    }

    @Test("A claim that is wrong is refused")
    func claims() async throws {
        func reason(_ parts: TokenChange) async throws -> String? {
            let world = try World.answering(.code, .jwt)
            world.server.add(Fault(at: .interaction, .changeToken(parts)))
            let reason = try await world.refusal()
            #expect(world.server.count(of: .token) == 0)
            return reason?.code
        }
        #expect(
            try await reason(TokenChange(.claim("iss", .append("/"))))
                == "authorization_response_issuer_mismatch")
        #expect(try await reason(TokenChange(.claim("iss", .remove))) == "authorization_response_malformed_claim")
        #expect(
            try await reason(TokenChange(.claim("aud", .append("x")))) == "authorization_response_audience_mismatch")
        #expect(try await reason(TokenChange(.claim("exp", .move(.seconds(-700))))) == "authorization_response_expired")
        #expect(try await reason(TokenChange(.claim("exp", .remove))) == "authorization_response_malformed_claim")
        #expect(try await reason(TokenChange(.claim("code", .remove))) == "malformed_callback")
    }

    @Test("A state that is missing or another one is nobody's answer")
    func states() async throws {
        for (edit, stray) in [
            (Edit.remove, StrayCallback.missingState), (.append("x"), .unknownState), (.set(""), .unknownState),
        ] {
            let world = try World.answering(.code, .jwt)
            world.server.add(Fault(at: .interaction, .changeToken(TokenChange(.claim("state", edit)))))
            let signIn = try await world.client.begin()
            let callback = try await world.callback(of: signIn)
            #expect(
                try await failure { try await world.client.finish(signIn, callback: callback) } == .stateMismatch)
            #expect(
                try await failure { try await world.client.finish(callback: callback) } == .strayCallback(stray)
            )
            #expect(world.server.count(of: .token) == 0)
        }
    }

    @Test("A signature that is not the server's is refused, and uses nothing up")
    func signatures() async throws {
        for (signature, code) in [
            (TokenChange.Signature.turned(), "authorization_response_signature"),
            (.byForeignKey, "authorization_response_signature"),
            (.none, "authorization_response_unsupported_algorithm"),
        ] {
            let world = try World.answering(.code, .jwt)
            let signIn = try await world.client.begin()
            world.server.add(Fault(at: .interaction, .changeToken(TokenChange(signature: signature))))
            let bad = try await world.callback(of: signIn)
            world.server.change { $0.faults.removeAll() }
            let good = try await world.callback(of: signIn)
            let reason = try await failure { try await world.client.finish(signIn, callback: bad) }
            #expect(reason?.code == code)
            #expect(world.server.count(of: .token) == 0)
            #expect(try await world.client.finish(signIn, callback: good).subject == TestUser.ada.subject)
        }
    }

    @Test("A key that both sides know signs nothing here")
    func sharedKey() async throws {
        let world = try World.answering(
            .code, .jwt,
            registered: {
                $0.authentication = .basic("a-secret-of-the-client-0123456789")
                $0.authorizationResponseAlgorithm = .hs256
            }
        ) {
            $0.authentication = .basic(ClientSecret("a-secret-of-the-client-0123456789"))
        }
        #expect(try await world.refusal()?.code == "authorization_response_unsupported_algorithm")
    }

    @Test("Keys that changed since are fetched anew")
    func rotation() async throws {
        let world = try World.answering(.code, .jwt)
        _ = try await world.client.signIn(with: world.robot)
        world.server.change { $0.rotateKeys(keepingPrevious: false) }
        world.clock.advance(by: .seconds(120))
        _ = try await world.client.signIn(with: world.robot)
        #expect(world.server.count(of: .keys) == 2)
    }

    @Test("A plain answer beside or in the place of a signed one is not believed")
    func plain() async throws {
        let world = try World.answering(.code, .queryJWT)
        let reason = try await world.refusal { text in
            text.replacing("response=", with: "code=stolen&x=")
        }
        #expect(reason?.code == "unexpected_response_mode")
        let signIn = try await world.client.begin()
        let callback = try await world.callback(of: signIn)
        let more = try uri(callback.text + "&code=stolen&error=access_denied&iss=https%3A%2F%2Fevil.example")
        #expect(try await world.client.finish(signIn, callback: more).subject == TestUser.ada.subject)
    }

    @Test("A signed answer where a plain one was asked for is refused")
    func unasked() async throws {
        let signed = try World.answering(.code, .queryJWT)
        let answer = try await signed.callback(of: try await signed.client.begin())
        let plain = try World.answering()
        let signIn = try await plain.client.begin()
        #expect(
            try await failure { try await plain.client.finish(signIn, callback: answer) }
                == .unexpectedResponseMode(expected: "query", received: "query.jwt"))
    }

    @Test("The answer to another sign-in, and one that comes again")
    func replay() async throws {
        let world = try World.answering(.code, .formPostJWT)
        let first = try await world.client.begin()
        let second = try await world.client.begin()
        let callback = try await world.callback(of: first)
        #expect(try await failure { try await world.client.finish(second, callback: callback) } == .stateMismatch)
        try await world.client.finish(first, callback: callback)
        #expect(
            try await failure { try await world.client.finish(first, callback: callback) }
                == .strayCallback(.alreadyUsed))
        #expect(world.server.count(of: .token) == 1)
    }

    @Test("Anybody's JWT at an open address does not end the wait")
    func strangers() async throws {
        let world = try World.answering(.code, .queryJWT)
        let signIn = try await world.client.begin()
        let stranger = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "."
        for claims in [#"{"state":"x","code":"c"}"#, #"{"error":"access_denied"}"#, "{}", "[]", ""] {
            let token = stranger + Base64URL.encode(Array(claims.utf8)) + "."
            let callback = try uri("com.example.app:/callback?response=" + token)
            guard case .refused = signIn.judge(callback, delivery: .open) else {
                Issue.record("\(claims) ends it")
                continue
            }
        }
        let good = try await world.callback(of: signIn)
        #expect(signIn.judge(good, delivery: .open) == .success)
    }
}
