public import TernProtocol

/// How authorization requests reach the server: pushed or not, signed or not.
public struct RequestDelivery: Sendable {
    /// When requests are pushed (RFC 9126): handed to the server directly, so that the browser carries only a reference.
    public enum Pushing: String, Sendable, Hashable {
        /// Where the server's metadata demands it.
        case whenRequired
        /// Wherever the server offers it. It costs one more request.
        case whenOffered
        /// Always; a server that does not offer it is refused.
        case always
    }

    /// Where a signed request stands.
    public enum Placement: Sendable {
        /// In the address that the browser opens, or in the pushed request.
        case byValue
        /// At an https address from which the server fetches it (RFC 9101 §5.2). The closure puts it there; whoever knows
        /// the address can read it. It is not for pushed requests.
        case byReference(publish: @Sendable (_ request: String) async throws -> URI)
    }

    /// When requests are pushed.
    public var pushing = Pushing.whenRequired
    /// How requests are signed (RFC 9101); `nil` for not at all.
    public var signing: RequestObject?
    /// Where a signed request stands.
    public var placement = Placement.byValue

    /// Requests in the address that the browser opens, pushed only where the server demands it.
    public init() {}
}
