/// The address at which the answer of the authorization server arrives, kept octet for octet (RFC 6749 §3.1.2).
public struct RedirectURI: Sendable, Hashable, CustomStringConvertible {
    /// The kinds of RFC 8252 §7.
    public enum Kind: Sendable, Hashable {
        /// A scheme of the application's own, such as `com.example.app:/callback` (§7.1).
        case privateUseScheme
        /// An https address that the application or a server owns (§7.2).
        case claimedHTTPS
        /// An http address on the loopback interface (§7.3).
        case loopback
        /// No address at all: the page shows a text that the user types (RFC 5849 §2.1).
        case outOfBand
    }

    /// What is legal but unwise about a redirect URI, with the reason in its description.
    public enum Warning: Sendable, Hashable, CustomStringConvertible {
        /// The private-use scheme has no dot, so another application may well claim it too (RFC 8252 §7.1).
        case schemeWithoutDot(String)
        /// `localhost` may lead to another interface or be resolved elsewhere (RFC 8252 §8.3).
        case localhost
        /// Two slashes make the first path segment a host name (RFC 8252 §7.1).
        case hostInPrivateUseScheme(String)

        /// The warning with its reason.
        public var description: String {
            switch self {
            case .schemeWithoutDot(let scheme):
                "the scheme \"\(scheme)\" has no dot: another application may claim it; use a domain of your own in reverse order"
            case .localhost:
                "\"localhost\" may resolve to another interface: write 127.0.0.1 or [::1]"
            case .hostInPrivateUseScheme(let host):
                "after two slashes \"\(host)\" is a host and not a path: write one slash"
            }
        }
    }

    /// The address as an absolute URI.
    public let uri: URI
    /// Its kind.
    public let kind: Kind

    /// The address as it was given and is sent.
    public var text: String { kind == .outOfBand ? Self.outOfBandText : uri.text }

    /// `oob`, for services of OAuth 1.0a: the user types the verifier that the page shows.
    public static let outOfBand: RedirectURI = {
        guard let uri = URI(outOfBandText + ":") else { preconditionFailure("a constant address") }
        return RedirectURI(uri: uri, kind: .outOfBand)
    }()

    private static let outOfBandText = "oob"

    private init(uri: URI, kind: Kind) {
        self.uri = uri
        self.kind = kind
    }

    /// The same as ``text``.
    public var description: String { text }

    /// Reads a redirect URI, or `oob`.
    ///
    /// - Throws: ``TernError`` with the field `redirect_uri`: when it is not absolute, has a fragment or user
    ///   information, is https without a host, is http beyond loopback, or has a scheme that runs or reads something
    ///   (`javascript`, `vbscript`, `data`, `file`, `about`, `blob`).
    public init(_ text: String) throws(TernError) {
        if text == Self.outOfBandText {
            self = .outOfBand
            return
        }
        let uri = try URI.required(text, field: Self.field)
        func invalid(_ problem: String) -> TernError {
            TernError(.invalidConfiguration(field: Self.field, problem: problem), at: .configuration)
        }
        guard uri.encodedFragment == nil else { throw invalid("it has a fragment (RFC 6749 §3.1.2)") }
        guard !uri.hasUserInformation else { throw invalid("it has a user name before the host") }
        switch uri.normalizedScheme {
        case "https":
            guard uri.host != nil else { throw invalid("it has no host") }
            kind = .claimedHTTPS
        case "http":
            guard uri.isLoopback else { throw invalid("plain http is for 127.0.0.1, [::1] and localhost alone") }
            kind = .loopback
        case "javascript", "data", "file", "about", "blob", "vbscript":
            throw invalid("the scheme \"\(uri.normalizedScheme)\" cannot bring an answer home")
        default: kind = .privateUseScheme
        }
        self.uri = uri
    }

    private static let field = "redirect_uri"

    /// What is legal but unwise about it.
    public var warnings: [Warning] {
        switch kind {
        case .claimedHTTPS, .outOfBand: []
        case .loopback: uri.host?.asciiLowercased == "localhost" ? [.localhost] : []
        case .privateUseScheme:
            (uri.scheme.contains(".") ? [] : [.schemeWithoutDot(uri.scheme)])
                + (uri.host.map { [.hostInPrivateUseScheme($0)] } ?? [])
        }
    }

    /// Whether an address arrived at this redirect. The rule: scheme and host are the same but for case, port and path
    /// are exactly the same, an empty path is `/`, and an empty authority is none; query and fragment do not count.
    public func matches(_ callback: URI) -> Bool {
        func path(_ uri: URI) -> String {
            let path = uri.encodedPath
            return path.isEmpty ? "/" : path
        }
        func port(_ uri: URI) -> Int? { uri.port ?? URI.defaultPort(of: uri.scheme) }
        let hostsFit: Bool =
            switch (callback.host, uri.host) {
            case (nil, nil): true
            case (let one?, let other?): one.equalsIgnoringASCIICase(other)
            default: false
            }
        return hostsFit && callback.scheme.equalsIgnoringASCIICase(uri.scheme) && !callback.hasUserInformation
            && port(callback) == port(uri) && path(callback).hasSameOctets(as: path(uri))
    }

    /// The same loopback address with another port (RFC 8252 §7.3: a server accepts any); `nil` for the other kinds.
    public func withPort(_ port: Int) -> RedirectURI? {
        guard kind == .loopback, let host = uri.host else { return nil }
        let query = uri.encodedQuery.map { "?" + $0 } ?? ""
        return try? RedirectURI("\(uri.scheme)://\(host):\(port)\(uri.encodedPath)\(query)")
    }
}
