internal import TernJOSE
internal import TernProtocol

/// What a signed token is for, as its type and its claims say.
enum TokenUse {
    case idToken, accessToken, logoutToken, dpopProof, clientAssertion, requestObject, authorizationResponse
    case introspection, other

    init(header: JSONObject, claims: JSONObject) {
        let type = (header["typ"]?.string ?? "").asciiLowercased.replacingEvery("application/", with: "")
        func has(_ names: String...) -> Bool { names.contains { claims[$0] != nil } }
        switch type {
        case "at+jwt": self = .accessToken
        case "logout+jwt": self = .logoutToken
        case "dpop+jwt": self = .dpopProof
        case "client-authentication+jwt": self = .clientAssertion
        case "oauth-authz-req+jwt": self = .requestObject
        case "token-introspection+jwt": self = .introspection
        case _ where claims["events"]?[LogoutToken.event] != nil: self = .logoutToken
        case _ where has("htm", "htu"): self = .dpopProof
        case _ where has("response_type"): self = .requestObject
        case _ where has("nonce", "at_hash", "c_hash", "auth_time", "azp", "amr") && !has("scope", "scp"):
            self = .idToken
        case _ where has("code", "error") && has("state", "exp"): self = .authorizationResponse
        case _ where has("scope", "scp", "client_id"): self = .accessToken
        case _ where claims["iss"]?.string != nil && claims["iss"]?.string == claims["sub"]?.string && has("jti"):
            self = .clientAssertion
        case _ where has("iss") && has("sub") && has("aud") && has("exp") && has("iat"): self = .idToken
        default: self = .other
        }
    }

    /// The use in words.
    var words: String {
        switch self {
        case .idToken: "an ID token"
        case .accessToken: "an access token"
        case .logoutToken: "a logout token (Back-Channel Logout 1.0)"
        case .dpopProof: "a proof of possession (DPoP, RFC 9449)"
        case .clientAssertion: "a client's assertion (RFC 7523)"
        case .requestObject: "an authorization request (RFC 9101)"
        case .authorizationResponse: "an answer of the sign-in page (JARM)"
        case .introspection: "an answer about a token (RFC 9701)"
        case .other: "a token of no known use"
        }
    }

    /// The claims without which it is refused.
    var requiredClaims: [String] {
        switch self {
        case .idToken: ["iss", "sub", "aud", "exp", "iat"]
        case .accessToken: ["iss", "sub", "aud", "exp", "iat", "client_id", "jti"]
        case .logoutToken: ["iss", "aud", "exp", "iat", "jti", "events"]
        case .dpopProof: ["jti", "htm", "htu", "iat"]
        case .clientAssertion: ["iss", "sub", "aud", "exp", "jti"]
        case .requestObject: ["iss", "aud", "client_id"]
        case .authorizationResponse: ["iss", "aud", "exp"]
        case .introspection: ["iss", "aud", "iat", "token_introspection"]
        case .other: []
        }
    }
}
