import TernCrypto
import Testing

@Suite("Private keys in PEM files")
struct PEMPrivateKeyTests {
    private static func text(_ label: String, _ bytes: [UInt8]) -> [UInt8] {
        Array("-----BEGIN \(label)-----\n\(Base64.encode(bytes))\n-----END \(label)-----\n".utf8)
    }

    /// What `openssl genpkey` writes for the keys of RFC 8410 §10.3 and RFC 7748 §6.1.
    @Test("Ed25519 and X25519")
    func octetKeys() throws {
        let seed = try hex("d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842")
        let key = try PEMPrivateKey(
            Array(
                """
                -----BEGIN PRIVATE KEY-----
                MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
                -----END PRIVATE KEY-----
                """.utf8))
        guard case .ed25519(let ed25519) = key else {
            Issue.record("another kind of key")
            return
        }
        #expect(ed25519.rawRepresentation == seed)
        let bytes = try hex("302e020100300506032b656e04220420") + seed
        guard case .x25519(let x25519) = try PEMPrivateKey(Self.text("PRIVATE KEY", bytes)) else {
            Issue.record("another kind of key")
            return
        }
        #expect(x25519.rawRepresentation == seed)
    }

    /// SEC1 of a new key, with or without what is optional.
    private func encoded(_ key: ECPrivateKey, parameters: Bool, point: Bool) throws -> [UInt8] {
        var content = try hex("0201010420") + key.privateScalar
        if parameters { content += try hex("a00a06082a8648ce3d030107") }
        if point { content += try hex("a14403420004") + key.publicKey.x + key.publicKey.y }
        return [0x30, UInt8(content.count)] + content
    }

    @Test("P-256 in both forms, and never without curve or point")
    func ellipticCurve() throws {
        let key = try ECPrivateKey.generate(.p256)
        func read(_ text: [UInt8]) -> ECPrivateKey? {
            guard case .ec(let key)? = try? PEMPrivateKey(text) else { return nil }
            return key
        }
        let whole = try encoded(key, parameters: true, point: true)
        #expect(read(Self.text("EC PRIVATE KEY", whole))?.publicKey == key.publicKey)
        #expect(
            read(Self.text("EC PARAMETERS", [5, 0]) + Self.text("EC PRIVATE KEY", whole))?.publicKey == key.publicKey)
        #expect(try read(Self.text("EC PRIVATE KEY", encoded(key, parameters: false, point: true))) == nil)
        #expect(try read(Self.text("EC PRIVATE KEY", encoded(key, parameters: true, point: false))) == nil)
        func wrapped(_ inner: [UInt8], curve: String) throws -> [UInt8] {
            let identifier = try hex("06072a8648ce3d0201") + hex(curve)
            let content =
                try hex("020100") + [0x30, UInt8(identifier.count)] + identifier + [0x04, UInt8(inner.count)] + inner
            return Self.text("PRIVATE KEY", [0x30, 0x81, UInt8(content.count)] + content)
        }
        let bare = try encoded(key, parameters: false, point: true)
        #expect(try read(wrapped(bare, curve: "06082a8648ce3d030107"))?.publicKey == key.publicKey)
        #expect(try read(wrapped(bare, curve: "06052b81040022")) == nil)
        #expect(try read(wrapped(bare, curve: "06052b8104000a")) == nil)
    }

    @Test("Nothing that is cut or changed traps, or becomes another key")
    func damaged() throws {
        let key = try ECPrivateKey.generate(.p256)
        let whole = try encoded(key, parameters: true, point: true)
        for count in whole.indices {
            #expect(throws: CryptoError.self) {
                try PEMPrivateKey(Self.text("EC PRIVATE KEY", Array(whole.prefix(count))))
            }
        }
        for bit in 0..<(whole.count * 8) {
            guard case .ec(let read)? = try? PEMPrivateKey(Self.text("EC PRIVATE KEY", flipped(whole, bit: bit))) else {
                continue
            }
            // Only the version is not looked at.
            #expect(read.publicKey == key.publicKey)
            #expect((16..<40).contains(bit), "bit \(bit)")
        }
    }

    @Test("Texts without a key")
    func nothing() throws {
        for text in ["", "-----BEGIN PRIVATE KEY-----", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"]
        {
            #expect(throws: CryptoError.self) { try PEMPrivateKey(Array(text.utf8)) }
        }
        #expect(throws: CryptoError.self) { try PEMPrivateKey(Self.text("DSA PRIVATE KEY", [0x30, 0])) }
        #expect(throws: CryptoError.self) { try PEMPrivateKey(Self.text("PRIVATE KEY", [0x30, 0])) }
    }
}
