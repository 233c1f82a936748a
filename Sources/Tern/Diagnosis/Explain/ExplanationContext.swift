public import TernJOSE
public import TernProtocol

/// What a ``Specimen`` is held against. What is not known is left out, and is then said not to have been compared.
public struct ExplanationContext: Sendable {
    /// The time, for whatever ends or begins.
    public var now: NumericDate
    /// The redirect URI of the client, as it is registered.
    public var redirectURI: String?
    /// The state that was sent.
    public var state: String?
    /// The issuer of the server.
    public var issuer: String?
    /// In which part of a callback the answer was asked for.
    public var responseMode: AuthorizationRequest.ResponseMode?
    /// The client, or for an access token the API.
    public var clientID: String?
    /// The nonce that was sent.
    public var nonce: String?
    /// The keys with which a signature may be verified.
    public var keys: JWKSet?
    /// One's own text, where the specimen is the other side's (OAuth 1.0a).
    public var counterpart: String?

    /// Knows nothing but the time.
    public init(now: NumericDate) { self.now = now }
}
