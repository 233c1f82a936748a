import TernCrypto
import Testing

@testable import TernJOSE

@Suite("Keys (RFC 7517, 7518 §6, 7638, 8037)")
struct KeyTests {
    @Test("RFC 7517 A.1 to A.3: every key is read, and written as it was")
    func keySets() throws {
        for text in [RFC7517.publicKeys, RFC7517.privateKeys, RFC7517.symmetricKeys] {
            let list = try #require(try JSON(parsing: text)["keys"]?.array)
            let set = try JWKSet(parsing: Array(text.utf8))
            #expect(set.skippedKeys == [])
            #expect(set.keys.count == list.count)
            for (key, json) in zip(set.keys, list) { #expect(JSON.object(key.privateJSON()) == json) }
        }
    }

    @Test("The public form of RFC 7517 A.2 is A.1; symmetric keys have none")
    func publicForm() throws {
        let secret = try JWKSet(parsing: Array(RFC7517.privateKeys.utf8))
        #expect(JSON.object(secret.publicJSON()) == (try JSON(parsing: RFC7517.publicKeys)))
        #expect(secret.keys.allSatisfy { $0.isSecret && $0.publicHalf?.isSecret == false })
        let symmetric = try JWKSet(parsing: Array(RFC7517.symmetricKeys.utf8))
        #expect(symmetric.publicJSON() == ["keys": []])
        #expect(symmetric.keys.allSatisfy { $0.isSecret && $0.publicHalf == nil && $0.publicJSON() == nil })
    }

    @Test(
        "RFC 7517 B and RFC 7520 §3",
        arguments: [
            (RFC7517.keyWithCertificate, "RSA", nil, false),
            (RFC7520.ecPublicKey, "EC", "P-521", false),
            (RFC7520.ecPrivateKey, "EC", "P-521", true),
            (RFC7520.rsaPublicKey, "RSA", nil, false),
            (RFC7520.rsaPrivateKey, "RSA", nil, true),
            (RFC7520.macKey, "oct", nil, true),
            (RFC7520.encryptionKey, "oct", nil, true),
            (RFC7515.rsaKey, "RSA", nil, true),
            (RFC7515.p256Key, "EC", "P-256", true),
        ] as [(String, String, String?, Bool)])
    func keys(text: String, type: String, curve: String?, isSecret: Bool) throws {
        let key = try JWK(parsing: Array(text.utf8))
        #expect(key.keyType.rawValue == type)
        #expect(key.curveName == curve)
        #expect(key.isSecret == isSecret)
        #expect(JSON.object(key.privateJSON()) == (try JSON(parsing: text)))
    }

    @Test("RFC 8037 A.1 and A.2: an Ed25519 key, private and public")
    func octetKeyPair() throws {
        let text = """
            {"kty":"OKP","crv":"Ed25519",
            "d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
            "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
            """
        let key = try JWK(parsing: Array(text.utf8))
        #expect(JSON.object(key.privateJSON()) == (try JSON(parsing: text)))
        #expect(
            key.publicJSON() == [
                "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
            ])
        #expect(key.curveName == "Ed25519")
    }

    @Test("Thumbprints of RFC 7638 §3.1 and RFC 8037 A.3")
    func thumbprints() throws {
        let rsa = try JWKSet(parsing: Array(RFC7517.publicKeys.utf8)).keys[1]
        #expect(rsa.thumbprint() == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
        let secret = try JWKSet(parsing: Array(RFC7517.privateKeys.utf8)).keys[1]
        #expect(secret.thumbprint() == rsa.thumbprint())
        let pair = try JWK(["kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"])
        #expect(pair.thumbprint() == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        // RFC 7638 §3.2: an EC key has crv, kty, x and y, in this order.
        let ec = try JWKSet(parsing: Array(RFC7517.publicKeys.utf8)).keys[0]
        let canonical =
            #"{"crv":"P-256","kty":"EC","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","#
            + #""y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}"#
        #expect(ec.thumbprint() == Base64URL.encode(HashFunction.sha256.digest(Array(canonical.utf8))))
        #expect(ec.thumbprint(using: .sha512) == Base64URL.encode(HashFunction.sha512.digest(Array(canonical.utf8))))
    }

    @Test("Keys print nothing of themselves")
    func printing() throws {
        for text in [RFC7515.rsaKey, RFC7515.p256Key, RFC7520.macKey] {
            let key = try JWK(parsing: Array(text.utf8))
            var dumped = ""
            dump(key, to: &dumped)
            dump([key.material], to: &dumped)
            let printed = "\(key) \(String(reflecting: key)) \(dumped)"
            for name in ["d", "k", "p"] {
                guard let secret = key.privateJSON()[name]?.string else { continue }
                #expect(!printed.contains(secret.prefix(8)))
            }
            #expect(!printed.contains("exposedBytes"))
        }
        #expect("\(try JWK(parsing: Array(RFC7515.p256Key.utf8)))" == "<secret JWK, EC P-256>")
    }

    @Test(
        "Keys that cannot be used",
        arguments: [
            ("[]", "object"),
            ("{}", "kty"),
            (#"{"kty":1}"#, "kty"),
            (#"{"kty":"AKP","alg":"ML-DSA-44","pub":"AAEC"}"#, "type"),
            (#"{"kty":"oct"}"#, "\"k\""),
            (#"{"kty":"oct","k":""}"#, "\"k\""),
            (#"{"kty":"oct","k":"AAE="}"#, "\"k\""),
            (#"{"kty":"oct","k":"A+/A"}"#, "\"k\""),
            (#"{"kty":"oct","k":"AAEC","use":1}"#, "use"),
            (#"{"kty":"oct","k":"AAEC","key_ops":"sign"}"#, "key_ops"),
            (#"{"kty":"oct","k":"AAEC","key_ops":[1]}"#, "key_ops"),
            (#"{"kty":"oct","k":"AAEC","kid":1}"#, "kid"),
            (#"{"kty":"EC","crv":"P-256","x":"AAEC"}"#, "\"y\""),
            (#"{"kty":"EC","x":"AAEC","y":"AAEC"}"#, "curve"),
            (#"{"kty":"EC","crv":"secp256k1","x":"AAEC","y":"AAEC"}"#, "curve"),
            (#"{"kty":"EC","crv":"P-256","x":"AAEC","y":"AAEC"}"#, "x"),
            (#"{"kty":"OKP","crv":"Ed448","x":"AAEC"}"#, "curve"),
            (#"{"kty":"OKP","crv":"Ed25519","x":"AAEC"}"#, "x"),
            (#"{"kty":"RSA","e":"AQAB"}"#, "\"n\""),
            (#"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, "n"),
        ] as [(String, String)])
    func unusable(text: String, reason: String) {
        #expect { try JWK(parsing: Array(text.utf8)) } throws: {
            isKeyUnusable($0, because: reason)
        }
    }

    @Test("A null is nothing")
    func nulls() throws {
        let key = try JWK(
            parsing: Array(
                """
                {"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","d":null,
                "kid":null,"use":null,"alg":null,"key_ops":null}
                """.utf8))
        #expect(!key.isSecret)
        #expect(key.keyID == nil && key.use == nil && key.algorithm == nil && key.operations == nil)
        #expect { try JWK(["kty": nil]) } throws: { isKeyUnusable($0, because: "kty") }
        #expect { try JWK(["kty": "oct", "k": nil]) } throws: { isKeyUnusable($0, because: "\"k\"") }
    }

    @Test("Private keys whose numbers do not belong together")
    func mixedUp() throws {
        var pair = try JWK.generate(for: .edDSA).privateJSON()
        pair["x"] = try JWK.generate(for: .edDSA).privateJSON()["x"]
        #expect { try JWK(.object(pair)) } throws: { isKeyUnusable($0) }
        var ec = try JWK.generate(for: .es256).privateJSON()
        ec["d"] = try JWK.generate(for: .es256).privateJSON()["d"]
        #expect { try JWK(.object(ec)) } throws: { isKeyUnusable($0) }
        var rsa = try #require(try JSON(parsing: RFC7515.rsaKey).object)
        rsa["qi"] = nil
        #expect { try JWK(.object(rsa)) } throws: { isKeyUnusable($0) }
    }

    @Test("Leading zero bytes: one too many in n, one too few in x and y")
    func zeroBytes() throws {
        let o2 = try JWKSet(parsing: Array(FieldVectors.keys2.utf8))
        guard case .rsaPublic(let key) = try #require(o2.keys.first).material else {
            Issue.record("not an RSA key")
            return
        }
        #expect(key.bitCount == 2048)
        #expect(key.modulus.first != 0)
        #expect(o2.keys.first?.publicJSON()?["n"]?.string?.utf8.count == 342)
        let o3 = try JWKSet(parsing: Array(FieldVectors.keys3.utf8))
        #expect(o3.keys.first?.publicJSON()?["x"] == "AMqluoGfq1X99ln2WpP5ZSS9HSelE7Ys__4F_kEAvqk")
    }
}
