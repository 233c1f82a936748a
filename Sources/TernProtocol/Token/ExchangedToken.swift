public import TernCrypto
public import TernJOSE

/// The purpose of the text inside a ``TypedToken`` and an ``ExchangedToken``.
public enum SecurityTokenPurpose: Sendable {}
/// A token of any kind (RFC 8693 §1).
public typealias SecurityToken = Secret<SecurityTokenPurpose>

/// What kind of token it is, by its URI (RFC 8693 §3).
public struct TokenType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The URI.
    public let rawValue: String

    /// A kind by its URI.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An access token that the server issued.
    public static let accessToken = TokenType(rawValue: "urn:ietf:params:oauth:token-type:access_token")
    /// A refresh token that the server issued.
    public static let refreshToken = TokenType(rawValue: "urn:ietf:params:oauth:token-type:refresh_token")
    /// An ID token.
    public static let idToken = TokenType(rawValue: "urn:ietf:params:oauth:token-type:id_token")
    /// A JWT, whoever issued it.
    public static let jwt = TokenType(rawValue: "urn:ietf:params:oauth:token-type:jwt")
    /// A SAML 1.1 assertion in Base64url.
    public static let saml1 = TokenType(rawValue: "urn:ietf:params:oauth:token-type:saml1")
    /// A SAML 2.0 assertion in Base64url.
    public static let saml2 = TokenType(rawValue: "urn:ietf:params:oauth:token-type:saml2")

    /// The URI.
    public var description: String { rawValue }
}

/// A token with what it is.
public struct TypedToken: Sendable, Hashable {
    /// The token.
    public let token: SecurityToken
    /// What it is.
    public let type: TokenType

    /// Takes a token of any kind.
    public init(_ token: SecurityToken, type: TokenType) {
        self.token = token
        self.type = type
    }

    /// An access token.
    public init(_ token: AccessToken) { self.init(SecurityToken(token.exposedText), type: .accessToken) }

    /// A refresh token.
    public init(_ token: RefreshToken) { self.init(SecurityToken(token.exposedText), type: .refreshToken) }

    /// An ID token.
    public init(_ token: EncodedIDToken) { self.init(SecurityToken(token.exposedText), type: .idToken) }
}

/// What came of a token exchange (RFC 8693 §2.2.1).
public struct ExchangedToken: Sendable, Hashable {
    /// The issued token, whatever it is.
    public let token: SecurityToken
    /// What it is.
    public let type: TokenType
    /// The same as an access token; `nil` where it is none (`token_type` is `N_A`).
    public let accessToken: AccessToken?
    /// How long it lives from the answer on; `nil` where the server does not say so in a way that makes sense.
    public let lifetime: Duration?
    /// What was granted, where the server says so.
    public let scope: Scope?
    /// What renews the token, where the server issued it.
    public let refreshToken: RefreshToken?
    /// Members that no standard names, with their values as they came.
    public let additionalMembers: JSONObject

    /// Reads an answer.
    ///
    /// - Throws: ``TernError``: `malformedResponse` with the field `issued_token_type` where the server does not say what it
    ///   issued; what ``TokenResponse/init(reading:step:format:)`` throws.
    public init(
        reading response: HTTPResponse, step: Step = .tokenRequest, format: TokenAnswerFormat = TokenAnswerFormat()
    ) throws(TernError) {
        // What cannot be sent to an API needs no type that can be; everything else is read as usual.
        var tolerant = format
        tolerant.bearerLikeTypes.append(Self.notApplicable)
        let tokens = try TokenResponse(reading: response, step: step, format: tolerant)
        var object = try AnswerBody.object(in: response, step: step, format: format)
        for name in format.tokenPath { object = object[name]?.object ?? object }
        guard let type = object["issued_token_type"]?.string, !type.isEmpty else {
            throw TernError(.malformedResponse(field: "issued_token_type"), at: step)
        }
        let isAccessToken = !(object["token_type"]?.string?.equalsIgnoringASCIICase(Self.notApplicable) ?? false)
        token = SecurityToken(tokens.accessToken.exposedText)
        self.type = TokenType(rawValue: type)
        accessToken = isAccessToken ? tokens.accessToken : nil
        lifetime = tokens.lifetime
        scope = tokens.scope
        refreshToken = tokens.refreshToken
        var rest = tokens.additionalMembers
        rest["issued_token_type"] = nil
        additionalMembers = rest
    }

    /// How a token is called that cannot be sent to an API.
    private static let notApplicable = "N_A"
}

extension ExchangedToken: CustomStringConvertible, CustomReflectable {
    /// What kind of token is here.
    public var description: String { "<exchanged token: \(ServerError.cleaned(type.rawValue))>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
