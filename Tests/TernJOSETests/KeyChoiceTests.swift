import Testing

@testable import TernJOSE

@Suite("Key sets and the choice of a key (RFC 7517 §5, RFC 7515 §6)")
struct KeyChoiceTests {
    private static let p256: JSONObject = [
        "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    ]

    private func set(_ marks: JSONObject...) throws -> JWKSet {
        try JWKSet([
            "keys": .array(
                marks.map { marks in
                    var key = Self.p256
                    for (name, value) in marks { key[name] = value }
                    return .object(key)
                })
        ])
    }

    private func chosen(_ set: JWKSet, _ algorithm: SignatureAlgorithm, _ keyID: String? = nil) -> [String?] {
        set.candidates(for: JWSHeader(algorithm: algorithm, keyID: keyID)).map(\.keyID)
    }

    @Test("The key ID narrows, and several keys may share it")
    func keyID() throws {
        let keys = try set(["kid": "a"], ["kid": "b"], ["kid": "a"])
        #expect(chosen(keys, .es256, "a") == ["a", "a"])
        #expect(chosen(keys, .es256, "b") == ["b"])
        #expect(chosen(keys, .es256) == ["a", "b", "a"])
    }

    @Test("A key ID that matches nothing gives nothing, unless keys have no ID at all")
    func unknownKeyID() throws {
        #expect(chosen(try set(["kid": "a"], ["kid": "b"]), .es256, "ghost") == [])
        #expect(chosen(try set(["kid": "a"], [:]), .es256, "ghost") == [nil])
        #expect(chosen(try set(["kid": "a"], [:]), .es256, "a") == ["a"])
        #expect(chosen(try set(["kid": "\u{e9}"]), .es256, "e\u{301}") == [])
    }

    @Test("Type, curve, algorithm, use and operations must fit")
    func fitting() throws {
        let keys = try set(
            ["kid": "plain"], ["kid": "right", "alg": "ES256", "use": "sig", "key_ops": ["verify"]],
            ["kid": "other-alg", "alg": "ES384"], ["kid": "unknown-alg", "alg": "ECDH-ES"],
            ["kid": "enc", "use": "enc"], ["kid": "ops", "key_ops": ["deriveKey"]])
        #expect(keys.keys.count == 6)
        #expect(chosen(keys, .es256) == ["plain", "right"])
        #expect(chosen(keys, .es256, "enc") == [])
        #expect(chosen(keys, .es384) == [])
        #expect(chosen(keys, .rs256) == [])
        #expect(chosen(keys, .hs256) == [])
        #expect(chosen(keys, .edDSA) == [])
    }

    @Test("Both names of Ed25519 fit each other")
    func ed25519Names() throws {
        for name in ["EdDSA", "Ed25519"] {
            let key: JSON = [
                "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
                "alg": .string(name),
                "kid": "k",
            ]
            let keys = try JWKSet(["keys": [key]])
            #expect(chosen(keys, .edDSA) == ["k"])
            #expect(chosen(keys, .ed25519) == ["k"])
        }
    }

    @Test("Unusable keys are left out with a reason, never the set")
    func skipped() throws {
        let keys = try JWKSet(parsing: Array(FieldVectors.keys1.utf8))
        #expect(keys.keys.map(\.keyID) == ["ec-1"])
        #expect(keys.skippedKeys.map(\.index) == [0, 1])
        let odd = try JWKSet(["keys": [nil, 5, "x", [], .object(Self.p256), ["kty": "RSA"]]])
        #expect(odd.keys.count == 1)
        #expect(odd.skippedKeys.map(\.index) == [0, 1, 2, 3, 5])
        #expect(odd.skippedKeys.allSatisfy { if case .keyUnusable = $0.reason { true } else { false } })
    }

    @Test("At most 100 keys are read")
    func limit() throws {
        let keys = try JWKSet(["keys": .array(Array(repeating: .object(Self.p256), count: 103))])
        #expect(keys.keys.count == 100)
        #expect(keys.skippedKeys.map(\.index) == [100, 101, 102])
    }

    @Test("What is not a key set", arguments: ["[]", "{}", "null", #"{"keys":{}}"#, #"{"keys":null}"#])
    func malformed(text: String) {
        #expect(throws: JOSEError.malformed("keys")) { try JWKSet(parsing: Array(text.utf8)) }
    }

    @Test("What is not JSON")
    func notJSON() {
        #expect(throws: JOSEError.json(JSONError(.unexpectedByte, at: 0))) {
            try JWKSet(parsing: Array("<html>".utf8))
        }
        #expect(throws: JOSEError.json(JSONError(.repeatedMember("keys"), at: 11))) {
            try JWKSet(parsing: Array(#"{"keys":[],"keys":[]}"#.utf8))
        }
    }

    @Test("An empty set is a set")
    func empty() throws {
        let keys = try JWKSet(["keys": []])
        #expect(keys.keys.isEmpty)
        #expect(keys.publicJSON().serialized() == Array(#"{"keys":[]}"#.utf8))
    }
}
