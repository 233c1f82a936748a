import TernCrypto
import Testing

@testable import TernJOSE

@Suite("Key sets and ID tokens from the field")
struct FieldCaseTests {
    private func verified(_ keys: String, _ token: String) throws -> (jwt: JWT, key: JWK) {
        let jwt = try JWT(compact: token)
        let set = try JWKSet(parsing: Array(keys.utf8))
        return (jwt, try jwt.jws.verify(with: set, allowed: SignatureAlgorithm.asymmetric))
    }

    @Test(
        "ID-01 to ID-03: foreign keys in the set, zero bytes, one kid twice, no kid",
        arguments: [
            (FieldVectors.keys1, FieldVectors.token1), (FieldVectors.keys2, FieldVectors.token2),
            (FieldVectors.keys3, FieldVectors.token3), (FieldVectors.keys4, FieldVectors.token4),
            (FieldVectors.keys9, FieldVectors.token9),
        ] as [(String, String)])
    func good(keys: String, token: String) throws {
        let jwt = try verified(keys, token).jwt
        #expect(try jwt.claims.issuer == "https://idp.example")
        #expect(try jwt.claims.subject == "u-1")
        #expect(try jwt.claims.audience == ["native-app-1"])
        #expect(try jwt.claims.expiration == NumericDate(1_750_003_600))
        #expect(try jwt.claims.issuedAt == NumericDate(1_749_999_990))
        #expect(jwt.claims["nonce"] == "n-open-1")
    }

    @Test("ID-03: the second of two keys with one kid made the signature")
    func secondKey() throws {
        let key = try verified(FieldVectors.keys4, FieldVectors.token4).key
        #expect(key.publicJSON()?["x"] == "2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY")
    }

    @Test("ID-04: a date with a fraction, and one in quotes")
    func dates() throws {
        let fraction = try verified(FieldVectors.keys5, FieldVectors.token5).jwt
        #expect(try fraction.claims.expiration == NumericDate(1_750_003_600.811))
        let quoted = try verified(FieldVectors.keys18, FieldVectors.token18).jwt
        #expect(throws: JOSEError.malformedClaim("exp")) { try quoted.claims.expiration }
    }

    @Test(
        "ID-05: the hash of the algorithm gives at_hash",
        arguments: [
            (FieldVectors.keys6, FieldVectors.token6, "_OF45wiFNvpv5GIW5gJxuVIDKMIHgs0e", 24),
            (FieldVectors.keys16, FieldVectors.token16, "1T4bO0p-o_tY_XX2DIQ5cxvlw1hGwl4FxU-HmvRa1WU", 32),
        ] as [(String, String, String, Int)])
    func accessTokenHash(keys: String, token: String, hash: String, byteCount: Int) throws {
        let jwt = try verified(keys, token).jwt
        #expect(jwt.claims["at_hash"]?.string == hash)
        let digest = jwt.header.algorithm.hashFunction.digest(Array("at-open-0001".utf8))
        #expect(digest.count / 2 == byteCount)
        #expect(Base64URL.encode(Array(digest.prefix(byteCount))) == hash)
    }

    @Test("ID-06: a signature in DER, no signature, an encrypted token")
    func refused() throws {
        #expect(throws: JOSEError.invalidSignature) { try verified(FieldVectors.keys7, FieldVectors.token7) }
        #expect(throws: JOSEError.unsupportedAlgorithm("none")) { try JWT(compact: FieldVectors.token8) }
        #expect(throws: JOSEError.encrypted) { try JWT(compact: FieldVectors.token10) }
    }

    @Test("ID-09: an unknown kid asks for the keys again")
    func ghost() throws {
        let set = try JWKSet(parsing: Array(FieldVectors.keys1.utf8))
        let key = try JWK.generate(for: .es256)
        let token = try JWT.sign(JWTClaims(), header: JWSHeader(algorithm: .es256, keyID: "ghost"), key: key)
        let jwt = try JWT(compact: token)
        #expect(throws: JOSEError.unknownKey(hasKeyID: true)) {
            try jwt.jws.verify(with: set, allowed: SignatureAlgorithm.asymmetric)
        }
    }

    @Test("TR-09: a token answer with a repeated member is not read at all")
    func repeatedMember() {
        let answer = #"{"access_token":"at-first","token_type":"Bearer","access_token":"at-last"}"#
        #expect(throws: JSONError(.repeatedMember("access_token"), at: 49)) { try JSON(parsing: answer) }
    }
}
