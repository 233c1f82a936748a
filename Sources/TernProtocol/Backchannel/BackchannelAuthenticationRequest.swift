public import TernCrypto
internal import TernJOSE

/// The purpose of ``LoginHintToken``.
public enum LoginHintTokenPurpose: Sendable {}
/// A token that says who shall be asked, in a form that client and server have agreed on.
public typealias LoginHintToken = Secret<LoginHintTokenPurpose>
/// The purpose of ``BackchannelUserCode``.
public enum BackchannelUserCodePurpose: Sendable {}
/// A code that only the user knows, and which keeps strangers from asking.
public typealias BackchannelUserCode = Secret<BackchannelUserCodePurpose>
/// The purpose of ``ClientNotificationToken``.
public enum ClientNotificationTokenPurpose: Sendable {}
/// What the server shows at the client's notification endpoint.
public typealias ClientNotificationToken = Secret<ClientNotificationTokenPurpose>

/// Has the server ask a user on a device of theirs, without a browser here (OpenID Connect CIBA Core 1.0 §7.1).
public struct BackchannelAuthenticationRequest: Exchange {
    /// Who shall be asked; there is exactly one hint.
    public enum Hint: Sendable, Hashable {
        /// A name that the server knows the user by.
        case login(String)
        /// A token that says who it is.
        case token(LoginHintToken)
        /// An ID token of the user, which may be over.
        case idToken(EncodedIDToken)
    }

    /// The backchannel authentication endpoint.
    public var endpoint: URI
    /// Who shall be asked.
    public var hint: Hint
    /// What is asked for, `openid` included.
    public var scope: Scope
    /// A short text that the user sees on both devices, so that they belong together.
    public var bindingMessage: String?
    /// The user's code, where the server wants one.
    public var userCode: BackchannelUserCode?
    /// How long the request shall live, in whole seconds.
    public var requestedExpiry: Duration?
    /// The authentication contexts (`acr`) of which one must be met, the best first.
    public var acrValues: [String] = []
    /// What the server shows when it calls the client (ping and push); `nil` where the client polls.
    public var notificationToken: ClientNotificationToken?
    /// Any further parameters.
    public var additionalParameters: FormParameters = [:]

    /// The longest notification token, in characters (§7.1).
    public static let maximumNotificationTokenLength = 1_024

    /// Makes the exchange.
    public init(endpoint: URI, hint: Hint, scope: Scope) {
        self.endpoint = endpoint
        self.hint = hint
        self.scope = scope
    }

    /// ``Step/backchannelAuthentication``.
    public var step: Step { .backchannelAuthentication }

    /// The hint, where it is a token, the user's code and the notification token.
    public var secrets: [String] {
        let hinted: String? =
            switch hint {
            case .login: nil
            case .token(let token): token.exposedText
            case .idToken(let token): token.exposedText
            }
        return [hinted, userCode?.exposedText, notificationToken?.exposedText].compactMap(\.self)
    }

    /// The request, without client authentication.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` for a scope without `openid`, for a notification token that is
    ///   empty, too long or no bearer token, and for an additional parameter that is set here already.
    public func request() throws(TernError) -> HTTPRequest {
        func invalid(_ field: String, _ problem: String) -> TernError {
            TernError(.invalidConfiguration(field: field, problem: problem), at: step)
        }
        guard scope.contains("openid") else { throw invalid("scope", "\"openid\" is missing") }
        var form: FormParameters = ["scope": scope.text]
        if let token = notificationToken?.exposedText {
            guard (1...Self.maximumNotificationTokenLength).contains(token.utf8.count),
                token.utf8.allSatisfy({ $0.isUnreserved || "+/=".utf8.contains($0) })
            else { throw invalid("client_notification_token", "it is no bearer token of a legal length") }
            form.append("client_notification_token", token)
        }
        form.append("acr_values", ifPresent: acrValues.isEmpty ? nil : acrValues.joined(separator: " "))
        switch hint {
        case .login(let name): form.append("login_hint", name)
        case .token(let token): form.append("login_hint_token", token.exposedText)
        case .idToken(let token): form.append("id_token_hint", token.exposedText)
        }
        form.append("binding_message", ifPresent: bindingMessage)
        form.append("user_code", ifPresent: userCode?.exposedText)
        form.append("requested_expiry", ifPresent: requestedExpiry.map { "\(max(1, $0.components.seconds))" })
        return try TokenEndpoint.request(endpoint, form, additional: additionalParameters, step: step)
    }

    /// Reads the answer.
    ///
    /// - Throws: ``TernError``: `serverError`, `transient`, `httpStatus`; `malformedResponse` with the field `auth_req_id`.
    public func answer(from response: HTTPResponse) throws(TernError) -> BackchannelAuthentication {
        let object = try AnswerBody.object(in: response, step: step)
        guard let id = object["auth_req_id"]?.string, !id.isEmpty else {
            throw TernError(.malformedResponse(field: "auth_req_id"), at: step)
        }
        return BackchannelAuthentication(
            requestID: BackchannelRequestID(id), lifetime: object["expires_in"]?.positiveSeconds,
            interval: object["interval"]?.positiveSeconds ?? BackchannelAuthentication.standardInterval)
    }
}
