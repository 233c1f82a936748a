public import TernJOSE
internal import TernProtocol

/// Binds the tokens of a client to a key, so that who steals one cannot use it (RFC 9449).
public struct DPoP: Sendable {
    /// Which key.
    public enum Key: Sendable {
        /// A new key for each sign-in, kept with the credential.
        case generated(SignatureAlgorithm = .es256)
        /// A key of the application's own, such as one in hardware. The credential keeps only its thumbprint.
        case given(SigningKey)
    }

    /// Which key the tokens are bound to.
    public var key: Key
    /// Whether bearer tokens are taken from a server that was sent a proof and does not heed it. Otherwise they are refused
    /// with `tokenNotBound`.
    public var acceptsBearerTokens = false

    /// Binds tokens to a key, by default to a new one for each sign-in.
    public init(key: Key = .generated()) { self.key = key }

    /// The binding of a sign-in that begins now.
    func newBinding() throws(TernError) -> DPoPBinding {
        switch key {
        case .given(let key): return DPoPBinding(holding: key)
        case .generated(let algorithm):
            do throws(JOSEError) {
                guard algorithm.isAsymmetric else { throw .keyUnusable("it is not an asymmetric algorithm") }
                return try DPoPBinding(keeping: try JWK.generate(for: algorithm))
            } catch {
                throw TernError(
                    .invalidConfiguration(field: "dpop", problem: "no key can be made: \(error)"), at: .configuration)
            }
        }
    }
}

/// The key that tokens are bound to: a private key that is kept with them, or the thumbprint of one that the application
/// holds.
public struct DPoPBinding: Sendable, Hashable {
    /// The hash of the public key by which the server names it, `jkt` (RFC 9449 §6).
    public let thumbprint: String
    private let kept: JWK?
    private let ready: DPoPKey?

    init(holding key: SigningKey) {
        let key = DPoPKey(key)
        thumbprint = key.thumbprint
        kept = nil
        ready = key
    }

    init(keeping key: JWK) throws(JOSEError) {
        let ready = DPoPKey(try SigningKey(key))
        thumbprint = ready.thumbprint
        kept = key
        self.ready = ready
    }

    /// The key, ready to make proofs.
    ///
    /// - Throws: `invalidConfiguration` with the field `dpop` where the application has to hold it and holds another one.
    func key(_ configuration: DPoP?) throws(TernError) -> DPoPKey {
        if let ready { return ready }
        if case .given(let key)? = configuration?.key {
            let key = DPoPKey(key)
            if key.thumbprint == thumbprint { return key }
        }
        throw TernError(
            .invalidConfiguration(
                field: "dpop", problem: "the tokens are bound to a key of the application that it no longer gives"),
            at: .configuration)
    }

    /// Bindings are the same when their keys are.
    public static func == (one: DPoPBinding, other: DPoPBinding) -> Bool { one.thumbprint == other.thumbprint }

    /// Hashes the thumbprint.
    public func hash(into hasher: inout Hasher) { hasher.combine(thumbprint) }

    /// What a record keeps: the private key, or the thumbprint alone.
    var json: JSON { kept.map { .object($0.privateJSON()) } ?? .string(thumbprint) }

    /// Reads what a record keeps; `nil` when it is neither.
    init?(_ json: JSON) {
        if let thumbprint = json.string {
            self.thumbprint = thumbprint
            kept = nil
            ready = nil
            return
        }
        guard json.object != nil, let key = try? JWK(json), let binding = try? DPoPBinding(keeping: key) else {
            return nil
        }
        self = binding
    }
}

extension DPoPBinding: CustomStringConvertible, CustomReflectable {
    /// Says that a binding is here.
    public var description: String { "<DPoP binding>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
