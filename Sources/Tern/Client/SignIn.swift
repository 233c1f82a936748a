internal import TernCrypto
public import TernJOSE
internal import TernOAuth1
public import TernProtocol

/// A sign-in that has begun: the address to open, and everything that is needed to finish it, in this process or after
/// it has died. It encodes to a form that holds the verifier: keep it where tokens are kept.
public struct SignIn: Sendable, Hashable, Codable {
    /// The address to open.
    public let address: URI
    /// When it began.
    public let begunAt: NumericDate
    /// Until when its callback is taken.
    public let expiresAt: NumericDate
    /// Under which name the credential will be stored: the name of a ``StoreKey``.
    public let account: String
    /// What the application put into ``SignInOptions/attachment``.
    public let attachment: JSONObject
    let clientID: String
    /// How the configuration names the server, which is known without asking it.
    let server: String
    let issuer: String?
    let requiresIssuer: Bool
    let redirectURI: RedirectURI
    let state: String
    let nonce: String?
    let proof: Proof
    let scope: Scope
    let maxAge: Duration?
    let acrValues: [String]
    let expectedSubject: String?
    /// The key that the tokens will be bound to.
    let dpop: DPoPBinding?
    /// The APIs that the tokens will be for.
    let resources: [URI]
    /// Whether the store holds it as pending until it is finished.
    let isKept: Bool
    /// What the answer brings.
    var responseType = ResponseType.code
    /// Where the answer comes; never `jwt`, which leaves that open.
    var responseMode = AuthorizationRequest.ResponseMode.query
    /// How the provider's callbacks differ from the standard.
    var callbackQuirks = CallbackQuirks()

    /// What proves at the exchange that the sign-in was begun here.
    enum Proof: Sendable, Hashable {
        /// OAuth 2: the verifier whose challenge was sent.
        case codeVerifier(CodeVerifier)
        /// OAuth 1.0a: the secret of the temporary credentials, whose token is the ``SignIn/state``.
        case temporaryCredentials(OAuth1TokenSecret, allowsMissingVerifier: Bool)
    }

    /// What a good callback brings.
    enum Answer {
        case code(AuthorizationResponse, CodeVerifier)
        case tokens(ImplicitResponse)
        case verifier(OAuth1Verifier?, OAuth1TokenSecret)
    }

    /// Reads a callback; a signed answer as the plain one that was made of it.
    ///
    /// - Returns: `nil` when the address did not arrive at the redirect URI and so is somebody else's.
    /// - Throws: what is wrong with it.
    func answer(in callback: URI, delivery: CallbackDelivery) throws(TernError) -> Answer? {
        let callback = callbackQuirks.standard(callback)
        switch proof {
        case .codeVerifier(let verifier):
            let expected = expectation(delivery).withoutSignature
            guard responseType.hasCode else {
                return try ImplicitResponse(callback: callback, expecting: expected).map { .tokens($0) }
            }
            return try AuthorizationResponse(callback: callback, expecting: expected).map { .code($0, verifier) }
        case .temporaryCredentials(let secret, let allowsMissingVerifier):
            let expected = OAuth1AuthorizationResponse.Expectation(
                redirectURI: redirectURI, token: AccessToken(state), allowsMissingVerifier: allowsMissingVerifier,
                delivery: delivery)
            let response = try OAuth1AuthorizationResponse(callback: callback, expecting: expected)
            return response.map { .verifier($0.verifier, secret) }
        }
    }

    /// What the callback is held against, with OAuth 2.
    public func expectation(_ delivery: CallbackDelivery) -> AuthorizationResponse.Expectation {
        var expected = AuthorizationResponse.Expectation(
            redirectURI: redirectURI, state: state, issuer: issuer, requiresIssuer: requiresIssuer,
            responseMode: responseMode, delivery: delivery)
        expected.responseType = responseType
        return expected
    }

    /// How old the login may be by now. The server counts from the request, and users take their time (OpenID Connect Core
    /// 1.0 §3.1.2.1).
    func maximumLoginAge(at now: NumericDate) -> Duration? {
        maxAge.map { $0 + .seconds(max(0, now.secondsSince1970 - begunAt.secondsSince1970)) }
    }

    /// What an arriving address is to this sign-in. Nothing is used up by asking. A signed answer is not verified here: that
    /// takes the server's keys, and ``OAuthClient/finish(_:callback:delivery:)`` does it before anything is believed.
    public func judge(_ callback: URI, delivery: CallbackDelivery) -> CallbackVerdict {
        do throws(TernError) {
            var plain = callback
            if responseMode.isSigned {
                let signed = try SignedAuthorizationResponse(callback: callback, expecting: expectation(delivery))
                guard let signed else { return .notMine }
                plain = try signed.unverifiedCallback()
            }
            return try answer(in: plain, delivery: delivery) == nil ? .notMine : .success
        } catch {
            switch error.reason {
            case .serverError(let words): return .failure(words.detail ?? words.code)
            // A stranger can send these through an open address; they must not be able to end the sign-in.
            case .stateMismatch where delivery != .system: return .refused(error.code)
            // Any page in the browser can post a form, so that one nobody asked for does not either.
            case .unexpectedResponseMode(_, let received) where delivery == .open && received.hasPrefix("form_post"):
                return .refused(error.code)
            case .malformedCallback where delivery == .open && callback.states != [state],
                .unexpectedResponseMode where delivery == .open && callback.states != [state]:
                return .refused(error.code)
            default: return .failure(error.explanation.whatHappened)
            }
        }
    }
}

extension SignIn: CustomStringConvertible, CustomReflectable {
    /// Says that a sign-in is here.
    public var description: String { "<sign-in>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What a sign-in should be like beyond the client's configuration.
public struct SignInOptions: Sendable {
    /// What is asked for, in the place of the configuration's.
    public var scope: Scope?
    /// What the user is asked; several values may stand together, `none` only alone.
    public var prompt: [AuthorizationRequest.Prompt] = []
    /// How the page is shown (OpenID Connect Core 1.0 §3.1.2.1).
    public var display: AuthorizationRequest.Display?
    /// How old the login may be, in whole seconds; the ID token must then prove it with `auth_time`.
    public var maxAge: Duration?
    /// A name that the user probably logs in with.
    public var loginHint: String?
    /// The user's languages for the page, the best first (BCP 47).
    public var uiLocales: [String] = []
    /// The user's languages for claims, the best first (BCP 47).
    public var claimsLocales: [String] = []
    /// The authentication contexts (`acr`) of which one must be met, the best first.
    public var acrValues: [String] = []
    /// An ID token of the user that should be signed in.
    public var idTokenHint: EncodedIDToken?
    /// What the answer brings, in the place of the configuration's.
    public var responseType: ResponseType?
    /// How the answer comes back, in the place of the configuration's.
    public var responseMode: AuthorizationRequest.ResponseMode?
    /// Whether the caller's name says that tokens come through the browser.
    var exposesTokens = false
    /// The claims request (OpenID Connect Core 1.0 §5.5).
    public var claims: JSONObject?
    /// What the client may do, said more exactly than the scope can (RFC 9396).
    public var authorizationDetails: [AuthorizationDetail] = []
    /// The APIs that the token is for (RFC 8707), in the place of the configuration's where there is any.
    public var resources: [URI] = []
    /// Any further parameters of the authorization request.
    public var additionalParameters: FormParameters = [:]
    /// The user who must sign in; anybody else is refused.
    public var expectedSubject: String?
    /// Under which name the credential is stored, in the place of the configuration's.
    public var account: StoreKey?
    /// What happens when another sign-in of this client is under way.
    public var whenBusy: WhenBusy = .fail
    /// Whether the store keeps the sign-in until it is finished, so that a new process can finish it by its callback
    /// alone, and no two processes take one callback. A server that keeps each ``SignIn`` in the user's web session turns
    /// this off, and sees to it itself that each is finished once: a store keeps the newest 16.
    public var keepsPending = true
    /// What the application wants to find again when a new process finishes the sign-in, such as the place at which the
    /// user was. It is kept with the verifier and goes to no server; at most 16 KiB as JSON.
    public var attachment: JSONObject = [:]

    /// The largest attachment, in bytes of JSON.
    public static let maximumAttachmentByteCount = 16 << 10

    /// What happens when another sign-in of this client is under way.
    public enum WhenBusy: Sendable, Hashable {
        /// The new one fails with `loginInProgress` and the other goes on.
        case fail
        /// The other is cancelled and the new one goes on.
        case takeOver
    }

    /// Plain options.
    public init() {}
}
