public import TernJOSE

/// What went wrong, at which step of the round trip, and what to do about it.
///
/// There is one error type. ``reason`` is for programs, ``code`` is its stable name for logs and scripts, and
/// ``explanation`` is for people. No error holds a token, a code, a verifier or a secret, nor the query of an address.
public struct TernError: Error, Sendable, Hashable {
    /// What went wrong.
    public let reason: Reason
    /// Where in the round trip.
    public let step: Step
    /// What was known besides, which orders the causes in ``explanation``.
    public internal(set) var evidence = Evidence()

    /// Makes an error.
    public init(_ reason: Reason, at step: Step) {
        self.reason = reason
        self.step = step
    }

    /// The stable name of the reason, for logs, scripts and tests.
    public var code: String { reason.code }

    /// The server's own words, where it said something.
    public var serverError: ServerError? {
        switch reason {
        case .serverError(let error), .reauthenticationRequired(let error?): error
        default: nil
        }
    }

    /// The same failure without the given secrets in the server's words.
    public func scrubbed(of secrets: [String]) -> TernError {
        switch reason {
        case .serverError(let error): with(.serverError(error.scrubbed(of: secrets)))
        case .reauthenticationRequired(let error): with(.reauthenticationRequired(error?.scrubbed(of: secrets)))
        default: self
        }
    }

    /// The same failure, which remembers how the client had authenticated where the server refused it for that.
    package func refusing(_ authentication: ClientAuthentication) -> TernError {
        guard case .serverError(var error) = reason,
            ["invalid_client", "invalid_client_attestation"].contains(error.code)
        else { return self }
        switch authentication {
        case .none, .basic, .post, .rawBasic: return self
        case .secretJWT, .privateKeyJWT, .tls, .attestation:
            error.refusedAuthenticationMethod = authentication.methodName
        }
        return with(.serverError(error))
    }

    /// The same failure at another step.
    public func at(_ step: Step) -> TernError { TernError(reason, at: step).with(evidence) }

    /// The same failure with another reason, about which the same is known.
    public func with(_ reason: Reason) -> TernError { TernError(reason, at: step).with(evidence) }

    /// Whether reason and step are the same.
    public static func == (one: TernError, other: TernError) -> Bool {
        one.step == other.step && one.reason == other.reason
    }

    /// Feeds reason and step.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(step)
        hasher.combine(reason)
    }
}

/// The steps of the round trip.
public enum Step: String, Sendable, Hashable, CaseIterable {
    /// Reading what the application was configured with.
    case configuration
    /// Fetching the server's metadata (OpenID Connect Discovery 1.0, RFC 8414).
    case discovery
    /// Fetching the server's keys.
    case keys
    /// Asking for the temporary credentials of OAuth 1.0a (RFC 5849 §2.1).
    case temporaryCredentials
    /// Building the authorization request.
    case authorizationRequest
    /// Handing the authorization request to the server ahead of the browser (RFC 9126).
    case pushedAuthorization
    /// Asking for the codes of a device, and waiting until the user is done elsewhere (RFC 8628).
    case deviceAuthorization
    /// Having the server ask the user, and waiting for the answer (OpenID Connect CIBA Core 1.0).
    case backchannelAuthentication
    /// Showing the page and waiting for the callback.
    case userAgent
    /// Reading the callback.
    case authorizationResponse
    /// Exchanging the code for tokens.
    case tokenRequest
    /// Renewing the tokens.
    case refresh
    /// Checking the ID token.
    case idToken
    /// Asking for user information.
    case userInfo
    /// Revoking a token.
    case revocation
    /// Asking the server about a token (RFC 7662).
    case introspection
    /// Ending the session at the server.
    case logout
    /// Registering the client, or looking after its registration (RFC 7591, RFC 7592).
    case registration
    /// Calling an API.
    case resourceRequest
    /// Loading or saving a credential.
    case storage
    /// Serving the authorization server of the test library.
    case serving

    /// The step in words that fit behind "while".
    public var phrase: String {
        switch self {
        case .configuration: "reading the configuration"
        case .discovery: "fetching the server's metadata"
        case .keys: "fetching the server's keys"
        case .temporaryCredentials: "asking for temporary credentials"
        case .authorizationRequest: "building the authorization request"
        case .pushedAuthorization: "handing the authorization request to the server"
        case .deviceAuthorization: "waiting for the user to sign in on another device"
        case .backchannelAuthentication: "waiting for the user's answer on their device"
        case .userAgent: "waiting for the user to come back from the sign-in page"
        case .authorizationResponse: "reading the callback"
        case .tokenRequest: "exchanging the code for tokens"
        case .refresh: "renewing the tokens"
        case .idToken: "checking the ID token"
        case .userInfo: "asking for user information"
        case .revocation: "revoking the token"
        case .introspection: "asking the server about a token"
        case .logout: "ending the session at the server"
        case .registration: "registering the client"
        case .resourceRequest: "calling the API"
        case .storage: "reading or writing the credential store"
        case .serving: "serving a request"
        }
    }
}

/// The server's own words: an error answer of RFC 6749 §4.1.2.1 and §5.2, bounded and cleaned of control characters.
public struct ServerError: Sendable, Hashable {
    /// The code, whatever it is; codes that no RFC knows are kept.
    public let code: String
    /// The text for developers, where the server sent one.
    public let detail: String?
    /// The address of a page about the error, where the server sent one.
    public let uri: String?
    /// The status of the HTTP answer; `nil` for an error that came with a callback.
    public let status: Int?
    /// The members of the JSON object that carried the error, for what no standard names.
    public let members: JSONObject
    /// Whether the callback that carried the error lacked the state of the sign-in.
    public let stateWasMissing: Bool
    /// How the client had authenticated, by the name of the method, where the server refused the client for it.
    public package(set) var refusedAuthenticationMethod: String?

    /// The longest text kept of each part, in characters.
    public static let maximumLength = 400

    /// Keeps the words, cut to ``maximumLength`` and without control characters. An empty text counts as none: some
    /// servers send every parameter of an error always.
    public init(
        code: String, detail: String? = nil, uri: String? = nil, status: Int? = nil, members: JSONObject = [:],
        stateWasMissing: Bool = false
    ) {
        self.code = Self.cleaned(code)
        self.detail = detail.map(Self.cleaned).flatMap { $0.isEmpty ? nil : $0 }
        self.uri = uri.map(Self.cleaned).flatMap { $0.isEmpty ? nil : $0 }
        self.status = status
        self.members = members
        self.stateWasMissing = stateWasMissing
    }

    /// The same words with every occurrence of the given secrets left out, as they are and percent-encoded: some servers
    /// repeat what they were sent.
    public func scrubbed(of secrets: [String]) -> ServerError {
        // The longest first: a secret that begins with another one would leave its rest behind.
        let forms = Set(secrets + secrets.map(PercentCodec.encode)).sorted { $0.utf8.count > $1.utf8.count }
        func scrub(_ text: String) -> String {
            let whole = forms.reduce(text) { $1.isEmpty ? $0 : $0.replacingEvery($1, with: "<secret>") }
            // Where the text was cut, the beginning of a secret may have stayed.
            guard text.unicodeScalars.count >= Self.maximumLength else { return whole }
            return forms.reduce(whole) { $0.replacingTail(of: $1, with: "<secret>") }
        }
        var scrubbed = ServerError(
            code: scrub(code), detail: detail.map(scrub), uri: uri.map(scrub), status: status,
            members: members.mapStrings(scrub), stateWasMissing: stateWasMissing)
        scrubbed.refusedAuthenticationMethod = refusedAuthenticationMethod
        return scrubbed
    }

    package static func cleaned(_ text: String) -> String {
        let clean = text.unicodeScalars.lazy.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
        return String(String.UnicodeScalarView(clean.prefix(maximumLength)))
    }
}

extension TernError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The explanation in one paragraph, with the code in brackets.
    public var description: String { "\(explanation.whatHappened) [\(code), while \(step.phrase)]" }

    /// The same as ``description``.
    public var debugDescription: String { description }
}

extension TernError: CustomReflectable {
    /// A mirror that shows the code and the step alone.
    public var customMirror: Mirror { Mirror(self, children: ["code": code, "step": step.rawValue]) }
}

extension ServerError: CustomStringConvertible, CustomReflectable {
    /// The code alone.
    public var description: String { code }

    /// A mirror that shows the code alone: what a server says may hold anything.
    public var customMirror: Mirror { Mirror(self, children: ["code": code]) }
}

extension JSONObject {
    /// The same object with every text in it changed.
    func mapStrings(_ transform: (String) -> String) -> JSONObject {
        var changed: JSONObject = [:]
        for (name, value) in self { changed[name] = value.mapStrings(transform) }
        return changed
    }
}

extension JSON {
    fileprivate func mapStrings(_ transform: (String) -> String) -> JSON {
        switch self {
        case .string(let text): .string(transform(text))
        case .array(let list): .array(list.map { $0.mapStrings(transform) })
        case .object(let object): .object(object.mapStrings(transform))
        case .null, .bool, .number: self
        }
    }
}
