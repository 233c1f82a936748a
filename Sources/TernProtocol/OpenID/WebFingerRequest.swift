internal import TernJOSE

/// The question which server a user logs in at, asked of the host in the user's name (OpenID Connect Discovery 1.0 §2,
/// RFC 7033).
///
/// The answer is as trustworthy as what the user typed: whoever typed it chose the server. The client must still know that
/// server, or register there.
public struct WebFingerRequest: Exchange {
    /// What is asked about: an address with the scheme `acct` or `https` (`http` on loopback alone).
    public let resource: String
    /// The host that is asked, with a port where one was named.
    public let host: String
    private let scheme: String

    /// The relation that leads to the issuer (Discovery 1.0 §2.1).
    public static let issuerRelation = "http://openid.net/specs/connect/1.0/issuer"
    /// The longest identifier that is taken, in bytes.
    public static let maximumIdentifierByteCount = 2_048

    /// Reads what the user typed (Discovery 1.0 §2.1.2): `ada@example.com` becomes `acct:ada@example.com`, everything else
    /// without a scheme becomes an https address. A fragment is cut off.
    ///
    /// - Throws: ``TernError``: `invalidConfiguration` with the field `identifier` for what names no host or has another
    ///   scheme; `insecureEndpoint` for plain http beyond loopback.
    public init(identifier: String) throws(TernError) {
        func invalid(_ problem: String) -> TernError {
            TernError(.invalidConfiguration(field: "identifier", problem: problem), at: .discovery)
        }
        let typed = String(identifier.trimmingASCIIWhitespace)
        guard !typed.isEmpty, typed.utf8.count <= Self.maximumIdentifierByteCount else {
            throw invalid("it is empty or too long")
        }
        // Global context symbols of XRI, whose resolution is no part of the standard.
        guard let first = typed.first, !"=@!+$(".contains(first) else { throw invalid("it is no address") }
        var text = Self.hasScheme(typed) ? typed : (Self.isAccount(typed) ? "acct:" : "https://") + typed
        if let fragment = text.firstIndex(of: "#") { text = String(text[..<fragment]) }
        guard let uri = URI(text) else { throw invalid("it is no address") }
        switch uri.normalizedScheme {
        case "acct":
            // The last sign divides: a user name may be an e-mail address itself (RFC 7565 §4).
            guard !uri.hasAuthority, let sign = text.lastIndex(of: "@"),
                sign > text.index(text.startIndex, offsetBy: 5),
                let there = URI("https://" + text[text.index(after: sign)...]), let host = there.host,
                there.encodedPath.isEmpty, there.encodedQuery == nil, !there.hasUserInformation
            else { throw invalid("it names no user at a host") }
            self.host = host + (there.port.map { ":\($0)" } ?? "")
            scheme = "https"
        case "https", "http":
            guard let host = uri.host else { throw invalid("it names no host") }
            guard uri.isSecure || uri.isLoopback else {
                throw TernError(.insecureEndpoint(field: "identifier"), at: .discovery)
            }
            self.host = host + (uri.port.map { ":\($0)" } ?? "")
            scheme = uri.normalizedScheme
        default: throw invalid("its scheme is not acct or https")
        }
        resource = text
    }

    /// `host:8080` has a port and no scheme.
    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":") else { return false }
        let name = text[..<colon]
        guard name.utf8.first?.isASCIILetter == true, name.utf8.allSatisfy(\.isSchemeByte) else { return false }
        let rest = text[text.index(after: colon)...]
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty else { return true }
        let next = rest.dropFirst(digits.count).first
        return next != nil && next != "/" && next != "?" && next != "#"
    }

    /// A user and a host, and neither port nor path nor query.
    private static func isAccount(_ text: String) -> Bool {
        guard let sign = text.lastIndex(of: "@"), sign != text.startIndex else { return false }
        return !text.contains { $0 == "/" || $0 == "?" || $0 == "#" } && !text[sign...].contains(":")
    }

    /// ``Step/discovery``.
    public var step: Step { .discovery }

    /// A GET of the well-known address at the host.
    ///
    /// - Throws: ``TernError`` with the field `identifier` when no address can be made of it.
    public func request() throws(TernError) -> HTTPRequest {
        let address = try URI.required("\(scheme)://\(host)/.well-known/webfinger", field: "identifier", step: step)
        let asked = address.appendingQuery(["resource": resource, "rel": Self.issuerRelation])
        return HTTPRequest(
            .get, try URI.required(asked, field: "identifier", step: step),
            fields: ["Accept": "application/jrd+json, application/json"])
    }

    /// Reads the issuer out of the answer (RFC 7033 §4.4).
    ///
    /// - Throws: ``TernError``: `discoveryNotJSON`; `missingMetadata` when no link leads to an issuer; `malformedResponse`
    ///   and `insecureEndpoint` when what it leads to cannot be one; `httpStatus`, `transient`.
    public func answer(from response: HTTPResponse) throws(TernError) -> Issuer {
        guard response.isSuccess else { throw AnswerBody.failure(of: response, step: step) }
        guard let document = try? JSON(parsing: response.body).object else {
            throw TernError(.discoveryNotJSON(mediaType: response.mediaType.map(ServerError.cleaned)), at: step)
        }
        let links = document["links"]?.array ?? []
        guard let link = links.first(where: { $0["rel"]?.string == Self.issuerRelation }) else {
            throw TernError(.missingMetadata(field: Self.issuerRelation), at: step)
        }
        guard let text = link["href"]?.string else { throw TernError(.malformedResponse(field: "href"), at: step) }
        do {
            return try Issuer(text)
        } catch {
            if case .insecureEndpoint = error.reason { throw TernError(.insecureEndpoint(field: "href"), at: step) }
            throw TernError(.malformedResponse(field: "href"), at: step)
        }
    }
}
