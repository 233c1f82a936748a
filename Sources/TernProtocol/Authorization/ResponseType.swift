/// What an answer of the authorization endpoint brings (RFC 6749 §3.1.1, OAuth 2.0 Multiple Response Type Encoding
/// Practices 1.0, OpenID Connect Core 1.0 §3): a set of words, whose order says nothing.
public struct ResponseType: Sendable, Hashable, CustomStringConvertible {
    /// Whether it brings a code.
    public let hasCode: Bool
    /// Whether it brings an ID token.
    public let hasIDToken: Bool
    /// Whether it brings an access token, through the browser.
    public let hasToken: Bool

    /// A code, which is worth nothing without the verifier: the only one that RFC 9700 recommends.
    public static let code = ResponseType(hasCode: true)
    /// A code and an ID token that vouches for it (hybrid).
    public static let codeIDToken = ResponseType(hasCode: true, hasIDToken: true)
    /// A code and an access token (hybrid).
    public static let codeToken = ResponseType(hasCode: true, hasToken: true)
    /// A code, an ID token and an access token (hybrid).
    public static let codeIDTokenToken = ResponseType(hasCode: true, hasIDToken: true, hasToken: true)
    /// An ID token alone.
    public static let idToken = ResponseType(hasIDToken: true)
    /// An ID token and an access token, both through the browser (implicit).
    public static let idTokenToken = ResponseType(hasIDToken: true, hasToken: true)
    /// An access token alone, through the browser (implicit).
    public static let token = ResponseType(hasToken: true)

    /// Every one, the recommended first.
    public static let all = [code, codeIDToken, codeToken, codeIDTokenToken, idToken, idTokenToken, token]

    private init(hasCode: Bool = false, hasIDToken: Bool = false, hasToken: Bool = false) {
        self.hasCode = hasCode
        self.hasIDToken = hasIDToken
        self.hasToken = hasToken
    }

    /// Reads words with blanks between them, in any order.
    ///
    /// - Throws: ``TernError`` with the field `response_type` for no word, for one that is there twice, and for others than
    ///   `code`, `id_token` and `token`.
    public init(_ text: String) throws(TernError) {
        let words = text.split(separator: " ")
        let known = Set(words)
        guard !words.isEmpty, known.count == words.count, known.isSubset(of: ["code", "id_token", "token"]) else {
            throw TernError(
                .invalidConfiguration(
                    field: "response_type", problem: "it is made of the words code, id_token and token, each once"),
                at: .configuration)
        }
        self.init(
            hasCode: known.contains("code"), hasIDToken: known.contains("id_token"), hasToken: known.contains("token"))
    }

    /// The words in the order in which OpenID Connect writes them.
    public var text: String {
        [hasCode ? "code" : nil, hasIDToken ? "id_token" : nil, hasToken ? "token" : nil].compactMap(\.self)
            .joined(separator: " ")
    }

    /// The same as ``text``.
    public var description: String { text }

    /// Where the answer is put when nothing is asked for: anything but a code alone must not stand in a query.
    public var standardMode: AuthorizationRequest.ResponseMode { self == .code ? .query : .fragment }
}
