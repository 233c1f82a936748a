public import TernCrypto
public import TernJOSE

/// A key that access tokens are bound to, ready to prove that its holder sends a request (RFC 9449 §4).
///
/// What stays the same in every proof is prepared once. It prints nothing of the private key.
public struct DPoPKey: Sendable, Hashable {
    /// The key.
    public let key: SigningKey
    /// The hash of the public key by which servers name it, `jkt` (RFC 9449 §6).
    public let thumbprint: String
    private let encodedHeader: String

    /// Prepares a key.
    public init(_ key: SigningKey) {
        self.key = key
        thumbprint = key.publicKey.thumbprint()
        // The key stands in the header as its bare numbers (§4.2): what is said about its use is nobody's business.
        let header = JWSHeader(
            algorithm: key.algorithm, type: DPoPProof.type, parameters: ["jwk": .object(key.publicKey.bareJSON)])
        encodedHeader = Base64URL.encode(header.parameters.serialized())
    }

    /// Keys are the same when their numbers are.
    public static func == (one: DPoPKey, other: DPoPKey) -> Bool { one.thumbprint == other.thumbprint }

    /// Hashes the thumbprint.
    public func hash(into hasher: inout Hasher) { hasher.combine(thumbprint) }

    /// A proof for one request: the value of its field `DPoP`. It is good for one sending.
    ///
    /// - Parameters:
    ///   - method: the request's method.
    ///   - url: its address; query and fragment are left out (RFC 9449 §4.2).
    ///   - accessToken: the token that the request carries, where it does; the proof then names it (`ath`).
    ///   - nonce: the server's last nonce, where there is one (§8).
    ///   - now: the time, by the server's clock as far as it is known; whole seconds are sent.
    ///   - random: where the proof's own name comes from, 128 bits.
    /// - Throws: ``TernError`` with `invalidConfiguration` and the field `dpop` when the key does not sign.
    public func proof(
        _ method: HTTPMethod, _ url: URI, accessToken: AccessToken? = nil, nonce: String? = nil, now: NumericDate,
        random: some RandomSource = SystemRandomSource()
    ) throws(TernError) -> String {
        var claims: JSONObject = [
            "jti": .string(Base64URL.encode(random.bytes(16))), "htm": .string(method.rawValue),
            "htu": .string(url.withoutQueryAndFragment),
            "iat": .number(JSONNumber(Int64(now.secondsSince1970.rounded(.down)))),
        ]
        claims["ath"] = accessToken.map { .string(DPoPProof.hash(of: $0)) }
        claims["nonce"] = nonce.map(JSON.string)
        do {
            return try key.sign(encodedHeader: encodedHeader, payload: claims.serialized())
        } catch {
            throw TernError(
                .invalidConfiguration(field: "dpop", problem: "the key does not sign: \(error)"), at: .configuration)
        }
    }
}

extension DPoPKey: CustomStringConvertible, CustomReflectable {
    /// Says that a key is here.
    public var description: String { "<DPoP key>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension JWK {
    /// The numbers of the public half alone, without what is said about the key.
    fileprivate var bareJSON: JSONObject {
        var object = publicJSON() ?? [:]
        for name in ["kid", "use", "alg", "key_ops"] { object[name] = nil }
        return object
    }
}
