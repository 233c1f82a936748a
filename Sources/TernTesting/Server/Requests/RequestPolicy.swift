/// How a test server wants authorization requests, and what they may ask for.
public struct RequestPolicy: Sendable, Hashable {
    /// Whether requests can be pushed (RFC 9126).
    public var takesPushed = true
    /// Whether only pushed requests are taken (`require_pushed_authorization_requests`).
    public var demandsPushed = false
    /// How long a pushed request is good.
    public var pushedLifetime = Duration.seconds(60)
    /// Whether only signed requests are taken (`require_signed_request_object`).
    public var demandsSigned = false
    /// How far ahead the end of a signed request may lie.
    public var longestSignedLifetime = Duration.seconds(3600)
    /// What lies at the addresses from which signed requests are fetched (RFC 9101 §5.2): nothing is fetched.
    public var published: [String: String] = [:]
    /// The types of authorization details that are known (RFC 9396).
    public var detailTypes: Set<String> = ["payment_initiation", "account_information"]
    /// The APIs for which tokens are issued (RFC 8707), beside the server's own; `nil` for any.
    public var resources: Set<String>?

    /// Takes requests in every way.
    public init() {}
}
