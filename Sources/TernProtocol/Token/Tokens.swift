public import TernCrypto

/// The purpose of ``AccessToken``.
public enum AccessTokenPurpose: Sendable {}
/// The purpose of ``RefreshToken``.
public enum RefreshTokenPurpose: Sendable {}
/// The purpose of ``EncodedIDToken``.
public enum IDTokenPurpose: Sendable {}
/// The purpose of ``AuthorizationCode``.
public enum AuthorizationCodePurpose: Sendable {}
/// The purpose of ``ClientSecret``.
public enum ClientSecretPurpose: Sendable {}
/// The purpose of the text inside a ``CodeVerifier``.
public enum CodeVerifierPurpose: Sendable {}

/// What an API wants to see (RFC 6749 §1.4).
public typealias AccessToken = Secret<AccessTokenPurpose>
/// What renews an access token (RFC 6749 §1.5).
public typealias RefreshToken = Secret<RefreshTokenPurpose>
/// An ID token as it came, in its compact form (OpenID Connect Core 1.0 §2).
public typealias EncodedIDToken = Secret<IDTokenPurpose>
/// The code that a callback brings (RFC 6749 §1.3.1).
public typealias AuthorizationCode = Secret<AuthorizationCodePurpose>
/// The password of a confidential client (RFC 6749 §2.3.1).
public typealias ClientSecret = Secret<ClientSecretPurpose>
