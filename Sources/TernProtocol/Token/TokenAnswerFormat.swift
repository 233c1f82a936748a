/// How a provider's token answers differ from RFC 6749 §5. The default is the standard.
public struct TokenAnswerFormat: Sendable, Hashable, Codable {
    /// Token types, compared without case, that are sent as `Bearer` although they have another name.
    public var bearerLikeTypes: [String] = []
    /// The members that lead to the object with the tokens; empty where they are at the top.
    public var tokenPath: [String] = []
    /// The member that holds an error's code, beside `error`.
    public var errorCodeMember: String?
    /// The member that holds an error's text, beside `error_description`.
    public var errorDescriptionMember: String?
    /// The codes that mean what `invalid_grant` means, beside it.
    public var deadGrantCodes: [String] = []
    /// The character at which scopes are split beside the blank.
    public var scopeSeparator: String?

    /// The standard's format.
    public init() {}
}
