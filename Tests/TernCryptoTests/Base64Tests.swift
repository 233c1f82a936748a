import TernCrypto
import Testing

@Suite("Base64 (RFC 4648)")
struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `RFC 4648 section 10`(plain: String, encoded: String) {
        let bytes = Array(plain.utf8)
        let unpadded = encoded.replacing("=", with: "")
        #expect(Base64.encode(bytes) == encoded)
        #expect(Base64.decode(encoded) == bytes)
        #expect(Base64URL.encode(bytes) == unpadded)
        #expect(Base64URL.decode(unpadded) == bytes)
        #expect(Base64URL.decode(encoded) == (encoded == unpadded ? bytes : nil))
        #expect(Base64.decode(unpadded) == (encoded == unpadded ? bytes : nil))
    }

    /// RFC 7515 appendix C.
    @Test func `RFC 7515 example`() {
        #expect(Base64URL.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
        #expect(Base64URL.decode("A-z_4ME") == [3, 236, 255, 224, 193])
        #expect(Base64.encode([3, 236, 255, 224, 193]) == "A+z/4ME=")
        #expect(Base64.decode("A+z/4ME=") == [3, 236, 255, 224, 193])
    }

    @Test(arguments: 0..<70)
    func `every length survives the round trip`(length: Int) {
        let bytes = SystemRandomSource().bytes(length)
        let url = Base64URL.encode(bytes)
        let standard = Base64.encode(bytes)
        #expect(url.utf8.count == (length * 4 + 2) / 3)
        #expect(standard.utf8.count == (length + 2) / 3 * 4)
        #expect(Base64URL.decode(url) == bytes)
        #expect(Base64URL.decode(url[...]) == bytes)
        #expect(Base64URL.decode(Array(url.utf8)) == bytes)
        #expect(Base64URL.decode(AnyCollection(Array(url.utf8))) == bytes)
        #expect(Base64.decode(standard) == bytes)
    }

    @Test func `every character outside the alphabet is refused, wherever it stands`() {
        let url = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let standard = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        for character in UInt8.min...UInt8.max {
            for place in 0..<4 {
                var text = Array("AAAA".utf8)
                text[place] = character
                #expect((Base64URL.decode(text) != nil) == url.contains(character))
                let isPadding = character == UInt8(ascii: "=") && place == 3
                #expect((Base64.decode(text) != nil) == (standard.contains(character) || isPadding))
            }
        }
    }

    @Test(arguments: [
        "A", "AAAAA", "AB", "AAB", "AAAAAAB", "AA==", "AAA=", "=", "====", "AAA\n", "AA AA", " AAAA", "AAAA ",
        "AAAA\r\n",
        "A\u{0}AA", "ÄAAA", "ＡAAA", "A+AA", "A/AA", "AAAA.AAAA",
    ])
    func `base64url refuses`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test(arguments: [
        "A", "AA", "AAA", "A===", "====", "AA=A", "A=AA", "=AAA", "AB==", "AAB=", "AAAA=", "AAAA==", "AAAA====",
        "AA==AA==",
        "AAA=AAAA", "A-AA", "A_AA", "AAAA\n", "AAA", "AA= ",
    ])
    func `base64 refuses`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func `megabytes`() {
        let bytes = SystemRandomSource().bytes(3_000_001)
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        #expect(Base64URL.decode(String(repeating: "!", count: 1 << 20)) == nil)
    }
}
