internal import TernCrypto

/// A key that signs tokens, wherever it lies: in memory, or in hardware that signs but never gives it away.
///
/// Two signing keys are the same when algorithm, key ID and public half are. It prints nothing of its private half.
public struct SigningKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How it signs; never an algorithm whose key both sides know.
    public let algorithm: SignatureAlgorithm
    /// The public half.
    public let publicKey: JWK
    /// The key ID that goes into headers; `nil` for none.
    public let keyID: String?
    private let signing: @Sendable ([UInt8]) throws(JOSEError) -> [UInt8]
    /// The header of a plain JWT, which is the same each time.
    private let plainHeader: String

    /// Signs with a private key in memory.
    ///
    /// - Parameters:
    ///   - key: the private key.
    ///   - algorithm: how to sign; where `nil`, what the key itself says with `alg`, else RS256, the algorithm of its curve,
    ///     or EdDSA.
    /// - Throws: ``JOSEError/keyUnusable(_:)`` for a public or symmetric key, and for one that does not fit the algorithm.
    public init(_ key: JWK, algorithm: SignatureAlgorithm? = nil) throws(JOSEError) {
        guard let publicKey = key.publicHalf else { throw .keyUnusable("a symmetric key has no public half") }
        let algorithm = algorithm ?? key.signatureAlgorithm
        if let reason = key.mismatch(signing: algorithm) { throw .keyUnusable(reason) }
        self.algorithm = algorithm
        self.publicKey = publicKey
        keyID = key.keyID
        plainHeader = Self.plainHeader(algorithm, key.keyID)
        signing = { (input) throws(JOSEError) in try key.signature(for: input, using: algorithm) }
    }

    /// Signs with a key that only its holder can use.
    ///
    /// - Parameters:
    ///   - publicKey: the public half.
    ///   - algorithm: how it signs.
    ///   - signature: makes a signature in the form of RFC 7518 §3 (for ECDSA: r and s, one after the other). It may be
    ///     called from any thread.
    /// - Throws: ``JOSEError/keyUnusable(_:)`` when the key does not fit the algorithm.
    public init(
        publicKey: JWK, algorithm: SignatureAlgorithm,
        signature: @escaping @Sendable (_ input: [UInt8]) throws(JOSEError) -> [UInt8]
    ) throws(JOSEError) {
        guard let half = publicKey.publicHalf else { throw .keyUnusable("a symmetric key has no public half") }
        if let reason = half.mismatch(verifying: algorithm) { throw .keyUnusable(reason) }
        self.algorithm = algorithm
        self.publicKey = half
        keyID = publicKey.keyID
        plainHeader = Self.plainHeader(algorithm, publicKey.keyID)
        signing = signature
    }

    private static let plainType = "JWT"

    private static func plainHeader(_ algorithm: SignatureAlgorithm, _ keyID: String?) -> String {
        let header = JWSHeader(algorithm: algorithm, keyID: keyID, type: plainType)
        return Base64URL.encode(header.parameters.serialized())
    }

    func signature(for input: [UInt8]) throws(JOSEError) -> [UInt8] { try signing(input) }

    /// Signs a payload as a JWT without further header parameters.
    fileprivate func sign(plain payload: [UInt8], type: String?) throws(JOSEError) -> String? {
        type == Self.plainType ? try sign(encodedHeader: plainHeader, payload: payload) : nil
    }

    /// Signs a payload under a header that was encoded before, for those who sign often.
    package func sign(encodedHeader: String, payload: [UInt8]) throws(JOSEError) -> String {
        let input = encodedHeader + "." + Base64URL.encode(payload)
        return input + "." + Base64URL.encode(try signing(Array(input.utf8)))
    }

    /// Says that a signing key is here and how it signs.
    public var description: String { "<\(algorithm.rawValue) signing key>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SigningKey: Hashable {
    /// Whether algorithm, key ID and public half are the same.
    public static func == (one: SigningKey, other: SigningKey) -> Bool {
        one.algorithm == other.algorithm && one.keyID == other.keyID
            && one.publicKey.thumbprint() == other.publicKey.thumbprint()
    }

    /// Hashes the public half.
    public func hash(into hasher: inout Hasher) { hasher.combine(publicKey.thumbprint()) }
}

extension JWS {
    /// Signs a payload and writes the token. The header's algorithm is the key's.
    ///
    /// - Parameters:
    ///   - payload: what is signed.
    ///   - type: the `typ`.
    ///   - parameters: further header parameters; they cannot replace `alg`, `typ` and `kid`.
    ///   - key: the key; its key ID becomes the `kid`.
    /// - Throws: ``JOSEError/criticalHeader`` when the parameters hold `crit` or `b64`; what the key throws.
    public static func sign(
        payload: [UInt8], type: String?, parameters: JSONObject = [:], key: SigningKey
    ) throws(JOSEError) -> String {
        if parameters.isEmpty, let token = try key.sign(plain: payload, type: type) { return token }
        let header = JWSHeader(
            algorithm: key.algorithm, keyID: key.keyID, type: type, parameters: parameters)
        return try sign(payload: payload, header: header) { (input) throws(JOSEError) in try key.signature(for: input) }
    }
}

extension JWT {
    /// Signs claims and writes the token in its compact form.
    ///
    /// - Parameters:
    ///   - claims: the claims.
    ///   - type: the `typ`.
    ///   - parameters: further header parameters; they cannot replace `alg`, `typ` and `kid`.
    ///   - key: the key; its key ID becomes the `kid`.
    /// - Throws: what ``JWS/sign(payload:type:parameters:key:)`` throws.
    public static func sign(
        _ claims: JWTClaims, type: String?, parameters: JSONObject = [:], key: SigningKey
    ) throws(JOSEError) -> String {
        try JWS.sign(payload: claims.members.serialized(), type: type, parameters: parameters, key: key)
    }
}

extension JWK {
    /// How a private key signs where nobody says it.
    fileprivate var signatureAlgorithm: SignatureAlgorithm {
        if let named = algorithm.flatMap({ SignatureAlgorithm(rawValue: $0) }) { return named }
        return switch material {
        case .ecPublic(let key): Self.algorithm(of: key.curve)
        case .ecPrivate(let key): Self.algorithm(of: key.curve)
        case .ed25519Public, .ed25519Private, .x25519Public, .x25519Private: .edDSA
        case .rsaPublic, .rsaPrivate: .rs256
        case .symmetric: .hs256
        }
    }

    private static func algorithm(of curve: EllipticCurve) -> SignatureAlgorithm {
        switch curve {
        case .p256: .es256
        case .p384: .es384
        case .p521: .es512
        }
    }
}
