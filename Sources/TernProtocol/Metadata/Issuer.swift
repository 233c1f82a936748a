/// The name of an authorization server: an opaque text that is compared octet by octet (RFC 8414 §2, OpenID Connect
/// Discovery 1.0 §3).
public struct Issuer: Sendable, Hashable, CustomStringConvertible {
    /// The text, as it was configured or received.
    public let text: String
    private let uri: URI

    /// Reads an issuer.
    ///
    /// - Throws: ``TernError``: `invalidConfiguration` with the field `issuer` when it is no absolute http address or
    ///   has a query, a fragment or user information; `insecureEndpoint` when it is plain http beyond loopback.
    public init(_ text: String) throws(TernError) {
        uri = try URI.required(text, field: "issuer")
        self.text = text
        func invalid(_ problem: String) -> TernError {
            TernError(.invalidConfiguration(field: "issuer", problem: problem), at: .configuration)
        }
        guard ["https", "http"].contains(uri.normalizedScheme), uri.host != nil else {
            throw invalid("it is not an https address")
        }
        guard uri.encodedQuery == nil, uri.encodedFragment == nil else { throw invalid("it has a query or a fragment") }
        guard !uri.hasUserInformation else { throw invalid("it has a user name before the host") }
        guard uri.isSecure || uri.isLoopback else {
            throw TernError(.insecureEndpoint(field: "issuer"), at: .configuration)
        }
    }

    /// The same as ``text``.
    public var description: String { text }

    /// Issuers are the same when their octets are.
    public static func == (one: Issuer, other: Issuer) -> Bool { one.text.hasSameOctets(as: other.text) }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Where OpenID metadata lies: behind the issuer, without the slash that it may end in (Discovery 1.0 §4).
    public var openIDMetadataAddress: URI? { URI(textWithoutSlash + "/.well-known/openid-configuration") }

    /// Where OAuth metadata lies: between host and path (RFC 8414 §3).
    public var oauthMetadataAddress: URI? {
        let path = uri.encodedPath.hasSuffix("/") ? String(uri.encodedPath.dropLast()) : uri.encodedPath
        let root = String(text.dropLast(uri.encodedPath.count))
        return URI(root + "/.well-known/oauth-authorization-server" + path)
    }

    private var textWithoutSlash: String { text.hasSuffix("/") ? String(text.dropLast()) : text }
}

/// How the issuer of metadata is held against the configured one.
public enum IssuerRule: String, Sendable, Hashable, Codable {
    /// Octet by octet.
    case exact
    /// The metadata may name the template of a server for many tenants, with `{tenantid}` in the place of one path
    /// segment; ID tokens must then carry the template with their own `tid` put in (Microsoft Entra).
    case tenantTemplate

    static let placeholder = "{tenantid}"

    /// Whether metadata of this issuer may be used.
    func accepts(_ received: String, for configured: Issuer) -> Bool {
        if received.hasSameOctets(as: configured.text) { return true }
        return self == .tenantTemplate && Self.fits(configured.text, template: received)
    }

    /// Whether an issuer is the same but for the one segment that a template leaves open.
    static func fits(_ issuer: String, template: String) -> Bool {
        let template = template.split(separator: "/", omittingEmptySubsequences: false)
        let segments = issuer.split(separator: "/", omittingEmptySubsequences: false)
        guard template.count == segments.count, template.filter({ $0 == placeholder }).count == 1 else { return false }
        return zip(template, segments).allSatisfy { template, segment in
            template == placeholder ? !segment.isEmpty : String(template).hasSameOctets(as: String(segment))
        }
    }
}
