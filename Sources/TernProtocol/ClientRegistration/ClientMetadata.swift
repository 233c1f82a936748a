internal import TernCrypto
public import TernJOSE

/// What a client says about itself when it registers (RFC 7591 §2, OpenID Connect Dynamic Client Registration 1.0 §2).
///
/// All members are kept, also those without a property here. ``check()`` finds what contradicts itself before a server does.
public struct ClientMetadata: Sendable, Hashable, Codable {
    /// All members.
    public var members: JSONObject

    /// Takes metadata as it stands.
    public init(members: JSONObject) { self.members = members }

    /// Metadata for the usual client.
    ///
    /// - Parameters:
    ///   - redirectURIs: where answers may go.
    ///   - name: what users read.
    ///   - grantTypes: `nil` for the server's default, `authorization_code`. Without a grant that needs a page, the response
    ///     types are none.
    ///   - authenticationMethod: the `token_endpoint_auth_method`; `nil` for the server's default, `client_secret_basic`.
    ///   - scope: what the client may ask for.
    public init(
        redirectURIs: [String] = [], name: String? = nil, grantTypes: [String]? = nil,
        authenticationMethod: String? = nil, scope: Scope? = nil
    ) {
        members = [:]
        self.redirectURIs = redirectURIs
        self.name = name
        self.grantTypes = grantTypes
        self.authenticationMethod = authenticationMethod
        self.scope = scope
        if let grantTypes, !grantTypes.contains("authorization_code"), !grantTypes.contains("implicit") {
            responseTypes = []
        }
    }

    /// Reads metadata.
    ///
    /// - Throws: what the decoder throws.
    public init(from decoder: any Decoder) throws { members = try JSONObject(from: decoder) }

    /// Writes the members.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }

    /// `redirect_uris`: where answers may go.
    public var redirectURIs: [String] {
        get { list("redirect_uris") ?? [] }
        set { set("redirect_uris", newValue.isEmpty ? nil : newValue) }
    }

    /// `token_endpoint_auth_method`: how the client will prove who it is.
    public var authenticationMethod: String? {
        get { text("token_endpoint_auth_method") }
        set { set("token_endpoint_auth_method", newValue) }
    }

    /// `token_endpoint_auth_signing_alg`: how it signs its assertions.
    public var authenticationAlgorithm: String? {
        get { text("token_endpoint_auth_signing_alg") }
        set { set("token_endpoint_auth_signing_alg", newValue) }
    }

    /// `grant_types`; `nil` means `authorization_code`.
    public var grantTypes: [String]? {
        get { list("grant_types") }
        set { set("grant_types", newValue) }
    }

    /// `response_types`; `nil` means `code`.
    public var responseTypes: [String]? {
        get { list("response_types") }
        set { set("response_types", newValue) }
    }

    /// `client_name`: what users read. Names in other languages are members such as `client_name#de`.
    public var name: String? {
        get { text("client_name") }
        set { set("client_name", newValue) }
    }

    /// `client_uri`: a page about the client.
    public var homePage: String? {
        get { text("client_uri") }
        set { set("client_uri", newValue) }
    }

    /// `logo_uri`.
    public var logo: String? {
        get { text("logo_uri") }
        set { set("logo_uri", newValue) }
    }

    /// `tos_uri`: the terms of service.
    public var termsOfService: String? {
        get { text("tos_uri") }
        set { set("tos_uri", newValue) }
    }

    /// `policy_uri`: what happens to the data.
    public var privacyPolicy: String? {
        get { text("policy_uri") }
        set { set("policy_uri", newValue) }
    }

    /// `contacts`: people to write to.
    public var contacts: [String]? {
        get { list("contacts") }
        set { set("contacts", newValue) }
    }

    /// `scope`: what the client may ask for.
    public var scope: Scope? {
        get { Scope(members["scope"]) }
        set { set("scope", newValue?.text) }
    }

    /// `jwks_uri`: where the client's public keys are.
    public var keysAddress: String? {
        get { text("jwks_uri") }
        set { set("jwks_uri", newValue) }
    }

    /// `jwks`: the client's public keys; setting it leaves private halves out.
    public var keys: JWKSet? {
        get { members["jwks"].flatMap { try? JWKSet($0) } }
        set { members["jwks"] = newValue.map { .object($0.publicJSON()) } }
    }

    /// `software_id`: the same for every copy of the software.
    public var softwareID: String? {
        get { text("software_id") }
        set { set("software_id", newValue) }
    }

    /// `software_version`.
    public var softwareVersion: String? {
        get { text("software_version") }
        set { set("software_version", newValue) }
    }

    /// `software_statement`: the same metadata in a JWT that somebody signed whom the server trusts (RFC 7591 §2.3).
    public var softwareStatement: String? {
        get { text("software_statement") }
        set { set("software_statement", newValue) }
    }

    /// `application_type`: `web` or `native`; `nil` means `web`, which OpenID servers take for a reason to refuse loopback
    /// and private-use redirects.
    public var applicationType: String? {
        get { text("application_type") }
        set { set("application_type", newValue) }
    }

    /// `post_logout_redirect_uris`: where the browser may go after signing out.
    public var postLogoutRedirectURIs: [String]? {
        get { list("post_logout_redirect_uris") }
        set { set("post_logout_redirect_uris", newValue) }
    }

    /// `tls_client_certificate_bound_access_tokens`: whether access tokens are bound to the client's certificate (RFC 8705
    /// §3.4).
    public var bindsTokensToCertificate: Bool {
        get { members["tls_client_certificate_bound_access_tokens"]?.bool ?? false }
        set { members["tls_client_certificate_bound_access_tokens"] = newValue ? true : nil }
    }

    /// Any member by its name. Setting `nil` removes it.
    public subscript(name: String) -> JSON? {
        get { members[name] }
        set { members[name] = newValue }
    }

    func text(_ name: String) -> String? { members[name]?.string }

    func list(_ name: String) -> [String]? { members[name]?.array?.compactMap(\.string) }

    private mutating func set(_ name: String, _ value: String?) { members[name] = value.map(JSON.string) }

    private mutating func set(_ name: String, _ value: [String]?) {
        members[name] = value.map { .array($0.map(JSON.string)) }
    }
}
