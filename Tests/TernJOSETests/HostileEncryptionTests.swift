import TernCrypto
import Testing

@testable import TernJOSE

@Suite("Encrypted tokens that somebody tampered with (RFC 7516 §11)")
struct HostileEncryptionTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let algorithm: KeyManagementAlgorithm
        let encryption: ContentEncryption
        var testDescription: String { "\(algorithm.rawValue) \(encryption.rawValue)" }

        func make() throws -> (key: JWK, compact: String) {
            let key = try JWK.generate(for: algorithm, encryption: encryption)
            let header = JWEHeader(algorithm: algorithm, encryption: encryption)
            return (key, try JWE.encrypt(payload: Array("a payload".utf8), header: header, key: key))
        }
    }

    private static func opens(_ compact: String, _ key: JWK) -> Bool {
        guard let jwe = try? JWE(compact: compact) else { return false }
        return (try? jwe.opened(with: key)) != nil
    }

    private static func problem(_ compact: String, _ key: JWK) -> JOSEError? {
        do throws(JOSEError) {
            _ = try JWE(compact: compact).opened(with: key)
            return nil
        } catch { return error }
    }

    @Test(
        "No single character may be another one",
        arguments: [
            Sample(algorithm: .rsaOAEP, encryption: .a128GCM),
            Sample(algorithm: .rsaOAEP256, encryption: .a128CBCHS256),
            Sample(algorithm: .ecdhES, encryption: .a256GCM),
            Sample(algorithm: .ecdhESA128KW, encryption: .a256CBCHS512),
            Sample(algorithm: .a256KW, encryption: .a192GCM), Sample(algorithm: .a128GCMKW, encryption: .a192CBCHS384),
            Sample(algorithm: .direct, encryption: .a128CBCHS256), Sample(algorithm: .direct, encryption: .a256GCM),
        ])
    func everyCharacter(sample: Sample) throws {
        let (key, compact) = try sample.make()
        #expect(Self.opens(compact, key))
        let bytes = Array(compact.utf8)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.= ".utf8)
        var random = SystemRandomNumberGenerator()
        for index in bytes.indices {
            var changed = bytes
            // Two others for each place: the neighbour, which differs in the last bit, and any.
            let place = alphabet.firstIndex(of: bytes[index]) ?? 0
            for other in [alphabet[(place ^ 1) % alphabet.count], alphabet.randomElement(using: &random) ?? 0]
            where other != bytes[index] {
                changed[index] = other
                #expect(!Self.opens(String(decoding: changed, as: UTF8.self), key), "character \(index)")
            }
        }
        for count in bytes.indices { #expect(!Self.opens(String(compact.prefix(count)), key), "cut to \(count)") }
    }

    @Test(
        "Whatever the key decides looks the same from outside",
        arguments: [
            Sample(algorithm: .rsaOAEP256, encryption: .a256GCM),
            Sample(algorithm: .ecdhESA128KW, encryption: .a128GCM),
            Sample(algorithm: .a128KW, encryption: .a128CBCHS256), Sample(algorithm: .a256GCMKW, encryption: .a256GCM),
        ])
    func oneError(sample: Sample) throws {
        let (key, compact) = try sample.make()
        let parts = compact.split(separator: ".").map(String.init)
        func with(_ index: Int, _ change: (inout [UInt8]) -> Void) throws -> String {
            var bytes = try #require(Base64URL.decode(parts[index]))
            change(&bytes)
            var parts = parts
            parts[index] = Base64URL.encode(bytes)
            return parts.joined(separator: ".")
        }
        for index in 1...4 {
            let changed = [
                try with(index) { $0[0] ^= 1 }, try with(index) { $0[$0.count - 1] ^= 128 },
                try with(index) { $0.removeLast() }, try with(index) { $0.removeAll() },
                try with(index) { $0.append(0) },
                try with(index) { $0 = [UInt8](repeating: 0, count: $0.count) },
                try with(index) { $0 += [UInt8](repeating: 0, count: 5_000) },
            ]
            for (number, token) in changed.enumerated() {
                #expect(Self.problem(token, key) == .decryptionFailed, "part \(index), change \(number)")
            }
        }
        // A key for the content that was encrypted well and has the wrong length.
        let other: ContentEncryption = sample.encryption == .a256GCM ? .a128GCM : .a256GCM
        let header = JWEHeader(algorithm: sample.algorithm, encryption: other)
        let strange = try JWE.encrypt(payload: [1], header: header, key: key).split(separator: ".").map(String.init)
        var mixed = parts
        mixed[1] = strange[1]
        #expect(Self.problem(mixed.joined(separator: "."), key) == .decryptionFailed)
    }

    @Test("Another number of parts is no token")
    func parts() throws {
        let (key, compact) = try Sample(algorithm: .a128KW, encryption: .a128GCM).make()
        for changed in [
            "", ".", "....", compact + ".", "." + compact, compact + ".AAAA", compact + " ", compact + "\n",
            String(compact.dropLast(30)) + "é",
        ] {
            #expect(!Self.opens(changed, key))
        }
        #expect(Self.problem(compact + ".AAAA", key) == .malformed("token"))
        #expect(Self.problem("a.b.c", key) == .malformed("token"))
        #expect(JWE.isCompact(compact))
        #expect(!JWE.isCompact("a.b.c"))
    }

    @Test(
        "Direct keys and agreed ones come with no encrypted key", arguments: [KeyManagementAlgorithm.direct, .ecdhES])
    func superfluousKey(algorithm: KeyManagementAlgorithm) throws {
        let (key, compact) = try Sample(algorithm: algorithm, encryption: .a256GCM).make()
        let changed = compact.split(separator: ".", omittingEmptySubsequences: false)
        let token = [changed[0], "AAAA", changed[2], changed[3], changed[4]].joined(separator: ".")
        #expect(Self.problem(token, key) == .malformed("encrypted_key"))
    }

    @Test("Large tokens and headers are refused before anything is done")
    func large() throws {
        let key = try JWK.generate(for: .direct)
        let long = String(repeating: "A", count: JWE.standardMaximumByteCount)
        #expect(Self.problem(long + "....", key) == .tooLarge)
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        let header = Base64URL.encode(Array(#"{"alg":"dir","enc":"A256GCM","x":\#(deep)}"#.utf8))
        #expect(!Self.opens(header + "....", key))
        let wide = Base64URL.encode(
            Array((#"{"alg":"dir","enc":"A256GCM","apu":""# + String(repeating: "A", count: 60_000) + "\"}").utf8))
        #expect(Self.problem(wide + "....", key) == .decryptionFailed)
        let (small, compact) = try Sample(algorithm: .direct, encryption: .a128GCM).make()
        #expect(throws: JOSEError.tooLarge) { try JWE(compact: compact, maximumByteCount: compact.utf8.count - 1) }
        #expect(Self.opens(compact, small))
    }

    private static func agreed(_ key: JWK, ephemeral: JSON, _ more: JSONObject = [:]) throws -> JOSEError? {
        var header: JSONObject = ["alg": "ECDH-ES", "enc": "A128GCM", "epk": ephemeral]
        for (name, value) in more { header[name] = value }
        return problem(Base64URL.encode(header.serialized()) + "..AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA", key)
    }

    @Test("A sender's key that is not on its curve is refused before the private key touches it")
    func invalidCurve() throws {
        let key = try JWK.generate(for: .ecdhES)
        // A point of order 2 has y = 0; this one and a good x with another y lie on other curves.
        let good = try #require(try JWK.generate(for: .ecdhES).publicJSON())
        var off = good
        off["y"] = good["x"]
        var zero = good
        (zero["x"], zero["y"]) = ("AA", "AA")
        var large = good
        large["x"] = .string(Base64URL.encode([UInt8](repeating: 255, count: 32)))
        var bare = good
        bare["y"] = nil
        for ephemeral in [off, zero, large, bare, [:]] {
            #expect(try Self.agreed(key, ephemeral: .object(ephemeral)) == .malformed("header.epk"))
        }
        for ephemeral in [JSON.null, "AAAA", 1, []] {
            #expect(try Self.agreed(key, ephemeral: ephemeral) == .malformed("header.epk"))
        }
        #expect(try Self.agreed(key, ephemeral: .object(good)) == .decryptionFailed)
        let secret = try JWK.generate(for: .ecdhES).privateJSON()
        #expect(try Self.agreed(key, ephemeral: .object(secret)) == .malformed("header.epk"))
        let shared = try JWK.generate(for: .direct).privateJSON()
        #expect(try Self.agreed(key, ephemeral: .object(shared)) == .malformed("header.epk"))
    }

    @Test("A sender's key on another curve fits no key")
    func otherCurve() throws {
        let key = try JWK.generate(for: .ecdhES)
        for curve in [KeyAgreementCurve.p384, .p521, .x25519] {
            let other = try #require(try JWK.generate(for: .ecdhES, curve: curve).publicJSON())
            #expect(
                try Self.agreed(key, ephemeral: .object(other)) == .keyUnusable("its curve does not fit the sender's"))
        }
        let signer = try #require(try JWK.generate(for: .edDSA).publicJSON())
        #expect(try Self.agreed(key, ephemeral: .object(signer)) == .keyUnusable("its curve does not fit the sender's"))
        let rsa = try #require(try JWK.generate(for: .rsaOAEP).publicJSON())
        #expect(try Self.agreed(key, ephemeral: .object(rsa)) == .keyUnusable("its curve does not fit the sender's"))
        // Agreeing with a key that signs is no agreement even where the curves' names are the same.
        let ed25519 = JWK(try JWK.generate(for: .edDSA).material)
        #expect(
            try Self.agreed(ed25519, ephemeral: .object(signer)) == .keyUnusable("its type does not fit the algorithm"))
    }

    @Test("Points of small order, and parties that are not base64url")
    func smallOrderAndParties() throws {
        let key = try JWK.generate(for: .ecdhES, curve: .x25519)
        let zero = Base64URL.encode([UInt8](repeating: 0, count: 32))
        #expect(
            try Self.agreed(key, ephemeral: ["kty": "OKP", "crv": "X25519", "x": .string(zero)]) == .decryptionFailed)
        let good = JSON.object(try #require(try JWK.generate(for: .ecdhES, curve: .x25519).publicJSON()))
        for name in ["apu", "apv"] {
            #expect(try Self.agreed(key, ephemeral: good, [name: "A="]) == .malformed("header.\(name)"))
            #expect(try Self.agreed(key, ephemeral: good, [name: 7]) == .malformed("header.\(name)"))
        }
    }

    @Test("The parameters of AES-GCM key encryption have their lengths")
    func wrappingParameters() throws {
        let key = try JWK.generate(for: .a128GCMKW)
        func problem(_ iv: JSON?, _ tag: JSON?) -> JOSEError? {
            var header: JSONObject = ["alg": "A128GCMKW", "enc": "A128GCM"]
            header["iv"] = iv
            header["tag"] = tag
            return Self.problem(
                Base64URL.encode(header.serialized())
                    + ".AAAAAAAAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAA.AAAA.AAAAAAAAAAAAAAAAAAAAAA",
                key)
        }
        let (nonce, tag) = (JSON.string("AAAAAAAAAAAAAAAA"), JSON.string("AAAAAAAAAAAAAAAAAAAAAA"))
        #expect(problem(nonce, tag) == .decryptionFailed)
        #expect(problem(nil, tag) == .malformed("header.iv"))
        #expect(problem("AAAA", tag) == .malformed("header.iv"))
        #expect(problem(12, tag) == .malformed("header.iv"))
        #expect(problem(nonce, nil) == .malformed("header.tag"))
        #expect(problem(nonce, "AAAA") == .malformed("header.tag"))
    }
}
