/// What a test server makes of proofs of possession (RFC 9449).
public struct DPoPPolicy: Sendable, Hashable {
    /// What becomes of a proof at the token endpoint.
    public enum Use: Sendable, Hashable {
        /// A token is bound to the key of the proof that came with the request; without one it is a bearer token.
        case offered
        /// Every client must send a proof.
        case demanded
        /// Proofs are passed over, as a server does that does not know them.
        case ignored
    }

    /// What becomes of proofs.
    public var use = Use.offered
    /// For how long a nonce is good that the token endpoint and the pushed-request endpoint want in proofs; `nil` for none.
    public var nonceLifetimeAtAuthorizationServer: Duration?
    /// For how long a nonce is good that the API and the user information want in proofs; `nil` for none.
    public var nonceLifetimeAtAPI: Duration?

    /// Offers proofs, without nonces.
    public init() {}
}
