internal import Tern

/// What a key is made for: an algorithm with a private and a public half.
enum KeyPurpose: Sendable {
    case signing(SignatureAlgorithm)
    case decrypting(KeyManagementAlgorithm)

    init(_ name: String) throws(UsageError) {
        if let algorithm = SignatureAlgorithm(rawValue: name), algorithm.isAsymmetric {
            self = .signing(algorithm)
        } else if let algorithm = KeyManagementAlgorithm(rawValue: name), algorithm.isAsymmetric {
            self = .decrypting(algorithm)
        } else if SignatureAlgorithm(rawValue: name) != nil || KeyManagementAlgorithm(rawValue: name) != nil {
            throw UsageError("\(name) works with a key that both sides know: the client's secret")
        } else {
            let known =
                SignatureAlgorithm.allCases.filter(\.isAsymmetric).map(\.rawValue)
                + KeyManagementAlgorithm.allCases.filter(\.isAsymmetric).map(\.rawValue)
            throw UsageError.unknown("algorithm", name, among: known)
        }
    }

    var name: String {
        switch self {
        case .signing(let algorithm): algorithm.rawValue
        case .decrypting(let algorithm): algorithm.rawValue
        }
    }

    /// The `use` of a JWK.
    var use: String {
        switch self {
        case .signing: "sig"
        case .decrypting: "enc"
        }
    }

    var isAgreement: Bool { name.hasPrefix("ECDH-ES") }

    var isRSA: Bool { ["RS", "PS"].contains { name.hasPrefix($0) } }

    func generate(curve: KeyAgreementCurve, bits: Int?) throws(JOSEError) -> JWK {
        if let bits {
            do throws(CryptoError) {
                let key = try RSAPrivateKey.generate(bitCount: bits)
                return JWK(.rsaPrivate(key), use: use, algorithm: name)
            } catch {
                throw .keyUnusable(error.description)
            }
        }
        switch self {
        case .signing(let algorithm): return try JWK.generate(for: algorithm)
        case .decrypting(let algorithm): return try JWK.generate(for: algorithm, curve: curve)
        }
    }

    /// Finds out whether a key that came from elsewhere can do it, by doing it.
    func check(_ key: JWK) throws(JOSEError) {
        switch self {
        case .signing(let algorithm): _ = try SigningKey(key, algorithm: algorithm)
        case .decrypting(let algorithm):
            let header = JWEHeader(algorithm: algorithm, encryption: .a128GCM)
            _ = try JWE.encrypt(payload: [], header: header, key: key)
        }
    }
}
