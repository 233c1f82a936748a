public import TernCrypto
public import TernJOSE

/// Makes the JWTs that a service gets its tokens with (RFC 7523 §3): each is good for one request.
public struct AssertionIssuer: Sendable, Hashable {
    /// For whom an assertion is made out.
    public enum Audience: Sendable, Hashable {
        /// The server's issuer; its token endpoint where it has none.
        case issuer
        /// The token endpoint.
        case tokenEndpoint
        /// A name that the server wants.
        case text(String)
    }

    /// What signs.
    public var key: SigningKey
    /// Who makes the assertion (`iss`).
    public var issuer: String
    /// For whom tokens are asked (`sub`).
    public var subject: String
    /// For whom the assertion is made out (`aud`).
    public var audience = Audience.issuer
    /// How long an assertion is good: five minutes by default. Servers refuse long ones.
    public var lifetime = Duration.seconds(300)
    /// Any further claims. They cannot replace those that are set here.
    public var additionalClaims: JSONObject = [:]

    /// Makes an issuer.
    ///
    /// - Parameters:
    ///   - key: what signs.
    ///   - issuer: who makes the assertion.
    ///   - subject: for whom tokens are asked; the same as the issuer where `nil`.
    public init(key: SigningKey, issuer: String, subject: String? = nil) {
        self.key = key
        self.issuer = issuer
        self.subject = subject ?? issuer
    }

    /// Makes an assertion with an identifier of its own.
    ///
    /// - Parameters:
    ///   - metadata: the server that it is for.
    ///   - now: the time, by the server's clock as far as it is known.
    ///   - random: where the identifier comes from.
    /// - Throws: ``TernError``: `missingMetadata` where the server has no name to address it by; `invalidConfiguration`
    ///   with the field `key` when the key cannot sign.
    public func assertion(
        for metadata: ServerMetadata, now: NumericDate, random: any RandomSource
    ) throws(TernError) -> GrantAssertion {
        let audience =
            switch audience {
            case .issuer: metadata.issuer ?? metadata[.token]?.text
            case .tokenEndpoint: metadata[.token]?.text
            case .text(let text): text
            }
        guard let audience else { throw TernError(.missingMetadata(field: "token_endpoint"), at: .tokenRequest) }
        func date(_ date: NumericDate) -> JSON {
            .number(JSONNumber(Int64(max(-9e15, min(9e15, date.secondsSince1970.rounded(.down))))))
        }
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": .string(subject), "aud": .string(audience), "iat": date(now),
            "exp": date(now + lifetime), "jti": .string(Base64URL.encode(random.bytes(16))),
        ]
        for (name, value) in additionalClaims where claims[name] == nil { claims[name] = value }
        do {
            return GrantAssertion(try JWT.sign(JWTClaims(claims), type: "JWT", key: key))
        } catch {
            throw TernError(
                .invalidConfiguration(field: "key", problem: "it cannot sign the assertion"), at: .configuration)
        }
    }
}

extension AssertionIssuer: CustomStringConvertible, CustomReflectable {
    /// Who makes the assertions.
    public var description: String { "<assertions of \(issuer)>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
