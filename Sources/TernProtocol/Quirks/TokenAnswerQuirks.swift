/// How answers of the token endpoint differ from RFC 6749 §5.
public struct TokenAnswerQuirks: Sendable, Hashable, Codable {
    /// How a provider says that all went well, where the status does not.
    public struct SuccessRule: Sendable, Hashable, Codable {
        /// The member that says it, such as `ok`, `errcode` or `status`.
        public var member: String
        /// The values that mean success, as text, such as `true` or `0`.
        public var values: [String]
        /// Whether an answer without the member is a success.
        public var allowsMissing: Bool

        /// Makes a rule.
        ///
        /// - Parameters:
        ///   - member: the member that says it.
        ///   - values: the values that mean success, as text.
        ///   - allowsMissing: whether an answer without the member is a success.
        public init(member: String, values: [String], allowsMissing: Bool = true) {
            self.member = member
            self.values = values
            self.allowsMissing = allowsMissing
        }
    }

    /// The members that lead to the object with the tokens (`data`, `body`, `authed_user`).
    public var path: [String] = []
    /// The provider's names of members, by those of the standards; `access_token` is `accessToken` at DingTalk.
    public var memberNames: [String: String] = [:]
    /// How the provider says that all went well.
    public var success: SuccessRule?
    /// Where an error's code stands, such as `errcode`, or `error` and `code` of an object in it.
    public var errorCodePath: [String] = []
    /// Where an error's text stands.
    public var errorTextPath: [String] = []
    /// The standards' codes for those of the provider, such as `invalid_grant` for `40029`.
    public var errorCodes: [String: String] = [:]
    /// The member that says when the token ends, in seconds since 1970 (`expires_at` at Strava).
    public var expiryMember: String?
    /// How long a token lives where the answer does not say so, in seconds.
    public var defaultLifetime: Int?
    /// What stands between two scopes beside a blank.
    public var scopeSeparator: String?
    /// Token types that are sent as `Bearer` although they have another name (`bot`, `user` at Slack).
    public var bearerLikeTypes: [String] = []
    /// Whether the object stands in the call of a function (JSONP, as at QQ).
    public var isCallback = false

    /// As the standards have it.
    public init() {}

    private static let names = [
        "path", "member_names", "success", "error_code_path", "error_text_path", "error_codes", "expiry_member",
        "default_lifetime", "scope_separator", "bearer_like_types", "is_callback",
    ]

    /// Reads quirks; what is left out is as the standards have it.
    ///
    /// - Throws: `DecodingError` with the place of a member that is unknown or has the wrong type.
    public init(from decoder: any Decoder) throws {
        let members = try QuirkMembers(decoder, known: Self.names)
        try members.read("path", into: &path)
        try members.read("member_names", into: &memberNames)
        try members.read("success", into: &success)
        try members.read("error_code_path", into: &errorCodePath)
        try members.read("error_text_path", into: &errorTextPath)
        try members.read("error_codes", into: &errorCodes)
        try members.read("expiry_member", into: &expiryMember)
        try members.read("default_lifetime", into: &defaultLifetime)
        try members.read("scope_separator", into: &scopeSeparator)
        try members.read("bearer_like_types", into: &bearerLikeTypes)
        try members.read("is_callback", into: &isCallback)
    }

    /// Writes what differs from the standards.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        let standard = Self()
        var members = QuirkWriter(encoder)
        try members.write("path", path, unless: standard.path)
        try members.write("member_names", memberNames, unless: standard.memberNames)
        try members.write("success", success, unless: standard.success)
        try members.write("error_code_path", errorCodePath, unless: standard.errorCodePath)
        try members.write("error_text_path", errorTextPath, unless: standard.errorTextPath)
        try members.write("error_codes", errorCodes, unless: standard.errorCodes)
        try members.write("expiry_member", expiryMember, unless: standard.expiryMember)
        try members.write("default_lifetime", defaultLifetime, unless: standard.defaultLifetime)
        try members.write("scope_separator", scopeSeparator, unless: standard.scopeSeparator)
        try members.write("bearer_like_types", bearerLikeTypes, unless: standard.bearerLikeTypes)
        try members.write("is_callback", isCallback, unless: standard.isCallback)
    }
}
