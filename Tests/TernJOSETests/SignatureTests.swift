import TernCrypto
import Testing

@testable import TernJOSE

@Suite("Signed tokens (RFC 7515, 7518 §3, 7520 §4, 8037 A)")
struct SignatureTests {
    private static let ed25519Key = """
        {"kty":"OKP","crv":"Ed25519",
        "d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
        "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
        """

    private static let edDSA = """
        eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbh\
        ijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg
        """

    private static let joe = "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}"

    @Test(
        "Tokens of the RFCs verify, and no changed one does",
        arguments: [
            (RFC7515.hs256, RFC7515.symmetricKey, SignatureAlgorithm.hs256, SignatureTests.joe),
            (RFC7515.rs256, RFC7515.rsaKey, .rs256, SignatureTests.joe),
            (RFC7515.es256, RFC7515.p256Key, .es256, SignatureTests.joe),
            (RFC7515.es512, RFC7515.p521Key, .es512, "Payload"),
            (RFC7520.rs256, RFC7520.rsaPublicKey, .rs256, RFC7520.payload),
            (RFC7520.ps384, RFC7520.rsaPublicKey, .ps384, RFC7520.payload),
            (RFC7520.es512, RFC7520.ecPublicKey, .es512, RFC7520.payload),
            (RFC7520.hs256, RFC7520.macKey, .hs256, RFC7520.payload),
            (RFC7520.hs256DetachedHeader, RFC7520.macKey, .hs256, RFC7520.payload),
            (RFC7520.rs256OfSeveral, RFC7520.rsaPublicKey, .rs256, RFC7520.payload),
            (SignatureTests.edDSA, SignatureTests.ed25519Key, .edDSA, "Example of Ed25519 signing"),
        ] as [(String, String, SignatureAlgorithm, String)])
    func knownAnswers(token: String, key: String, algorithm: SignatureAlgorithm, payload: String) throws {
        let key = try JWK(parsing: Array(key.utf8))
        let jws = try JWS(compact: token)
        #expect(jws.header.algorithm == algorithm)
        #expect(jws.payload == Array(payload.utf8))
        try jws.verify(with: key, allowed: [algorithm])
        if let half = key.publicHalf { try jws.verify(with: half, allowed: [algorithm]) }
        #expect(throws: JOSEError.unsupportedAlgorithm(algorithm.rawValue)) {
            try jws.verify(with: key, allowed: Set(SignatureAlgorithm.allCases).subtracting([algorithm]))
        }
        // One bit of the payload, then one of the signature.
        let parts = token.split(separator: ".").map(String.init)
        var changed = try #require(Base64URL.decode(parts[1]))
        changed[0] ^= 1
        let otherPayload = try JWS(compact: "\(parts[0]).\(Base64URL.encode(changed)).\(parts[2])")
        #expect(throws: JOSEError.invalidSignature) { try otherPayload.verify(with: key, allowed: [algorithm]) }
        for place in [0, jws.signature.count / 2, jws.signature.count - 1] {
            var signature = jws.signature
            signature[place] ^= 1
            let other = try JWS(compact: "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))")
            #expect(throws: JOSEError.invalidSignature) { try other.verify(with: key, allowed: [algorithm]) }
        }
        for signature in [[], Array(jws.signature.dropLast()), jws.signature + [0]] {
            let other = try JWS(compact: "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))")
            #expect(throws: JOSEError.invalidSignature) { try other.verify(with: key, allowed: [algorithm]) }
        }
    }

    @Test(
        "Signing again gives the tokens of the RFCs where the algorithm allows only one signature",
        arguments: [
            (RFC7520.rs256, RFC7520.rsaPrivateKey, RFC7520.payload),
            (RFC7520.hs256, RFC7520.macKey, RFC7520.payload),
            (RFC7515.rs256, RFC7515.rsaKey, SignatureTests.joe),
            (SignatureTests.edDSA, SignatureTests.ed25519Key, "Example of Ed25519 signing"),
        ] as [(String, String, String)])
    func signing(token: String, key: String, payload: String) throws {
        let header = try JWS(compact: token).header
        let key = try JWK(parsing: Array(key.utf8))
        #expect(try JWS.sign(payload: Array(payload.utf8), header: header, key: key) == token)
    }

    @Test(
        "Every algorithm signs and verifies, and no other key or algorithm does", arguments: SignatureAlgorithm.allCases
    )
    func roundTrip(algorithm: SignatureAlgorithm) throws {
        let key = try JWK.generate(for: algorithm, keyID: "k")
        let header = JWSHeader(algorithm: algorithm, keyID: "k", type: "JWT", parameters: ["x": 1, "alg": "none"])
        let token = try JWS.sign(payload: Array("payload".utf8), header: header, key: key)
        let jws = try JWS(compact: token)
        #expect(jws.header == header)
        #expect(jws.header.parameters["alg"]?.string == algorithm.rawValue)
        #expect(jws.header.type == "JWT")
        #expect(jws.header.parameters["x"] == 1)
        try jws.verify(with: key, allowed: [algorithm])
        let other = try JWK.generate(for: algorithm, keyID: "k")
        #expect(throws: JOSEError.invalidSignature) { try jws.verify(with: other, allowed: [algorithm]) }
        let set = JWKSet([other, key])
        #expect(try jws.verify(with: set, allowed: [algorithm]).thumbprint() == key.thumbprint())
        if algorithm.isAsymmetric {
            let half = try #require(key.publicHalf)
            try jws.verify(with: half, allowed: SignatureAlgorithm.asymmetric)
            #expect { try JWS.sign(payload: [], header: header, key: half) } throws: { isKeyUnusable($0) }
        }
    }

    @Test("The key of one family never serves another", arguments: SignatureAlgorithm.allCases)
    func families(algorithm: SignatureAlgorithm) throws {
        let signer = try JWK.generate(for: algorithm)
        let jws = try JWS(compact: try JWS.sign(payload: [1], header: JWSHeader(algorithm: algorithm), key: signer))
        // The public modulus or point as the key of an HMAC is the classic attack; by type it cannot even be written.
        for key in [RFC7515.rsaKey, RFC7515.p256Key, RFC7515.p521Key, RFC7515.symmetricKey, Self.ed25519Key] {
            let other = try JWK(parsing: Array(key.utf8))
            guard other.keyType != algorithm.keyType || other.curveName != signer.curveName else { continue }
            #expect { try jws.verify(with: other, allowed: Set(SignatureAlgorithm.allCases)) } throws: {
                isKeyUnusable($0)
            }
            #expect(throws: JOSEError.unknownKey(hasKeyID: false)) {
                try jws.verify(with: JWKSet([other]), allowed: Set(SignatureAlgorithm.allCases))
            }
        }
    }

    @Test("A set verifies only what the caller allows, fit or not", arguments: SignatureAlgorithm.allCases)
    func notAllowed(algorithm: SignatureAlgorithm) throws {
        let key = try JWK.generate(for: algorithm)
        let jws = try JWS(compact: try JWS.sign(payload: [1], header: JWSHeader(algorithm: algorithm), key: key))
        let others = Set(SignatureAlgorithm.allCases).subtracting([algorithm])
        for allowed in [[], others, algorithm.isAsymmetric ? others : SignatureAlgorithm.asymmetric] {
            #expect(throws: JOSEError.unsupportedAlgorithm(algorithm.rawValue)) {
                try jws.verify(with: JWKSet([key]), allowed: allowed)
            }
        }
    }

    @Test("HMAC keys must be as long as the hash (RFC 7518 §3.2)")
    func shortSecret() throws {
        let header = JWSHeader(algorithm: .hs256)
        let short = JWK(.symmetric(SymmetricKey([UInt8](repeating: 7, count: 31))))
        #expect { try JWS.sign(payload: [], header: header, key: short) } throws: { isKeyUnusable($0) }
        let secret = JWK(.symmetric(SymmetricKey(secret: Secret<Never>("a shared secret that is 32 bytes"))))
        try JWS(compact: try JWS.sign(payload: [], header: header, key: secret)).verify(with: secret, allowed: [.hs256])
    }

    @Test("Algorithms: exact spelling, hash, and which are asymmetric")
    func algorithms() {
        for name in [
            "none", "None", "NONE", "", "rs256", "RS256 ", "HS1", "RS1", "ES256K", "Ed448", "EDDSA", "RSA-OAEP",
        ] {
            #expect(SignatureAlgorithm(rawValue: name) == nil)
        }
        #expect(SignatureAlgorithm.asymmetric.count == 11)
        #expect(SignatureAlgorithm.asymmetric.isDisjoint(with: [.hs256, .hs384, .hs512]))
        #expect(SignatureAlgorithm.ps384.hashFunction == .sha384)
        #expect(SignatureAlgorithm.es512.hashFunction == .sha512)
        #expect(SignatureAlgorithm.edDSA.hashFunction == .sha512)
        #expect(SignatureAlgorithm.ed25519.hashFunction == .sha512)
    }
}
