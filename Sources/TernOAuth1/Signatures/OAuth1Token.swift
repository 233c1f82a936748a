public import TernCrypto
public import TernProtocol

/// The purpose of ``OAuth1TokenSecret``.
public enum OAuth1TokenSecretPurpose: Sendable {}

/// The secret that belongs to a token of OAuth 1.0a (RFC 5849 §1.1). Some services leave it empty.
public typealias OAuth1TokenSecret = Secret<OAuth1TokenSecretPurpose>

/// Token credentials, or the temporary credentials of a sign-in that is under way: a token and the secret that proves
/// whose it is (RFC 5849 §1.1).
public struct OAuth1Token: Sendable, Hashable {
    /// The token, `oauth_token`.
    public let token: AccessToken
    /// Its secret, `oauth_token_secret`, which is never sent but by PLAINTEXT.
    public let secret: OAuth1TokenSecret

    /// Puts both together.
    public init(_ token: AccessToken, secret: OAuth1TokenSecret) {
        self.token = token
        self.secret = secret
    }
}
