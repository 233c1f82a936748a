public import TernCrypto
public import TernJOSE

/// How a client proves who it is at the server's endpoints (RFC 6749 §2.3, OpenID Connect Core 1.0 §9).
///
/// It is put onto a finished request and knows nothing of what the request is for. A secret that is empty counts as
/// none, since strict servers refuse an empty `client_secret`.
public enum ClientAuthentication: Sendable, Hashable {
    /// A public client: `client_id` in the body.
    case none
    /// `client_secret_basic`: both halves form-encoded, then HTTP Basic; nothing in the body.
    case basic(ClientSecret)
    /// `client_secret_post`: both in the body.
    case post(ClientSecret)
    /// HTTP Basic with the halves as they are, for the servers that do not decode them (a quirk; RFC 6749 §2.3.1 wants
    /// them encoded).
    case rawBasic(ClientSecret)

    /// The secret, where there is one.
    public var secret: ClientSecret? {
        switch self {
        case .none: nil
        case .basic(let secret), .post(let secret), .rawBasic(let secret): secret.isEmpty ? nil : secret
        }
    }

    /// What a proof is made for: it is good for one sending.
    public struct Occasion: Sendable {
        /// The server's name; `nil` where it has none.
        public var issuer: String?
        /// The server's token endpoint; `nil` where it has none.
        public var tokenEndpoint: URI?
        /// The time, by the server's clock as far as it is known.
        public var now: NumericDate
        /// Where random bytes come from.
        public var random: any RandomSource

        /// An occasion at a server.
        ///
        /// - Parameters:
        ///   - metadata: what the server says of itself.
        ///   - now: the time.
        ///   - random: where random bytes come from.
        public init(
            at metadata: ServerMetadata, now: NumericDate, random: any RandomSource = SystemRandomSource()
        ) {
            issuer = metadata.issuer
            tokenEndpoint = metadata[.token]
            self.now = now
            self.random = random
        }
    }

    /// Puts the proof onto a request whose body is a form.
    ///
    /// - Parameters:
    ///   - request: the request, which has its address already.
    ///   - clientID: the client.
    ///   - occasion: what the proof is made for.
    /// - Throws: ``TernError`` with the field `client_id` when ``rawBasic(_:)`` should carry a colon in it.
    public func authenticate(
        _ request: inout HTTPRequest, clientID: String, on occasion: Occasion
    ) throws(TernError) {
        guard let secret else {
            request.form["client_id"] = clientID
            return
        }
        switch self {
        case .none: break
        case .basic:
            setBasic(&request, Self.formEncoded(clientID), Self.formEncoded(secret.exposedText))
        case .rawBasic:
            guard !clientID.utf8.contains(UInt8(ascii: ":")) else {
                throw TernError(
                    .invalidConfiguration(
                        field: "client_id", problem: "raw Basic authentication cannot carry a colon in it"),
                    at: .configuration)
            }
            setBasic(&request, clientID, secret.exposedText)
        case .post:
            request.form["client_id"] = clientID
            request.form["client_secret"] = secret.exposedText
        }
    }

    /// RFC 6749 appendix B, where a blank is `+`: servers that compare without decoding expect just this.
    private static func formEncoded(_ text: String) -> String {
        PercentCodec.encode(text).replacingEvery("%20", with: "+")
    }

    private func setBasic(_ request: inout HTTPRequest, _ name: String, _ password: String) {
        request.fields["Authorization"] = "Basic " + Base64.encode(Array("\(name):\(password)".utf8))
    }
}
