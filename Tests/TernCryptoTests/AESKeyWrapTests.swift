import TernCrypto
import Testing

@Suite("AES Key Wrap (RFC 3394)")
struct AESKeyWrapTests {
    private static let keyBytes = (0..<32).map { UInt8($0) }
    private static let data: [UInt8] = (0..<16).map { UInt8($0 * 17) } + (0..<16).map { UInt8($0) }

    @Test(
        "The examples of section 4",
        arguments: [
            (16, 16, "1FA68B0A8112B447AEF34BD8FB5A7B829D3E862371D2CFE5"),
            (24, 16, "96778B25AE6CA435F92B5B97C050AED2468AB8A17AD84E5D"),
            (32, 16, "64E8C3F9CE0F5BA263E9777905818A2A93C8191E7D6E8AE7"),
            (24, 24, "031D33264E15D33268F24EC260743EDCE1C6C7DDEE725A936BA814915C6762D2"),
            (32, 24, "A8F9BC1612C68B3FF6E6F4FBE30E71E4769C8B80A32CB8958CD5D17D6B254DA1"),
            (
                32, 32,
                "28C9F404C4B810F4CBCCB35CFB87F8263F5786E2D80ED326CBC7F0E71A99F43BFB988B9B7A02DD21"
            ),
        ])
    func examples(keyByteCount: Int, dataByteCount: Int, wrapped: String) throws {
        let key = try AESKeyWrapKey(Array(Self.keyBytes.prefix(keyByteCount)))
        let data = Array(Self.data.prefix(dataByteCount))
        let expected = try hex(wrapped)
        #expect(try key.wrapped(data) == expected)
        #expect(key.unwrapped(expected) == data)
        for bit in 0..<(expected.count * 8) { #expect(key.unwrapped(flipped(expected, bit: bit)) == nil) }
        for count in 0..<expected.count { #expect(key.unwrapped(Array(expected.prefix(count))) == nil) }
        var other = Array(Self.keyBytes.prefix(keyByteCount))
        other[0] ^= 1
        #expect(try AESKeyWrapKey(other).unwrapped(expected) == nil)
    }

    @Test("Wrong lengths are refused")
    func lengths() throws {
        for count in [0, 15, 17, 31, 33] {
            #expect(throws: CryptoError.self) { try AESKeyWrapKey([UInt8](repeating: 1, count: count)) }
        }
        let key = try AESKeyWrapKey([UInt8](repeating: 1, count: 16))
        for count in [0, 8, 15, 17, AESKeyWrapKey.maximumByteCount + 8] {
            #expect(throws: CryptoError.self) { try key.wrapped([UInt8](repeating: 1, count: count)) }
        }
        #expect(key.unwrapped([UInt8](repeating: 1, count: AESKeyWrapKey.maximumByteCount + 16)) == nil)
        #expect("\(key)" == "<AES Key Wrap key>")
    }
}
