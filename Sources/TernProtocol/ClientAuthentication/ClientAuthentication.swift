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
    /// `client_secret_jwt`: an assertion under an HMAC with the secret, which itself is never sent (OpenID Connect Core
    /// 1.0 §9). The secret must be as long as the hash, 32 bytes for HS256 (RFC 7518 §3.2).
    case secretJWT(ClientSecret, algorithm: SignatureAlgorithm = .hs256, ClientAssertion = ClientAssertion())
    /// `private_key_jwt`: an assertion that a private key signs (RFC 7523 §2.2, OpenID Connect Core 1.0 §9).
    case privateKeyJWT(SigningKey, ClientAssertion = ClientAssertion())
    /// `tls_client_auth` and `self_signed_tls_client_auth` (RFC 8705 §2): `client_id` in the body, and the proof is the
    /// certificate that the transport shows. Set it there.
    case tls
    /// `attest_jwt_client_auth`: somebody whom the server trusts attests the client and its key
    /// (draft-ietf-oauth-attestation-based-client-auth).
    case attestation(ClientAttester)

    /// The secret, where there is one.
    public var secret: ClientSecret? {
        switch self {
        case .none, .privateKeyJWT, .tls, .attestation: nil
        case .basic(let secret), .post(let secret), .rawBasic(let secret), .secretJWT(let secret, _, _):
            secret.isEmpty ? nil : secret
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
        /// The algorithms of assertions that the server takes; `nil` where it does not say.
        public var assertionAlgorithms: [String]?
        /// The attestation to show, and the server's challenge for the proof that goes with it.
        public var attestation: ClientAttestation?
        /// What the server wants to see in that proof; `nil` where it has given nothing.
        public var challenge: String?

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
            assertionAlgorithms = metadata.tokenEndpointAuthenticationAlgorithms
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
    /// - Throws: ``TernError`` with the field `client_id` when ``rawBasic(_:)`` should carry a colon in it; with
    ///   `client_assertion` when the key does not fit its algorithm, or the server does not take that; with `issuer` when
    ///   an assertion should name the issuer and the server has none; with `client_attestation` where there is none.
    public func authenticate(
        _ request: inout HTTPRequest, clientID: String, on occasion: Occasion
    ) throws(TernError) {
        switch self {
        case .secretJWT(let secret, let algorithm, let assertion):
            let text = try assertion.signed(with: secret, algorithm, of: clientID, at: request.url, on: occasion)
            return addAssertion(text, to: &request, clientID)
        case .privateKeyJWT(let key, let assertion):
            return addAssertion(
                try assertion.signed(with: key, of: clientID, at: request.url, on: occasion), to: &request, clientID)
        case .attestation:
            request.form["client_id"] = clientID
            return try ClientAttestation.add(to: &request, on: occasion)
        default: break
        }
        guard let secret else {
            request.form["client_id"] = clientID
            return
        }
        switch self {
        case .none, .secretJWT, .privateKeyJWT, .tls, .attestation: break
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

    /// The method's name in metadata (RFC 7591 §2, OpenID Connect Core 1.0 §9).
    public var methodName: String {
        switch self {
        case .none: "none"
        case .basic, .rawBasic: "client_secret_basic"
        case .post: "client_secret_post"
        case .secretJWT: "client_secret_jwt"
        case .privateKeyJWT: "private_key_jwt"
        case .tls: "tls_client_auth"
        case .attestation: "attest_jwt_client_auth"
        }
    }

    /// What a request carries of proofs that nobody else should have, so that they can be taken out of whatever the server
    /// repeats.
    package static func proofs(in request: HTTPRequest) -> [String] {
        let fields = [ClientAttestation.field, ClientAttestation.proofField].compactMap { request.fields[$0] }
        return fields + [request.form["client_assertion"]].compactMap(\.self)
    }

    private func addAssertion(_ text: String, to request: inout HTTPRequest, _ clientID: String) {
        request.form["client_id"] = clientID
        request.form["client_assertion_type"] = ClientAssertion.typeName
        request.form["client_assertion"] = text
    }

    /// RFC 6749 appendix B, where a blank is `+`: servers that compare without decoding expect just this.
    private static func formEncoded(_ text: String) -> String {
        PercentCodec.encode(text).replacingEvery("%20", with: "+")
    }

    private func setBasic(_ request: inout HTTPRequest, _ name: String, _ password: String) {
        request.fields["Authorization"] = "Basic " + Base64.encode(Array("\(name):\(password)".utf8))
    }
}
