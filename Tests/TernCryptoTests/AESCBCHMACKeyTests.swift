import TernCrypto
import Testing

@Suite("AES-CBC with HMAC (RFC 7518 §5.2)")
struct AESCBCHMACKeyTests {
    private struct FixedBytes: RandomSource {
        let fixed: [UInt8]
        func bytes(_ count: Int) -> [UInt8] { fixed }
    }

    private static let message = Array(
        """
        A cipher system must not be required to be secret, and it must be able to fall into the hands of the enemy without \
        inconvenience
        """.utf8)

    @Test(
        "The examples of RFC 7518 appendix B",
        arguments: [
            (
                32,
                """
                c80edfa32ddf39d5ef00c0b468834279a2e46a1b8049f792f76bfe54b903a9c9a94ac9b47ad2655c5f10f9aef71427e2fc6f9b3f\
                399a221489f16362c703233609d45ac69864e3321cf82935ac4096c86e133314c54019e8ca7980dfa4b9cf1b384c486f3a54c510\
                78158ee5d79de59fbd34d848b3d69550a67646344427ade54b8851ffb598f7f80074b9473c82e2db\
                652c3fa36b0a7c5b3219fab3a30bc1c4
                """
            ),
            (
                48,
                """
                ea65da6b59e61edb419be62d19712ae5d303eeb50052d0dfd6697f77224c8edb000d279bdc14c1072654bd30944230c657bed4ca\
                0c9f4a8466f22b226d1746214bf8cfc2400add9f5126e479663fc90b3bed787a2f0ffcbf3904be2a641d5c2105bfe591bae23b1d\
                7449e532eef60a9ac8bb6c6b01d35d49787bcd57ef484927f280adc91ac0c4e79c7b11efc60054e3\
                8490ac0e58949bfe51875d733f93ac2075168039ccc733d7
                """
            ),
            (
                64,
                """
                4affaaadb78c31c5da4b1b590d10ffbd3dd8d5d302423526912da037ecbcc7bd822c301dd67c373bccb584ad3e9279c2e6d12a13\
                74b77f077553df829410446b36ebd97066296ae6427ea75c2e0846a11a09ccf5370dc80bfecbad28c73f09b3a3b75e662a259441\
                0ae496b2e2e6609e31e6e02cc837f053d21f37ff4f51950bbe2638d09dd7a4930930806d0703b1f6\
                4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5
                """
            ),
        ])
    func examples(keyByteCount: Int, sealed: String) throws {
        let key = try AESCBCHMACKey((0..<keyByteCount).map { UInt8($0) })
        let vector = try hex("1af38c2dc2b96ffdd86694092341bc04")
        let data = Array("The second principle of Auguste Kerckhoffs".utf8)
        let expected = try vector + hex(sealed)
        #expect(try key.seal(Self.message, authenticating: data, random: FixedBytes(fixed: vector)) == expected)
        #expect(key.open(expected, authenticating: data) == Self.message)
        for bit in stride(from: 0, to: expected.count * 8, by: 3) {
            #expect(key.open(flipped(expected, bit: bit), authenticating: data) == nil, "bit \(bit)")
        }
        for count in 0..<expected.count {
            #expect(key.open(Array(expected.prefix(count)), authenticating: data) == nil)
        }
        #expect(key.open(expected, authenticating: data + [0]) == nil)
        #expect(key.open(expected) == nil)
    }

    @Test("Messages of every length around a block come back", arguments: [32, 48, 64])
    func lengths(keyByteCount: Int) throws {
        let key = try AESCBCHMACKey([UInt8](repeating: 5, count: keyByteCount))
        for count in 0...33 {
            let message = [UInt8](repeating: 0x61, count: count)
            let sealed = try key.seal(message)
            #expect(sealed.count == 16 + (count / 16 + 1) * 16 + keyByteCount / 2)
            #expect(key.open(sealed) == message)
        }
        #expect("\(key)" == "<AES-CBC with HMAC key>")
    }

    @Test("Keys of other lengths are refused")
    func keyLengths() {
        for count in [0, 16, 31, 33, 47, 63, 65, 128] {
            #expect(throws: CryptoError.self) { try AESCBCHMACKey([UInt8](repeating: 1, count: count)) }
        }
    }

    @Test("AES-GCM takes keys of 16 and 24 bytes too (the mode's authors, cases 1, 2, 7 and 8)")
    func gcm() throws {
        let cases = [
            (16, "", "58e2fccefa7e3061367f1d57a4e7455a"),
            (
                16, "00000000000000000000000000000000",
                "0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf"
            ),
            (24, "", "cd33b28ac773f74ba00ed1f312572435"),
            (
                24, "00000000000000000000000000000000",
                "98e7247c07f0fe411c267e4384b0f6002ff58d80033927ab8ef4d4587514f0fb"
            ),
        ]
        for (keyByteCount, message, sealed) in cases {
            let key = try AESGCMKey([UInt8](repeating: 0, count: keyByteCount))
            let nonce = [UInt8](repeating: 0, count: 12)
            let expected = try nonce + hex(sealed)
            #expect(try key.seal(hex(message), random: FixedBytes(fixed: nonce)) == expected)
            #expect(try key.open(expected) == hex(message))
        }
    }
}
