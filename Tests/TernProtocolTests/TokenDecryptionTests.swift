import TernCrypto
import TernJOSE
import TernProtocol
import Testing

@Suite("What opens encrypted tokens (OpenID Connect Core §10.2)")
struct TokenDecryptionTests {
    private static func encrypted(
        _ content: String, _ algorithm: KeyManagementAlgorithm, _ key: JWK, _ encryption: ContentEncryption = .a128GCM
    ) throws -> EncodedIDToken {
        let header = JWEHeader(algorithm: algorithm, encryption: encryption, keyID: key.keyID)
        return EncodedIDToken(try JWE.encrypt(payload: Array(content.utf8), header: header, key: key))
    }

    @Test("What is allowed can be narrowed")
    func allowed() throws {
        let key = try JWK.generate(for: .a128KW)
        let token = try Self.encrypted("a.b.c", .a128KW, key)
        var decryption = TokenDecryption(keys: JWKSet([key]))
        #expect(try decryption.signedIDToken(in: token).exposedText == "a.b.c")
        decryption.algorithms = [.rsaOAEP256]
        #expect(
            try reason { try decryption.signedIDToken(in: token) } == .idTokenRejected(.unsupportedAlgorithm("A128KW")))
        decryption.algorithms = [.a128KW]
        decryption.encryptions = [.a256GCM]
        #expect(
            try reason { try decryption.signedIDToken(in: token) } == .idTokenRejected(.unsupportedAlgorithm("A128GCM"))
        )
    }

    @Test("A token that is not encrypted passes through, unless it must be")
    func rules() throws {
        let decryption = TokenDecryption()
        #expect(try decryption.signedIDToken(in: EncodedIDToken("a.b.c")).exposedText == "a.b.c")
        #expect(
            try reason { try decryption.signedIDToken(in: EncodedIDToken("a.b.c"), rule: .required) }
                == .idTokenRejected(.notEncrypted))
        #expect(try decryption.userInfo(in: .claims(["sub": "u"])) == .claims(["sub": "u"]))
        #expect(
            try reason { try decryption.userInfo(in: .claims(["sub": "u"]), rule: .required) }?.code
                == "user_info_rejected")
        #expect(
            try reason { try decryption.userInfo(in: .signed(EncodedIDToken("a.b.c")), rule: .required) }?.code
                == "user_info_rejected")
    }

    @Test("User information may be claims or a signed token inside")
    func userInfo() throws {
        let key = try JWK.generate(for: .ecdhES)
        let decryption = TokenDecryption(keys: JWKSet([key]))
        func opened(_ content: String) throws -> UserInfoRequest.Answer {
            try decryption.userInfo(in: .signed(try Self.encrypted(content, .ecdhES, key)), rule: .required)
        }
        #expect(try opened(#"{"sub":"u","site":"a.b.c"}"#) == .claims(["sub": "u", "site": "a.b.c"]))
        #expect(try opened("a.b.c") == .signed(EncodedIDToken("a.b.c")))
        for content in ["", "a.b", "a.b.c\n", "[]", #"{"sub":"u","sub":"v"}"#, "a.b.c.d.e"] {
            #expect(try reason { try opened(content) }?.code == "id_token_malformed")
        }
    }

    @Test("The client's secret opens what was encrypted with it, beside the client's keys")
    func secret() throws {
        let secret = ClientSecret("s3cr3t")
        let key = try JWK.generate(for: .a128KW, keyID: "k")
        let decryption = TokenDecryption(keys: JWKSet([key]), secret: secret)
        let derived = JWK(.symmetric(try #require(SymmetricKey(encryptingWith: secret, byteCount: 16))))
        let foreign = JWK(
            .symmetric(try #require(SymmetricKey(encryptingWith: ClientSecret("other"), byteCount: 16))))
        #expect(try decryption.signedIDToken(in: Self.encrypted("a.b.c", .a128KW, derived)).exposedText == "a.b.c")
        #expect(try decryption.signedIDToken(in: Self.encrypted("a.b.c", .a128KW, key)).exposedText == "a.b.c")
        #expect(
            try reason { try decryption.signedIDToken(in: Self.encrypted("a.b.c", .a128KW, foreign)) }
                == .idTokenRejected(.decryption))
        // The secret is no key of another kind.
        let rsa = try JWK.generate(for: .rsaOAEP)
        #expect(
            try reason { try decryption.signedIDToken(in: Self.encrypted("a.b.c", .rsaOAEP, rsa)) }
                == .encryptedIDTokenUnsupported)
    }

    @Test("What cannot be read is malformed, and without any key it is not even looked at")
    func malformed() throws {
        let key = try JWK.generate(for: .a128KW)
        let decryption = TokenDecryption(keys: JWKSet([key]))
        for text in ["....", "e30....", "a.b.c.d.e", "====.a.b.c.d", "W10.AA.AA.AA.AA"] {
            #expect(try reason { try decryption.signedIDToken(in: EncodedIDToken(text)) }?.code == "id_token_malformed")
            #expect(
                try reason { try TokenDecryption().signedIDToken(in: EncodedIDToken(text)) }
                    == .encryptedIDTokenUnsupported)
        }
        #expect(
            try !"\(#require(reason { try decryption.content(of: "secret-content....", at: .idToken) }))".contains(
                "secret"))
    }
}
