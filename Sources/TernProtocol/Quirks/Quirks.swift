/// How a provider differs from the standards, as data.
///
/// Tern makes and reads messages as the standards have them. Quirks stand at the edge: they turn a standard request into the
/// provider's, and the provider's answer into a standard one, so that no step in between knows about providers. The default
/// changes nothing.
public struct Quirks: Sendable, Hashable, Codable {
    /// What is other in the address that the browser opens.
    public var authorization = AuthorizationQuirks()
    /// What is other in the callback.
    public var callback = CallbackQuirks()
    /// What is other in requests to the token endpoint.
    public var tokenRequest = TokenRequestQuirks()
    /// What is other in answers of the token endpoint.
    public var tokenAnswer = TokenAnswerQuirks()
    /// What is other in calls of the provider's API.
    public var api = APIQuirks()

    /// A provider that keeps to the standards.
    public init() {}

    private static let names = ["authorization", "callback", "token_request", "token_answer", "api"]

    /// Reads quirks; what is left out is as the standards have it.
    ///
    /// - Throws: `DecodingError` with the place of a member that is unknown or has the wrong type.
    public init(from decoder: any Decoder) throws {
        let members = try QuirkMembers(decoder, known: Self.names)
        try members.read("authorization", into: &authorization)
        try members.read("callback", into: &callback)
        try members.read("token_request", into: &tokenRequest)
        try members.read("token_answer", into: &tokenAnswer)
        try members.read("api", into: &api)
    }

    /// Writes what differs from the standards.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var members = QuirkWriter(encoder)
        try members.write("authorization", authorization, unless: AuthorizationQuirks())
        try members.write("callback", callback, unless: CallbackQuirks())
        try members.write("token_request", tokenRequest, unless: TokenRequestQuirks())
        try members.write("token_answer", tokenAnswer, unless: TokenAnswerQuirks())
        try members.write("api", api, unless: APIQuirks())
    }
}
