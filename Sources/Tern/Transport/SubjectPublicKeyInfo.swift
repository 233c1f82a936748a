/// The form of a public key that pins are made of (RFC 5280 §4.1.2.7), built from the bare key that Apple's systems
/// give.
enum SubjectPublicKeyInfo {
    /// - Parameter pkcs1: an `RSAPublicKey` in DER (RFC 8017 §A.1.1).
    static func rsa(pkcs1: [UInt8]) -> [UInt8] {
        // rsaEncryption with NULL parameters (RFC 3279 §2.3.1).
        wrap([0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00], pkcs1)
    }

    /// - Parameter point: an uncompressed point (SEC 1 §2.3.3), whose length tells the curve: P-256, P-384 or P-521.
    /// - Returns: `nil` for another curve.
    static func ellipticCurve(point: [UInt8]) -> [UInt8]? {
        // id-ecPublicKey with the name of the curve (RFC 5480 §2.1.1).
        let publicKey: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
        let curve: [UInt8]
        switch point.count {
        case 65: curve = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        case 97: curve = [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
        case 133: curve = [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23]
        default: return nil
        }
        return wrap(element(0x30, publicKey + curve), point)
    }

    private static func wrap(_ algorithm: [UInt8], _ key: [UInt8]) -> [UInt8] {
        element(0x30, algorithm + element(0x03, [0x00] + key))
    }

    /// A DER element (X.690 §8.1) of less than 64 KiB.
    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let low = UInt8(truncatingIfNeeded: content.count)
        let high = UInt8(truncatingIfNeeded: content.count >> 8)
        switch content.count {
        case ..<0x80: return [tag, low] + content
        case ..<0x100: return [tag, 0x81, low] + content
        default: return [tag, 0x82, high, low] + content
        }
    }
}
