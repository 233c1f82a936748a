import TernCrypto
import Testing

@testable import TernJOSE

/// Gives out what it was given, piece by piece.
final class GivenBytes: RandomSource {
    private let pieces: Locked<[[UInt8]]>

    init(_ pieces: [[UInt8]]) { self.pieces = Locked(pieces) }

    func bytes(_ count: Int) -> [UInt8] { pieces.withLock { $0.isEmpty ? [] : $0.removeFirst() } }
}

@Suite("Encrypted tokens (RFC 7516)")
struct EncryptionTests {
    @Test(
        "The examples of the RFCs, and what another implementation made, open",
        arguments: RFCTokens.all + ForeignTokens.all)
    func open(vector: JWEVector) throws {
        let jwe = try JWE(compact: vector.compact)
        let key = try JWK(parsing: Array(vector.key.utf8))
        #expect(try String(decoding: jwe.opened(with: key), as: UTF8.self) == vector.payload)
        #expect(try String(decoding: jwe.opened(with: JWKSet([key])), as: UTF8.self) == vector.payload)
        if let half = key.publicHalf {
            #expect(throws: JOSEError.keyUnusable("a public key cannot decrypt")) { try jwe.opened(with: half) }
        }
    }

    @Test(
        "With the same random bytes the same token comes out", arguments: RFCTokens.all.filter { $0.contentKey != nil })
    func repeatEncryption(vector: JWEVector) throws {
        let parts = vector.compact.split(separator: ".", omittingEmptySubsequences: false)
        let header = try JWEHeader(parsing: #require(Base64URL.decode(parts[0])))
        var random: [[UInt8]] = []
        if let key = vector.contentKey.flatMap({ Base64URL.decode($0) }), !key.isEmpty { random.append(key) }
        if let nonce = try header.bytes("iv") { random.append(nonce) }
        random.append(try #require(Base64URL.decode(parts[2])))
        let compact = try JWE.encrypt(
            payload: Array(vector.payload.utf8), header: header, key: JWK(parsing: Array(vector.key.utf8)),
            ephemeralKey: vector.ephemeralKey.map { try JWK(parsing: Array($0.utf8)) }, random: GivenBytes(random))
        #expect(compact == vector.compact)
    }

    private static let keys: [KeyManagementAlgorithm: JWK] = Dictionary(
        uniqueKeysWithValues: KeyManagementAlgorithm.allCases.compactMap { algorithm in
            (try? JWK.generate(for: algorithm)).map { (algorithm, $0) }
        })

    @Test(
        "Every algorithm with every encryption", arguments: KeyManagementAlgorithm.allCases, ContentEncryption.allCases)
    func roundTrip(algorithm: KeyManagementAlgorithm, encryption: ContentEncryption) throws {
        let key =
            algorithm == .direct
            ? try JWK.generate(for: .direct, encryption: encryption) : try #require(Self.keys[algorithm])
        let header = JWEHeader(algorithm: algorithm, encryption: encryption, keyID: "k", contentType: "JWT")
        let payload = Array("payload".utf8)
        let compact = try JWE.encrypt(payload: payload, header: header, key: key.publicHalf ?? key)
        let jwe = try JWE(compact: compact)
        #expect(try jwe.opened(with: key) == payload)
        #expect(jwe.header.contentType == "JWT")
        #expect(jwe.header.keyID == "k")
        #expect(try JWE.encrypt(payload: payload, header: header, key: key) != compact)
        let other = try JWK.generate(for: algorithm, encryption: encryption)
        #expect(throws: JOSEError.decryptionFailed) { try jwe.opened(with: other) }
    }

    @Test("Every curve, with information about the parties", arguments: KeyAgreementCurve.allCases)
    func curves(curve: KeyAgreementCurve) throws {
        let key = try JWK.generate(for: .ecdhESA256KW, curve: curve)
        #expect(key.curveName == curve.rawValue)
        let parties: JSONObject = ["apu": "QWxpY2U", "apv": "Qm9i"]
        let header = JWEHeader(algorithm: .ecdhESA256KW, encryption: .a256GCM, parameters: parties)
        let compact = try JWE.encrypt(payload: [7], header: header, key: try #require(key.publicHalf))
        #expect(try JWE(compact: compact).opened(with: key) == [7])
        // A reader of the key writes the same key.
        let copy = try JWK(.object(key.privateJSON()))
        #expect(try JWE(compact: compact).opened(with: copy) == [7])
        #expect(copy.thumbprint() == key.publicHalf?.thumbprint())
        for algorithm in SignatureAlgorithm.allCases where curve == .x25519 {
            #expect(throws: JOSEError.self) {
                try JWS.sign(payload: [], header: JWSHeader(algorithm: algorithm), key: copy)
            }
        }
    }

    @Test("RSA1_5, PBES2 and unknown algorithms are refused by name")
    func refusedAlgorithms() throws {
        #expect(throws: JOSEError.unsupportedAlgorithm("RSA1_5")) { try JWE(compact: RFCTokens.rsa15) }
        for name in ["PBES2-HS256+A128KW", "PBES2-HS512+A256KW", "RSA-OAEP-1", "none", "rsa-oaep"] {
            let header = Base64URL.encode(Array(#"{"alg":"\#(name)","enc":"A128GCM","p2c":1000000000}"#.utf8))
            #expect(throws: JOSEError.unsupportedAlgorithm(name)) { try JWE(compact: header + "....") }
        }
        let header = Base64URL.encode(Array(#"{"alg":"dir","enc":"A128CBC"}"#.utf8))
        #expect(throws: JOSEError.unsupportedAlgorithm("A128CBC")) { try JWE(compact: header + "....") }
    }

    @Test("Compression and critical extensions are refused")
    func extensions() throws {
        func problem(_ text: String) -> JOSEError? {
            do throws(JOSEError) {
                _ = try JWE(compact: Base64URL.encode(Array(text.utf8)) + "....")
                return nil
            } catch { return error }
        }
        #expect(problem(#"{"alg":"dir","enc":"A128GCM","zip":"DEF"}"#) == .compressed)
        #expect(problem(#"{"alg":"dir","enc":"A128GCM","zip":null}"#) == .compressed)
        #expect(problem(#"{"alg":"dir","enc":"A128GCM","crit":["exp"]}"#) == .criticalHeader)
        #expect(problem(#"{"alg":"dir","enc":"A128GCM","crit":[]}"#) == .criticalHeader)
        #expect(problem(#"{"alg":"dir","enc":"A128GCM","kid":1}"#) == .malformed("header.kid"))
        #expect(problem(#"{"alg":"dir","enc":"A128GCM","cty":1}"#) == .malformed("header.cty"))
        #expect(problem(#"{"alg":"dir"}"#) == .malformed("header.enc"))
        #expect(problem(#"{"enc":"A128GCM"}"#) == .malformed("header.alg"))
        #expect(problem(#"["alg"]"#) == .malformed("header"))
        #expect(problem(#"{"alg":"dir","enc":"A128GCM","alg":"dir"}"#) != nil)
        #expect(problem(#"{"alg":"dir","enc":"A128GCM"}"#) == nil)
        let key = try JWK.generate(for: .direct)
        for (name, value, error) in [("zip", "DEF", JOSEError.compressed), ("crit", "x", .criticalHeader)] {
            let header = JWEHeader(
                algorithm: .direct, encryption: .a256GCM, parameters: [name: .string(value)])
            #expect(throws: error) { try JWE.encrypt(payload: [], header: header, key: key) }
        }
    }

    @Test("What the caller does not allow is not opened")
    func allowed() throws {
        let key = try JWK.generate(for: .a128KW)
        let header = JWEHeader(algorithm: .a128KW, encryption: .a128GCM)
        let jwe = try JWE(compact: JWE.encrypt(payload: [1], header: header, key: key))
        #expect(throws: JOSEError.unsupportedAlgorithm("A128KW")) {
            try jwe.opened(with: key, allowed: [.rsaOAEP256])
        }
        #expect(throws: JOSEError.unsupportedAlgorithm("A128GCM")) {
            try jwe.opened(with: JWKSet([key]), encryptions: [.a256GCM])
        }
    }

    @Test("Keys for other things are not used")
    func keyMarks() throws {
        var key = try JWK.generate(for: .a128KW)
        let header = JWEHeader(algorithm: .a128KW, encryption: .a128GCM)
        let jwe = try JWE(compact: JWE.encrypt(payload: [1], header: header, key: key))
        key.algorithm = nil
        key.use = nil
        #expect(try jwe.opened(with: key) == [1])
        var marked = key
        marked.use = "sig"
        #expect(throws: JOSEError.keyUnusable("it is not meant for encryption")) { try jwe.opened(with: marked) }
        marked = key
        marked.algorithm = "A128GCMKW"
        #expect(throws: JOSEError.keyUnusable("it is meant for another algorithm")) { try jwe.opened(with: marked) }
        marked = key
        marked.operations = ["wrapKey"]
        #expect(throws: JOSEError.keyUnusable("its key_ops do not allow to decrypt")) { try jwe.opened(with: marked) }
        marked.operations = ["unwrapKey"]
        #expect(try jwe.opened(with: marked) == [1])
        #expect(throws: JOSEError.keyUnusable("its key_ops do not allow to encrypt")) {
            try JWE.encrypt(payload: [], header: header, key: marked)
        }
        let long = try JWK.generate(for: .a256KW)
        #expect(throws: JOSEError.keyUnusable("A128KW needs a key of 16 bytes")) { try jwe.opened(with: long) }
        let rsa = try JWK.generate(for: .rsaOAEP)
        #expect(throws: JOSEError.keyUnusable("its type does not fit the algorithm")) { try jwe.opened(with: rsa) }
        let signer = try JWK.generate(for: .rs256)
        #expect(throws: JOSEError.self) {
            try JWE.encrypt(
                payload: [], header: JWEHeader(algorithm: .rsaOAEP256, encryption: .a128GCM), key: signer)
        }
    }

    @Test("The key ID narrows the choice, as it does for signatures")
    func keyChoice() throws {
        let (old, new) = (try JWK.generate(for: .a128KW, keyID: "old"), try JWK.generate(for: .a128KW, keyID: "new"))
        func token(_ keyID: String?, _ key: JWK) throws -> JWE {
            let header = JWEHeader(algorithm: .a128KW, encryption: .a128GCM, keyID: keyID)
            return try JWE(compact: JWE.encrypt(payload: [1], header: header, key: key))
        }
        let keys = JWKSet([old, new])
        #expect(try token("new", new).opened(with: keys) == [1])
        #expect(try token(nil, new).opened(with: keys) == [1])
        #expect(throws: JOSEError.decryptionFailed) { try token("old", new).opened(with: keys) }
        #expect(throws: JOSEError.unknownKey(hasKeyID: true)) { try token("ghost", new).opened(with: keys) }
        #expect(throws: JOSEError.unknownKey(hasKeyID: false)) { try token(nil, new).opened(with: JWKSet([])) }
        var unnamed = new
        unnamed.keyID = nil
        #expect(try token("ghost", new).opened(with: JWKSet([old, unnamed])) == [1])
    }

    @Test("The key for encryption that a client's secret stands for (OpenID Connect Core §10.2)")
    func secretKeys() throws {
        struct Purpose {}
        let secret = Secret<Purpose>("correct horse battery staple")
        let bytes = Array(secret.exposedText.utf8)
        for (count, hash) in [(16, HashFunction.sha256), (32, .sha256), (48, .sha384), (64, .sha512)] {
            let key = try #require(SymmetricKey(encryptingWith: secret, byteCount: count))
            #expect(key.exposedBytes == Array(hash.digest(bytes).prefix(count)))
        }
        #expect(SymmetricKey(encryptingWith: secret, byteCount: 65) == nil)
        #expect(SymmetricKey(encryptingWith: secret, byteCount: 0) == nil)
    }
}
