/// Puts a bare public key, as Apple's Security gives it out, into the form that pins are made of (RFC 5280 §4.1.2.7).
enum SubjectPublicKeyInfo {
    enum Algorithm: Sendable, Hashable {
        /// The key is an RSAPublicKey of PKCS #1.
        case rsa
        /// The key is an uncompressed point; its length tells P-256, P-384 and P-521 apart.
        case ellipticCurve
    }

    /// The DER form; `nil` for a curve that is none of the three.
    static func der(of key: [UInt8], _ algorithm: Algorithm) -> [UInt8]? {
        guard let identifier = identifier(algorithm, keyByteCount: key.count) else { return nil }
        let bits = element(0x03, [0] + key)
        return element(0x30, identifier + bits)
    }

    private static let ecPublicKey: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]

    private static func identifier(_ algorithm: Algorithm, keyByteCount: Int) -> [UInt8]? {
        switch (algorithm, keyByteCount) {
        case (.rsa, _): element(0x30, [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00])
        case (.ellipticCurve, 65):
            element(0x30, ecPublicKey + [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
        case (.ellipticCurve, 97): element(0x30, ecPublicKey + [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22])
        case (.ellipticCurve, 133): element(0x30, ecPublicKey + [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23])
        case (.ellipticCurve, _): nil
        }
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        let isShort = content.count < 0x80
        return [tag] + (isShort ? [UInt8(content.count)] : [0x80 | UInt8(length.count)] + length) + content
    }
}
