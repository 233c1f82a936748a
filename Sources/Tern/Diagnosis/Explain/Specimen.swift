internal import TernJOSE
internal import TernProtocol

/// A text that a person has in hand and does not understand, such as a callback, a token or an error code.
///
/// ```swift
/// let specimen = Specimen("com.example.app:/callback?error=access_denied&state=af0ifjs")
/// let findings = specimen.findings(in: ExplanationContext(now: SystemWallClock().now))
/// ```
///
/// Nothing is fetched, and the findings hold no secret of the text: of a code, a token, a state or a private key they tell
/// the length alone.
public struct Specimen: Sendable {
    /// What a text can be.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An address with which the browser came back (RFC 6749 §4.1.2, RFC 5849 §2.2).
        case callback
        /// An address that the browser is to open (RFC 6749 §4.1.1).
        case authorizationURL = "authorization_url"
        /// A good answer of the token endpoint (RFC 6749 §5.1).
        case tokenAnswer = "token_answer"
        /// A bad answer of an endpoint (RFC 6749 §5.2).
        case errorAnswer = "error_answer"
        /// The codes for a sign-in on another device (RFC 8628 §3.2).
        case deviceAnswer = "device_answer"
        /// The reference to a pushed request (RFC 9126 §2.2).
        case pushedAnswer = "pushed_answer"
        /// What a server says about a token (RFC 7662 §2.2).
        case introspectionAnswer = "introspection_answer"
        /// A signed token (RFC 7519).
        case jwt
        /// An encrypted token (RFC 7516).
        case jwe
        /// A set of keys (RFC 7517 §5).
        case keySet = "key_set"
        /// One key (RFC 7517 §4).
        case key
        /// What an authorization server says about itself (RFC 8414 §2, OpenID Connect Discovery 1.0 §3).
        case serverMetadata = "server_metadata"
        /// What an API says about itself (RFC 9728 §2).
        case resourceMetadata = "resource_metadata"
        /// A field `WWW-Authenticate` (RFC 9110 §11.6.1).
        case challenge
        /// Claims that nobody signed.
        case claims
        /// What is signed of a request of OAuth 1.0a (RFC 5849 §3.4.1).
        case oauth1BaseString = "oauth1_base_string"
        /// A field `Authorization` of OAuth 1.0a (RFC 5849 §3.5.1).
        case oauth1Header = "oauth1_header"
        /// The name of an error, of Tern's or of the standards'.
        case errorCode = "error_code"

        /// The kind in words, with an article.
        public var words: String {
            switch self {
            case .callback: "a callback URL"
            case .authorizationURL: "an authorization URL"
            case .tokenAnswer: "an answer of the token endpoint"
            case .errorAnswer: "an error answer"
            case .deviceAnswer: "an answer with codes for another device"
            case .pushedAnswer: "an answer to a pushed authorization request"
            case .introspectionAnswer: "an answer about a token (introspection)"
            case .jwt: "a signed token (JWT)"
            case .jwe: "an encrypted token (JWE)"
            case .keySet: "a key set (JWK set)"
            case .key: "a key (JWK)"
            case .serverMetadata: "the metadata of an authorization server"
            case .resourceMetadata: "the metadata of an API"
            case .challenge: "a WWW-Authenticate challenge"
            case .claims: "a set of claims"
            case .oauth1BaseString: "a signature base string of OAuth 1.0a"
            case .oauth1Header: "an Authorization header of OAuth 1.0a"
            case .errorCode: "an error code"
            }
        }
    }

    /// The longest text that is looked at, in bytes: 1 MiB.
    public static let maximumByteCount = 1 << 20

    /// What the text is; `nil` for what fits nothing.
    public let kind: Kind?
    let text: String
    private let problem: String?

    /// Takes a text, and finds out what it is.
    ///
    /// - Parameters:
    ///   - text: the text; of more than ``maximumByteCount`` bytes nothing is looked at.
    ///   - kind: what the text is to be taken for; `nil` where that is to be found out.
    public init(_ text: String, as kind: Kind? = nil) {
        guard text.utf8.count <= Self.maximumByteCount else {
            (self.text, self.kind, problem) = ("", nil, "it has more than \(Self.maximumByteCount) bytes")
            return
        }
        let tidy = SpecimenRecognition.tidied(text)
        self.text = tidy
        if let kind {
            (self.kind, problem) = (kind, nil)
        } else {
            (self.kind, problem) = SpecimenRecognition.kind(of: tidy)
        }
    }

    /// Takes bytes; what is no UTF-8 in them is replaced.
    ///
    /// - Parameters:
    ///   - bytes: the text's bytes.
    ///   - kind: what the text is to be taken for; `nil` where that is to be found out.
    public init(_ bytes: [UInt8], as kind: Kind? = nil) {
        self.init(String(decoding: bytes.prefix(Self.maximumByteCount + 1), as: UTF8.self), as: kind)
    }

    /// What there is to say about the text: what is right with it, what is wrong, and what Tern would do.
    ///
    /// The first finding about a token, ``Kind/jwt`` or ``Kind/jwe``, is called `verified`; it has passed only when the
    /// signature fits one of the keys that were given and nothing else is wrong.
    ///
    /// - Parameter context: what is known beside the text.
    public func findings(in context: ExplanationContext) -> [Finding] {
        guard let kind else { return [unrecognised] }
        let found: [Finding] =
            switch kind {
            case .callback: CallbackExplanation.findings(of: text, context)
            case .authorizationURL: AuthorizationURLExplanation.findings(of: text, context)
            case .tokenAnswer, .errorAnswer: TokenAnswerExplanation.findings(of: text, context)
            case .deviceAnswer: OtherAnswerExplanation.deviceFindings(of: text)
            case .pushedAnswer: OtherAnswerExplanation.pushedFindings(of: text)
            case .introspectionAnswer: OtherAnswerExplanation.introspectionFindings(of: text, context)
            case .jwt: JWTExplanation.findings(of: text, context)
            case .jwe: JWEExplanation.findings(of: text, context)
            case .keySet: KeyExplanation.findings(ofSet: text)
            case .key: KeyExplanation.findings(ofKey: text)
            case .serverMetadata: ServerMetadataExplanation.findings(of: text, context)
            case .resourceMetadata: ResourceMetadataExplanation.findings(of: text, context)
            case .challenge: ChallengeExplanation.findings(of: text)
            case .claims: ClaimsExplanation.findings(of: text, context)
            case .oauth1BaseString, .oauth1Header: OAuth1Explanation.findings(of: text, context)
            case .errorCode: ErrorCodeExplanation.findings(of: text)
            }
        let secrets = SecretValues.all(in: text, context)
        return found.prefix(Self.maximumFindingCount).map { $0.withoutSecrets(secrets) }
    }

    /// The most findings that are given.
    static let maximumFindingCount = 300

    private var unrecognised: Finding {
        let known = Kind.allCases.map(\.words).joined(separator: ", ")
        return Finding(
            .failed, "unrecognised", "It is nothing that is known here", problem.map { "\($0)." },
            fix: "name the kind (--as), or give one of these: \(known)")
    }
}

extension Specimen: CustomStringConvertible, CustomReflectable {
    /// The kind alone: the text may hold anything.
    public var description: String { "<\(kind?.rawValue ?? "unknown text")>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
