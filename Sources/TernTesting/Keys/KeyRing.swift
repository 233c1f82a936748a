internal import TernCrypto
internal import TernJOSE

/// The keys with which a test server signs: one for each algorithm, made when it is first needed.
public struct KeyRing: Sendable {
    private var generation = 1
    private var current: [SignatureAlgorithm: JWK] = [:]
    private var previous: [JWK] = []
    private let sharesFirstRSAKey: Bool

    /// Makes an empty ring.
    ///
    /// - Parameter sharesFirstRSAKey: whether the first RSA key is the one of this process, which spares each server of
    ///   a test run the making of its own (some tenths of a second).
    public init(sharesFirstRSAKey: Bool = true) { self.sharesFirstRSAKey = sharesFirstRSAKey }

    /// How often the keys were changed, plus one; part of every key ID.
    public var currentGeneration: Int { generation }

    private static let sharedRSAKey = try? RSAPrivateKey.generate()

    /// Makes new keys the current ones.
    ///
    /// - Parameter keepingPrevious: whether the key set goes on showing the old ones.
    public mutating func rotate(keepingPrevious: Bool = true) {
        previous = keepingPrevious ? previous + published : []
        // What was there before is there again after the change, so that the key set shows the same algorithms.
        let algorithms = Array(current.keys)
        current = [:]
        generation += 1
        for algorithm in algorithms { _ = try? key(for: algorithm) }
    }

    /// The key that signs with an algorithm; a symmetric one belongs to a client and is never here.
    mutating func key(for algorithm: SignatureAlgorithm) throws(JOSEError) -> JWK {
        if let key = current[algorithm] { return key }
        guard algorithm.isAsymmetric else { throw .keyUnusable("a symmetric algorithm needs the client's secret") }
        let key = try makeKey(for: algorithm)
        current[algorithm] = key
        return key
    }

    /// The key set as the server publishes it (RFC 7517 §5).
    var publicJSON: JSONObject { JWKSet(published + previous).publicJSON() }

    private var published: [JWK] { current.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value) }

    private func makeKey(for algorithm: SignatureAlgorithm) throws(JOSEError) -> JWK {
        let keyID = "\(algorithm.rawValue.lowercased())-\(generation)"
        if sharesFirstRSAKey, generation == 1, algorithm.keyType == .rsa, let key = Self.sharedRSAKey {
            return JWK(.rsaPrivate(key), keyID: keyID, use: "sig", algorithm: algorithm.rawValue)
        }
        return try JWK.generate(for: algorithm, keyID: keyID)
    }
}
