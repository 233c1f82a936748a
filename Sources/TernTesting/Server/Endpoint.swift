/// The places of a test server.
public enum Endpoint: String, Sendable, Hashable, CaseIterable {
    /// The metadata of OpenID Connect Discovery 1.0: `/.well-known/openid-configuration` below the issuer.
    case openIDConfiguration
    /// The metadata of RFC 8414: `/.well-known/oauth-authorization-server` before the issuer's path.
    case authorizationServerMetadata
    /// The key set: `/jwks`.
    case keys
    /// The authorization endpoint: `/authorize`.
    case authorization
    /// The pages that the user sees on the way: `/interaction`.
    case interaction
    /// The token endpoint: `/token`.
    case token
    /// The user information: `/userinfo`.
    case userInfo
    /// The revocation endpoint: `/revoke`.
    case revocation
    /// The end-session endpoint: `/logout`.
    case endSession
    /// Where temporary credentials of OAuth 1.0a are had: `/oauth1/request_token`.
    case temporaryCredentials
    /// The page of OAuth 1.0a: `/oauth1/authorize`.
    case oauth1Authorization
    /// Where token credentials of OAuth 1.0a are had: `/oauth1/access_token`.
    case tokenCredentials
    /// Where clients register: `/register`.
    case registration
    /// Where a registered client looks after its registration: below `/register/`.
    case registeredClient
    /// Where challenges for the proofs of attestations are had: `/attestation-challenge`.
    case attestationChallenge
    /// Where devices get their codes: `/device_authorization`.
    case deviceAuthorization
    /// The page at which a user types the code of a device: `/device`.
    case deviceVerification
    /// Where users are asked without a browser: `/backchannel`.
    case backchannelAuthentication
    /// Where tokens are looked at: `/introspect`.
    case introspection
    /// Where a user's server is found: `/.well-known/webfinger` of the issuer's origin.
    case webFinger
    /// Where authorization requests are pushed: `/par`.
    case pushedAuthorization
    /// The metadata of the protected API: `/.well-known/oauth-protected-resource` before the API's path.
    case resourceMetadata
    /// The page for a frame that tells whether the user is still logged in: `/check-session`.
    case checkSession
    /// The protected API: everything below `/api/`.
    case api
    /// Any other address.
    case other

    var path: String {
        switch self {
        case .openIDConfiguration: "/.well-known/openid-configuration"
        case .authorizationServerMetadata: "/.well-known/oauth-authorization-server"
        case .keys: "/jwks"
        case .authorization: "/authorize"
        case .interaction: "/interaction"
        case .token: "/token"
        case .userInfo: "/userinfo"
        case .revocation: "/revoke"
        case .endSession: "/logout"
        case .temporaryCredentials: "/oauth1/request_token"
        case .oauth1Authorization: "/oauth1/authorize"
        case .tokenCredentials: "/oauth1/access_token"
        case .registration: "/register"
        case .registeredClient: "/register/"
        case .attestationChallenge: "/attestation-challenge"
        case .deviceAuthorization: "/device_authorization"
        case .deviceVerification: "/device"
        case .backchannelAuthentication: "/backchannel"
        case .introspection: "/introspect"
        case .webFinger: "/.well-known/webfinger"
        case .pushedAuthorization: "/par"
        case .resourceMetadata: "/.well-known/oauth-protected-resource"
        case .checkSession: "/check-session"
        case .api: "/api/"
        case .other: ""
        }
    }

    /// The place that a path leads to, for an issuer whose path is `prefix` (without a slash at its end).
    init(path: String, prefix: String) {
        if path == Self.authorizationServerMetadata.path + prefix {
            self = .authorizationServerMetadata
            return
        }
        if path == Self.resourceMetadata.path + prefix + "/api" {
            self = .resourceMetadata
            return
        }
        if path == Self.webFinger.path {
            self = .webFinger
            return
        }
        guard path.utf8.starts(with: prefix.utf8) else {
            self = .other
            return
        }
        let rest = String(path.dropFirst(prefix.count))
        let plain: [Endpoint] = [
            .openIDConfiguration, .keys, .authorization, .interaction, .token, .userInfo, .revocation, .endSession,
            .temporaryCredentials, .oauth1Authorization, .tokenCredentials, .registration, .attestationChallenge,
            .deviceAuthorization, .deviceVerification, .backchannelAuthentication,
            .introspection, .pushedAuthorization, .checkSession,
        ]
        if let place = plain.first(where: { $0.path == rest }) {
            self = place
        } else {
            let open: [Endpoint] = [.api, .registeredClient]
            self = rest == "/api" ? .api : open.first { rest.hasPrefix($0.path) } ?? .other
        }
    }
}
