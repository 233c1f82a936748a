/// How an API refuses a call: the status and the field `WWW-Authenticate` (RFC 6750 §3, RFC 9470 §3, RFC 9728 §5.1).
///
/// Made of the error with which a ``JWTAccessToken`` was refused, or piece by piece. The text is in ASCII; what cannot stand
/// in a field is left out. It tells the client what to do and nothing of the token.
public struct BearerChallenge: Sendable, Hashable {
    /// The codes that such a challenge may carry.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The call is malformed: status 400.
        case invalidRequest = "invalid_request"
        /// The token is not accepted: status 401.
        case invalidToken = "invalid_token"
        /// The token is good, and more scope is wanted: status 403.
        case insufficientScope = "insufficient_scope"
        /// The token is good, and a stronger or newer login is wanted: status 401 (RFC 9470 §3).
        case insufficientUserAuthentication = "insufficient_user_authentication"
    }

    /// The scheme: `Bearer`, or `DPoP` (RFC 9449 §7.1).
    public var scheme = "Bearer"
    /// What the API calls itself.
    public var realm: String?
    /// What is wrong; `nil` where the call carries no token, which is no error (RFC 6750 §3.1).
    public var code: Code?
    /// A text for developers.
    public var detail: String?
    /// The scope that is wanted.
    public var scope: Scope?
    /// The authentication contexts of which one is wanted (RFC 9470 §3).
    public var acrValues: [String] = []
    /// How old the login may be, in whole seconds (RFC 9470 §3).
    public var maxAge: Duration?
    /// Where the metadata of the API is (RFC 9728 §5.1).
    public var resourceMetadata: URI?
    /// The algorithms that DPoP proofs may be signed with (RFC 9449 §7.1), for that scheme.
    public var algorithms: [String] = []

    /// Makes a challenge.
    public init(_ code: Code? = nil, detail: String? = nil) {
        self.code = code
        self.detail = detail
    }

    /// The challenge that tells why a token was refused. Trouble that is not the caller's (the keys could not be fetched, for
    /// example) says nothing about the token: ask ``isAbout(_:)`` first where such can arrive.
    public init(_ error: TernError) {
        switch error.tokenRejection {
        case .missing: self.init()
        case .malformed("field Authorization"): self.init(.invalidRequest, detail: "the field cannot be read")
        case .insufficientScope(let scope):
            self.init(.insufficientScope, detail: "more scope is wanted")
            self.scope = scope
        case .insufficientAuthentication(let acrValues, let maxAge):
            self.init(.insufficientUserAuthentication, detail: "another login is wanted")
            self.acrValues = acrValues
            self.maxAge = maxAge
        case .expired: self.init(.invalidToken, detail: "the access token expired")
        case .bindingMismatch: self.init(.invalidToken, detail: "the proof of possession does not fit")
        default: self.init(.invalidToken, detail: "the access token is not accepted")
        }
    }

    /// Whether an error is about the caller's token, so that a challenge is the right answer; everything else is the API's
    /// own trouble, for which a status of 5xx fits.
    public static func isAbout(_ error: TernError) -> Bool { error.tokenRejection != nil }

    /// The status of the answer.
    public var status: Int {
        switch code {
        case nil, .invalidToken, .insufficientUserAuthentication: 401
        case .invalidRequest: 400
        case .insufficientScope: 403
        }
    }

    /// The value of the field `WWW-Authenticate`.
    public var fieldValue: String {
        var parameters: [(String, String)] = []
        func add(_ name: String, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            parameters.append((name, value))
        }
        add("realm", realm)
        add("error", code?.rawValue)
        add("error_description", code == nil ? nil : detail)
        add("scope", scope?.text)
        add("acr_values", acrValues.joined(separator: " "))
        add("max_age", maxAge.map { String(max(0, $0.components.seconds)) })
        add("resource_metadata", resourceMetadata?.text)
        add("algs", algorithms.joined(separator: " "))
        guard !parameters.isEmpty else { return scheme }
        return scheme + " " + parameters.map { "\($0.0)=\"\(Self.quoted($0.1))\"" }.joined(separator: ", ")
    }

    /// The whole answer, without a body.
    public var response: HTTPResponse {
        HTTPResponse(status: status, fields: ["WWW-Authenticate": fieldValue, "Cache-Control": "no-store"])
    }

    /// The inside of a quoted string (RFC 9110 §5.6.4): printable ASCII, two characters escaped.
    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 where (0x20...0x7E).contains(byte) {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
