/// A login that another site begins: the server, or a portal, sends the user's browser to the application's
/// `initiate_login_uri` (OpenID Connect Core 1.0 §4).
///
/// Anybody can do that, so nothing of it is believed that the application does not allow: the issuer must be one of its own,
/// and the page that the user is to come to must be of an origin that it names, so that nobody redirects users by it.
public struct LoginInitiation: Sendable, Hashable {
    /// The server that the user is to log in at; one of those that are allowed.
    public let issuer: Issuer
    /// A name that the user probably logs in with, as the other site gave it.
    public let loginHint: String?
    /// The page that the user is to come to after the login; of an allowed origin.
    public let target: URI?
    /// Parameters that the standard does not name, as they came.
    public let additionalParameters: FormParameters

    /// What an application allows.
    public struct Policy: Sendable, Hashable {
        /// The servers at which its users log in.
        public var issuers: [Issuer]
        /// The origins of the pages that a user may be sent to.
        public var targetOrigins: Set<Origin>

        /// Allows these servers, and pages of these origins.
        public init(issuers: [Issuer], targetOrigins: Set<Origin> = []) {
            self.issuers = issuers
            self.targetOrigins = targetOrigins
        }
    }

    /// Reads a request to the `initiate_login_uri`, a GET or the POST of a form.
    ///
    /// - Throws: ``TernError`` with `requestRejected` and the parameter: `iss` when it is missing or none of the allowed ones;
    ///   `target_link_uri` when it is no address or one of another origin; the name of a parameter that stands there twice.
    public init(_ request: HTTPRequest, allowing policy: Policy) throws(TernError) {
        let parameters =
            request.method == .post ? request.sentForm : FormParameters(decoding: request.url.encodedQuery ?? "")
        guard let parameters else { throw Self.rejected("body", "cannot be read") }
        try self.init(parameters, allowing: policy)
    }

    /// Reads the parameters of a request.
    ///
    /// - Throws: the same.
    public init(_ parameters: FormParameters, allowing policy: Policy) throws(TernError) {
        func value(_ name: String) throws(TernError) -> String? {
            let values = parameters.values(of: name)
            guard values.count <= 1 else { throw Self.rejected(name, "stands there twice") }
            return values.first.flatMap { $0.isEmpty ? nil : $0 }
        }
        guard let name = try value("iss") else { throw Self.rejected("iss", "is missing") }
        guard let issuer = policy.issuers.first(where: { $0.text.hasSameOctets(as: name) }) else {
            throw Self.rejected("iss", "is no server of this application")
        }
        self.issuer = issuer
        loginHint = try value("login_hint")
        target = try value("target_link_uri").map { (text) throws(TernError) in try Self.target(text, policy) }
        let known = ["iss", "login_hint", "target_link_uri"]
        additionalParameters = FormParameters(parameters.parameters.filter { !known.contains($0.name) })
    }

    private static func target(_ text: String, _ policy: Policy) throws(TernError) -> URI {
        let name = "target_link_uri"
        // Browsers read a backslash as a slash, and what comes before it as another host than this does.
        guard let uri = URI(text), !text.utf8.contains(UInt8(ascii: "\\")), !uri.hasUserInformation,
            ["https", "http"].contains(uri.normalizedScheme), let origin = uri.origin
        else { throw rejected(name, "is no address of a page") }
        guard policy.targetOrigins.contains(origin) else { throw rejected(name, "leads to another site") }
        return uri
    }

    private static func rejected(_ parameter: String, _ problem: String) -> TernError {
        TernError(.requestRejected(parameter: parameter, problem: problem), at: .authorizationRequest)
    }
}

extension LoginInitiation: CustomStringConvertible, CustomReflectable {
    /// The issuer alone: hint and target come from outside.
    public var description: String { "login at \(issuer)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
