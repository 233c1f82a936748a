public import TernCrypto
public import TernJOSE

/// A good answer of the token endpoint (RFC 6749 §5.1, OpenID Connect Core 1.0 §3.1.3.3).
public struct TokenResponse: Sendable, Hashable {
    /// The access token, never empty and without control characters.
    public let accessToken: AccessToken
    /// How long the access token lives from the answer on; `nil` where the server does not say so in a way that makes
    /// sense: null, zero, negative, not a number, or above ``maximumLifetime``.
    public let lifetime: Duration?
    /// What renews the access token; `nil` also where the server sent an empty one.
    public let refreshToken: RefreshToken?
    /// What was granted, where the server says so.
    public let scope: Scope?
    /// The ID token, unchecked.
    public let idToken: EncodedIDToken?
    /// The server's clock, where the answer tells.
    public let serverTime: NumericDate?
    /// How the access token is sent.
    public let tokenType: TokenType
    /// Members that no standard names, with their values as they came.
    public let additionalMembers: JSONObject

    /// How an access token is sent (RFC 6749 §7.1).
    public enum TokenType: String, Sendable, Hashable {
        /// As it is: whoever has it may use it (RFC 6750).
        case bearer = "Bearer"
        /// With a proof of the key that it is bound to (RFC 9449 §7.1).
        case dpop = "DPoP"
    }

    /// The longest lifetime believed, in seconds: a hundred years.
    public static let maximumLifetime = 3_155_760_000.0

    /// Reads an answer.
    ///
    /// - Throws: ``TernError``: `serverError`, `transient`, `httpStatus`, `malformedResponse`, `unsupportedTokenType`.
    public init(
        reading response: HTTPResponse, step: Step = .tokenRequest, format: TokenAnswerFormat = TokenAnswerFormat()
    ) throws(TernError) {
        let top = try AnswerBody.object(in: response, step: step, format: format)
        var object = top
        for name in format.tokenPath {
            guard let inner = object[name]?.object else {
                throw TernError(.malformedResponse(field: name, members: top), at: step)
            }
            object = inner
        }
        try self.init(
            members: object, of: top, step: step, format: format,
            serverTime: response.fields["Date"].flatMap { HTTPDate($0)?.date })
    }

    /// Takes members that were read already.
    init(
        members object: JSONObject, of top: JSONObject = [:], step: Step, format: TokenAnswerFormat,
        serverTime: NumericDate? = nil
    ) throws(TernError) {
        // A token with a control character fits into no header field, and would be two lines to a script.
        guard let text = object["access_token"]?.string, !text.isEmpty,
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            throw TernError(.malformedResponse(field: "access_token", members: top), at: step)
        }
        tokenType = try Self.type(object["token_type"], format, step)
        accessToken = AccessToken(text)
        lifetime = Self.lifetime(in: object)
        refreshToken = object["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : RefreshToken($0) }
        idToken = object["id_token"]?.string.flatMap { $0.isEmpty ? nil : EncodedIDToken($0) }
        scope = Self.scope(object["scope"], separator: format.scopeSeparator)
        self.serverTime = serverTime
        additionalMembers = Self.additionalMembers(of: object)
    }

    private static func additionalMembers(of object: JSONObject) -> JSONObject {
        var rest: JSONObject = [:]
        for (name, value) in object {
            switch name {
            case "access_token", "token_type", "expires_in", "refresh_token", "scope", "id_token": break
            default: rest[name] = value
            }
        }
        return rest
    }

    private static func type(
        _ type: JSON?, _ format: TokenAnswerFormat, _ step: Step
    ) throws(TernError) -> TokenType {
        guard let name = type?.string, !name.isEmpty, !name.equalsIgnoringASCIICase("bearer") else { return .bearer }
        if name.equalsIgnoringASCIICase("dpop") { return .dpop }
        guard format.bearerLikeTypes.contains(where: name.equalsIgnoringASCIICase) else {
            throw TernError(.unsupportedTokenType(ServerError.cleaned(name)), at: step)
        }
        return .bearer
    }

    private static func lifetime(in object: JSONObject) -> Duration? {
        let seconds: Double? =
            switch object["expires_in"] {
            case .number(let number): number.double
            case .string(let digits) where !digits.isEmpty && digits.utf8.allSatisfy(\.isASCIIDigit): Double(digits)
            default: nil
            }
        guard let seconds, seconds > 0, seconds <= maximumLifetime else { return nil }
        return .seconds(seconds)
    }

    private static func scope(_ json: JSON?, separator: String?) -> Scope? {
        guard let scope = Scope(json), !scope.isEmpty else { return nil }
        guard let separator = separator?.first else { return scope }
        return Scope(scope.values.flatMap { $0.split(separator: separator).map(String.init) })
    }
}

extension TokenResponse: CustomStringConvertible, CustomReflectable {
    /// What is there, without the values.
    public var description: String {
        "token response" + (refreshToken == nil ? "" : " with refresh token") + (idToken == nil ? "" : " with ID token")
    }

    /// A mirror without children: additional members may be secrets.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
