/// A private key from a PEM file, of whatever kind it is (RFC 7468).
public enum PEMPrivateKey: Sendable {
    /// An RSA key: `PRIVATE KEY` or `RSA PRIVATE KEY`.
    case rsa(RSAPrivateKey)
    /// A key on a NIST curve: `PRIVATE KEY` or `EC PRIVATE KEY` (RFC 5915).
    case ec(ECPrivateKey)
    /// An Ed25519 key: `PRIVATE KEY` (RFC 8410).
    case ed25519(Ed25519PrivateKey)
    /// An X25519 key: `PRIVATE KEY` (RFC 8410).
    case x25519(X25519PrivateKey)

    /// Reads a key, as `openssl genpkey`, `openssl genrsa` and `openssl ecparam -genkey` write them. Of several blocks the
    /// first private key counts.
    ///
    /// - Throws: ``CryptoError`` with `unsupported` for a key that is encrypted, of another kind, or on a curve without its
    ///   public half; with `invalidKey` and the member `pem` for a text without a key; what the key's own type throws.
    public init(_ text: [UInt8]) throws(CryptoError) {
        let block = PEMText.blocks(in: text)?.first { $0.label.hasSuffix("PRIVATE KEY") }
        switch block?.label {
        case "EC PRIVATE KEY": self = .ec(try Self.ec(block?.bytes ?? [], curve: nil))
        case "PRIVATE KEY":
            guard let info = PrivateKeyInfo(block?.bytes ?? []) else {
                throw .invalidKey("pem", "the private key in it cannot be read")
            }
            switch info.algorithm {
            case ObjectIdentifiers.ecPublicKey:
                self = .ec(try Self.ec(info.key, curve: info.parameter.flatMap { ObjectIdentifiers.curves[$0] }))
            case ObjectIdentifiers.ed25519:
                self = .ed25519(try Ed25519PrivateKey(rawRepresentation: try Self.octets(info.key)))
            case ObjectIdentifiers.x25519:
                self = .x25519(try X25519PrivateKey(rawRepresentation: try Self.octets(info.key)))
            case PKCS1.rsaEncryption: self = .rsa(try RSAPrivateKey(pem: text))
            default: throw CryptoError(.unsupported("a private key of this algorithm"))
            }
        default: self = .rsa(try RSAPrivateKey(pem: text))
        }
    }

    /// An `ECPrivateKey` (RFC 5915 §3). The curve stands in it or around it.
    private static func ec(_ bytes: [UInt8], curve: EllipticCurve?) throws(CryptoError) -> ECPrivateKey {
        let unreadable = CryptoError.invalidKey("pem", "the private key in it cannot be read")
        var outer = bytes[...]
        guard var content = PKCS1.takeElement(0x30, from: &outer), outer.isEmpty,
            PKCS1.takeElement(0x02, from: &content) != nil, let scalar = PKCS1.takeElement(0x04, from: &content)
        else { throw unreadable }
        var named = curve
        if content.first == 0xA0, var parameters = PKCS1.takeElement(0xA0, from: &content),
            let identifier = PKCS1.takeElement(0x06, from: &parameters)
        {
            let own = ObjectIdentifiers.curves[Array(identifier)]
            guard named == nil || named == own else { throw unreadable }
            named = own
        }
        guard let named else { throw CryptoError(.unsupported("a private key on this curve")) }
        guard var wrapped = PKCS1.takeElement(0xA1, from: &content),
            let point = PKCS1.takeElement(0x03, from: &wrapped)
        else {
            throw CryptoError(
                .unsupported("a private key without its public half"),
                reason: "write it anew, for example with \"openssl pkey\"")
        }
        let size = named.coordinateByteCount
        // No unused bits, and an uncompressed point.
        guard point.count == 2 + 2 * size, point.starts(with: [0, 4]) else { throw unreadable }
        let coordinates = point.dropFirst(2)
        return try ECPrivateKey(
            curve: named, privateScalar: Array(scalar), x: Array(coordinates.prefix(size)),
            y: Array(coordinates.suffix(size)))
    }

    /// The OCTET STRING that a `CurvePrivateKey` is (RFC 8410 §7).
    private static func octets(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
        var rest = bytes[...]
        guard let content = PKCS1.takeElement(0x04, from: &rest), rest.isEmpty else {
            throw .invalidKey("pem", "the private key in it cannot be read")
        }
        return Array(content)
    }
}

/// A `PrivateKeyInfo` (PKCS #8, RFC 5958 §2), as far as it is needed.
private struct PrivateKeyInfo {
    let algorithm: [UInt8]
    /// The object identifier that stands as the algorithm's parameter; `nil` for none.
    let parameter: [UInt8]?
    let key: [UInt8]

    init?(_ bytes: [UInt8]) {
        var outer = bytes[...]
        guard var content = PKCS1.takeElement(0x30, from: &outer), outer.isEmpty,
            PKCS1.takeElement(0x02, from: &content) != nil, var identifier = PKCS1.takeElement(0x30, from: &content),
            let algorithm = PKCS1.takeElement(0x06, from: &identifier),
            let key = PKCS1.takeElement(0x04, from: &content)
        else { return nil }
        self.algorithm = Array(algorithm)
        parameter = PKCS1.takeElement(0x06, from: &identifier).map { Array($0) }
        self.key = Array(key)
    }
}

private enum ObjectIdentifiers {
    /// 1.2.840.10045.2.1.
    static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    /// 1.3.101.112.
    static let ed25519: [UInt8] = [0x2B, 0x65, 0x70]
    /// 1.3.101.110.
    static let x25519: [UInt8] = [0x2B, 0x65, 0x6E]
    /// 1.2.840.10045.3.1.7, 1.3.132.0.34 and 1.3.132.0.35.
    static let curves: [[UInt8]: EllipticCurve] = [
        [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]: .p256, [0x2B, 0x81, 0x04, 0x00, 0x22]: .p384,
        [0x2B, 0x81, 0x04, 0x00, 0x23]: .p521,
    ]
}
