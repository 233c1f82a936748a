public import TernCrypto
internal import TernJOSE

/// The purpose of ``DeviceSecret``.
public enum DeviceSecretPurpose: Sendable {}
/// What applications of one maker on one device share, so that a user who has signed in to one need not sign in to the next
/// (OpenID Connect Native SSO for Mobile Apps 1.0 §3.2). It comes with the tokens where the scope `device_sso` was granted.
public typealias DeviceSecret = Secret<DeviceSecretPurpose>

extension TokenResponse {
    /// The device secret, where the answer brought one.
    public var deviceSecret: DeviceSecret? {
        additionalMembers["device_secret"]?.string.flatMap { $0.isEmpty ? nil : DeviceSecret($0) }
    }
}

extension IDToken {
    /// The session at the server that the token belongs to (`sid`), which Native SSO demands of it.
    public var sessionID: String? { claims["sid"]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    /// Demands that the token fits a device secret: it names its session and its `ds_hash` is a hash of the secret (Native SSO
    /// 1.0 §3.3).
    ///
    /// The profile leaves the kind of hash to the server. Two are in use and taken here: the SHA-256 of the secret, and the
    /// left half of the hash that the token's algorithm uses, as for `at_hash`; in Base64url both.
    ///
    /// - Throws: ``TernError`` with `idTokenRejected` and `malformedClaim`: `sid` or `ds_hash`.
    public func requireBinding(to secret: DeviceSecret) throws(TernError) {
        guard sessionID != nil else { throw TernError(.idTokenRejected(.malformedClaim("sid")), at: .idToken) }
        guard let hash = claims["ds_hash"]?.string, hashes(of: secret).contains(where: hash.hasSameOctets) else {
            throw TernError(.idTokenRejected(.malformedClaim("ds_hash")), at: .idToken)
        }
    }

    private func hashes(of secret: DeviceSecret) -> [String] {
        let bytes = Array(secret.exposedText.utf8)
        var hashes = [Base64URL.encode(HashFunction.sha256.digest(bytes))]
        if let algorithm = try? JWS(compact: encoded.exposedText).header.algorithm {
            let digest = algorithm.hashFunction.digest(bytes)
            hashes.append(Base64URL.encode(Array(digest.prefix(digest.count / 2))))
        }
        return hashes
    }
}

/// The exchange of another application's ID token, with the device secret, for tokens of one's own (OpenID Connect Native
/// SSO for Mobile Apps 1.0 §4, a profile of RFC 8693).
public struct NativeSSOGrant: Exchange {
    /// The token endpoint.
    public var endpoint: URI
    /// The ID token of the application that signed in; an expired one too, as long as its session lives.
    public var idToken: EncodedIDToken
    /// The device secret that came with it.
    public var deviceSecret: DeviceSecret
    /// The server, for which the ID token was meant (`audience`).
    public var issuer: Issuer
    /// What is asked for.
    public var scope: Scope?
    /// What the server calls a device secret; the drafts before the sixth had another name.
    public var deviceSecretType = "urn:openid:params:token-type:device-secret"
    /// Any further parameters.
    public var additionalParameters: FormParameters = [:]
    /// How the provider's answers differ from the standard.
    public var format = TokenAnswerFormat()

    /// Makes the exchange.
    public init(endpoint: URI, idToken: EncodedIDToken, deviceSecret: DeviceSecret, issuer: Issuer) {
        self.endpoint = endpoint
        self.idToken = idToken
        self.deviceSecret = deviceSecret
        self.issuer = issuer
    }

    /// ``Step/tokenRequest``.
    public var step: Step { .tokenRequest }

    /// The ID token and the device secret.
    public var secrets: [String] { [idToken.exposedText, deviceSecret.exposedText] }

    /// The request, without client authentication.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` for an additional parameter that is set here already.
    public func request() throws(TernError) -> HTTPRequest {
        var form: FormParameters = [
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
            "audience": issuer.text,
            "subject_token": idToken.exposedText,
            "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
            "actor_token": deviceSecret.exposedText,
            "actor_token_type": deviceSecretType,
        ]
        form.append("scope", ifPresent: scope?.text)
        return try TokenEndpoint.request(endpoint, form, additional: additionalParameters, step: step)
    }

    /// Reads the tokens.
    ///
    /// - Throws: what ``TokenResponse/init(reading:step:format:)`` throws.
    public func answer(from response: HTTPResponse) throws(TernError) -> TokenResponse {
        try TokenResponse(reading: response, step: step, format: format)
    }
}

extension NativeSSOGrant: CustomStringConvertible, CustomReflectable {
    /// Says what it is.
    public var description: String { "<native SSO grant>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
