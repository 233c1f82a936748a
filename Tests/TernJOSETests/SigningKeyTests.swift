import TernCrypto
import TernJOSE
import Testing

/// Keys that sign wherever they lie.
@Suite("Signing keys")
struct SigningKeyTests {
    @Test("A key signs with what it says, with the algorithm of its type, or with what it is told")
    func chooses() throws {
        func generated(_ algorithm: SignatureAlgorithm) throws -> JWK { try JWK.generate(for: algorithm) }
        for algorithm in SignatureAlgorithm.asymmetric {
            #expect(try SigningKey(try generated(algorithm)).algorithm == algorithm)
        }
        let plain = try JWK(.object(try generated(.es384).privateJSON().without("alg")))
        #expect(try SigningKey(plain).algorithm == .es384)
        let rsa = try JWK(.object(try generated(.rs256).privateJSON().without("alg")))
        #expect(try SigningKey(rsa, algorithm: .ps512).algorithm == .ps512)
        #expect(throws: JOSEError.self) { try SigningKey(rsa, algorithm: .es256) }
        #expect(throws: JOSEError.self) { try SigningKey(try #require(rsa.publicHalf)) }
        #expect(throws: JOSEError.self) { try SigningKey(try generated(.hs256)) }
    }

    @Test("What it signs is verified with its public half, and the header names algorithm, type and key")
    func signs() throws {
        let key = try SigningKey(try JWK.generate(for: .es256, keyID: "k1"))
        let compact = try JWT.sign(
            JWTClaims(["sub": "ada"]), type: "test+jwt", parameters: ["alg": "none", "x": 1], key: key)
        let jwt = try JWT(compact: compact)
        try jwt.jws.verify(with: key.publicKey, allowed: [.es256])
        #expect(jwt.header.parameters == ["alg": "ES256", "typ": "test+jwt", "kid": "k1", "x": 1])
        #expect(!key.publicKey.isSecret)
    }

    @Test("A key that only its holder can use signs through a closure")
    func elsewhere() throws {
        let inside = try SigningKey(try JWK.generate(for: .es256))
        let outside = try SigningKey(publicKey: inside.publicKey, algorithm: .es256) { (_) throws(JOSEError) in
            throw .keyUnusable("the device is locked")
        }
        #expect(inside == outside)
        #expect(throws: JOSEError.keyUnusable("the device is locked")) {
            try JWT.sign(JWTClaims(), type: nil, key: outside)
        }
        #expect(throws: JOSEError.self) {
            try SigningKey(publicKey: inside.publicKey, algorithm: .rs256) { (_) throws(JOSEError) in [] }
        }
    }

    @Test("It prints nothing of its private half")
    func silence() throws {
        let key = try SigningKey(try JWK.generate(for: .es256))
        #expect("\(key)" == "<ES256 signing key>")
        #expect(Mirror(reflecting: key).children.isEmpty)
    }
}

extension JSONObject {
    fileprivate func without(_ name: String) -> JSONObject {
        var copy = self
        copy[name] = nil
        return copy
    }
}
