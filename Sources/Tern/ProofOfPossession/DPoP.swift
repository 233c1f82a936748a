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
        /// A new key for each sign-in that stays in a vault, such as the Secure Enclave. The credential keeps its handle.
        case vault(any KeyVault)
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
        case .vault(let vault):
            let (key, handle) = try vault.makeKey()
            return DPoPBinding(holding: key, handle: handle)
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

/// The key that tokens are bound to: a private key that is kept with them, the handle of one in a vault, or the thumbprint of
/// one that the application holds.
public struct DPoPBinding: Sendable, Hashable {
    /// The hash of the public key by which the server names it, `jkt` (RFC 9449 §6).
    public let thumbprint: String
    private let kept: JWK?
    private let handle: String?
    private let ready: DPoPKey?

    init(holding key: SigningKey, handle: String? = nil) {
        let key = DPoPKey(key)
        thumbprint = key.thumbprint
        kept = nil
        self.handle = handle
        ready = key
    }

    init(keeping key: JWK) throws(JOSEError) {
        let ready = DPoPKey(try SigningKey(key))
        thumbprint = ready.thumbprint
        kept = key
        handle = nil
        self.ready = ready
    }

    /// The key, ready to make proofs.
    ///
    /// - Throws: `invalidConfiguration` with the field `dpop` where the application has to hold it and holds another one.
    func key(_ configuration: DPoP?) throws(TernError) -> DPoPKey {
        if let ready { return ready }
        let held: SigningKey? =
            switch (configuration?.key, handle) {
            case (.given(let key), _): key
            case (.vault(let vault), let handle?): try vault.key(for: handle)
            default: nil
            }
        if let key = held.map({ DPoPKey($0) }), key.thumbprint == thumbprint { return key }
        throw TernError(
            .invalidConfiguration(
                field: "dpop", problem: "the tokens are bound to a key of the application that it no longer gives"),
            at: .configuration)
    }

    /// Bindings are the same when their keys are.
    public static func == (one: DPoPBinding, other: DPoPBinding) -> Bool { one.thumbprint == other.thumbprint }

    /// Hashes the thumbprint.
    public func hash(into hasher: inout Hasher) { hasher.combine(thumbprint) }

    /// What a record keeps: the private key, or the thumbprint, with the handle where there is one.
    var json: JSON {
        if let kept { return .object(kept.privateJSON()) }
        guard let handle else { return .string(thumbprint) }
        return ["jkt": .string(thumbprint), "handle": .string(handle)]
    }

    /// Reads what a record keeps; `nil` when it is neither.
    init?(_ json: JSON) {
        if let thumbprint = json.string ?? json["jkt"]?.string {
            self.thumbprint = thumbprint
            kept = nil
            handle = json["handle"]?.string
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
