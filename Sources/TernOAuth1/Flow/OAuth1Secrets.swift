public import TernCrypto

/// The purpose of ``OAuth1Verifier``.
public enum OAuth1VerifierPurpose: Sendable {}
/// The purpose of ``OAuth1Password``.
public enum OAuth1PasswordPurpose: Sendable {}

/// What proves that the user who allowed the access is the one who came back: `oauth_verifier`, or the PIN that a page
/// shows (RFC 5849 §2.2).
public typealias OAuth1Verifier = Secret<OAuth1VerifierPurpose>
/// A user's password, for ``OAuth1PasswordRequest`` alone.
public typealias OAuth1Password = Secret<OAuth1PasswordPurpose>
