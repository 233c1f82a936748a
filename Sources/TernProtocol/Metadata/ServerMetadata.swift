public import TernJOSE

/// What an authorization server says about itself (RFC 8414 §2, OpenID Connect Discovery 1.0 §3).
///
/// A field is checked when a step asks for it: fields that are called required are often left out, and an optional one
/// that is null, empty or of the wrong type counts as absent.
public struct ServerMetadata: Sendable, Hashable {
    /// All members as they came.
    public let members: JSONObject
    /// Whether plain http endpoints on loopback are taken although the issuer is an https address; for development
    /// alone. A server whose issuer is on loopback needs no permission, and plain http elsewhere is never taken.
    public var allowsLoopbackEndpoints = false
    /// Whether ``address(of:for:)`` takes the addresses at which the server asks for client certificates, where it has
    /// such beside the usual ones (`mtls_endpoint_aliases`, RFC 8705 §5).
    public var prefersCertificateEndpoints = false

    /// Takes metadata as it stands, for servers without discovery too.
    public init(members: JSONObject) { self.members = members }

    /// The metadata of a server without discovery.
    ///
    /// - Throws: ``TernError`` naming the field that is not an absolute address.
    public init(
        issuer: String? = nil, authorizationEndpoint: String, tokenEndpoint: String, jwksURI: String? = nil,
        userInfoEndpoint: String? = nil, revocationEndpoint: String? = nil, endSessionEndpoint: String? = nil
    ) throws(TernError) {
        let fields: [(Endpoint?, String, String?)] = [
            (nil, "issuer", issuer), (.authorization, "authorization_endpoint", authorizationEndpoint),
            (.token, "token_endpoint", tokenEndpoint), (.keys, "jwks_uri", jwksURI),
            (.userInfo, "userinfo_endpoint", userInfoEndpoint),
            (.revocation, "revocation_endpoint", revocationEndpoint),
            (.endSession, "end_session_endpoint", endSessionEndpoint),
        ]
        var members: JSONObject = [:]
        for (endpoint, name, text) in fields {
            guard let text else { continue }
            if endpoint != nil { _ = try URI.required(text, field: name) } else { _ = try Issuer(text) }
            members[name] = .string(text)
        }
        self.members = members
    }

    /// The endpoints that the library calls, by the names of their fields.
    public enum Endpoint: String, Sendable, Hashable, CaseIterable {
        /// Where the browser goes (RFC 6749 §3.1).
        case authorization = "authorization_endpoint"
        /// Where tokens come from (RFC 6749 §3.2).
        case token = "token_endpoint"
        /// Where the key set is.
        case keys = "jwks_uri"
        /// Where user information is (OpenID Connect Core 1.0 §5.3).
        case userInfo = "userinfo_endpoint"
        /// Where tokens are revoked (RFC 7009).
        case revocation = "revocation_endpoint"
        /// Where sessions end (OpenID Connect RP-Initiated Logout 1.0).
        case endSession = "end_session_endpoint"
        /// Where authorization requests are pushed (RFC 9126).
        case pushedAuthorization = "pushed_authorization_request_endpoint"
        /// Where devices ask for a code that the user types elsewhere (RFC 8628).
        case deviceAuthorization = "device_authorization_endpoint"
        /// Where users are asked without a browser (OpenID Connect CIBA Core 1.0).
        case backchannelAuthentication = "backchannel_authentication_endpoint"
        /// Where tokens are looked at (RFC 7662).
        case introspection = "introspection_endpoint"
        /// Where clients are registered (RFC 7591).
        case registration = "registration_endpoint"
        /// The page that tells changes of the session (OpenID Connect Session Management 1.0).
        case checkSession = "check_session_iframe"
    }

    /// The address of an endpoint that the running step needs.
    ///
    /// - Throws: ``TernError``: `missingMetadata` when it is not there; `insecureEndpoint` when it is plain http, unless
    ///   it is on loopback and so is the issuer, or ``allowsLoopbackEndpoints`` is set.
    public func address(of endpoint: Endpoint, for step: Step) throws(TernError) -> URI {
        guard let uri = certificateAlias(of: endpoint) ?? self[endpoint] else {
            throw TernError(.missingMetadata(field: endpoint.rawValue), at: step)
        }
        let isLoopback = uri.normalizedScheme == "http" && uri.isLoopback
        guard uri.isSecure || (isLoopback && (allowsLoopbackEndpoints || !hasSecureIssuer)) else {
            throw TernError(.insecureEndpoint(field: endpoint.rawValue), at: step)
        }
        return uri
    }

    private var hasSecureIssuer: Bool { issuer.flatMap { URI($0) }?.isSecure ?? false }

    /// The address of an endpoint, where the metadata has a readable one.
    public subscript(endpoint: Endpoint) -> URI? { text(endpoint.rawValue).flatMap(URI.init) }

    /// The issuer as the metadata names it.
    public var issuer: String? { text("issuer") }

    /// Whether answers of the authorization endpoint carry `iss` (RFC 9207 §3).
    public var promisesIssuerInAnswers: Bool {
        members["authorization_response_iss_parameter_supported"]?.bool ?? false
    }

    /// The PKCE methods offered; `nil` where the server does not say (RFC 8414 §2).
    public var codeChallengeMethods: [String]? { list("code_challenge_methods_supported") }

    /// The scopes offered; `nil` where the server does not say.
    public var scopes: [String]? { list("scopes_supported") }

    /// The ways of client authentication at the token endpoint; `nil` where the server does not say, which means
    /// `client_secret_basic` (RFC 8414 §2).
    public var tokenEndpointAuthenticationMethods: [String]? { list("token_endpoint_auth_methods_supported") }

    /// The algorithms of ID tokens; `nil` where the server does not say.
    public var idTokenSigningAlgorithms: [String]? { list("id_token_signing_alg_values_supported") }

    /// A field that holds a text that is not empty.
    public func text(_ name: String) -> String? { members[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    /// A field that holds a list of texts.
    public func list(_ name: String) -> [String]? {
        guard let list = members[name]?.array?.compactMap(\.string), !list.isEmpty else { return nil }
        return list
    }
}
