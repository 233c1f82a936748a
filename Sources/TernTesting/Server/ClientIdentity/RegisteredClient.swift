public import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// Who may register at a test server.
public enum ClientRegistrationRule: Sendable, Hashable {
    /// Nobody; there is no registration endpoint.
    case closed
    /// Everybody.
    case open
    /// Whoever has this initial access token.
    case withToken(Secret<TestClient>)

    /// Whoever has this initial access token.
    public static func withToken(_ token: String) -> ClientRegistrationRule { .withToken(Secret(token)) }
}

/// A client that registered itself, and what it may look after that with.
struct Registration: Sendable {
    var metadata: ClientMetadata
    var token: String
    let issuedAt: NumericDate
    var secret: String?
    var secretExpiration: NumericDate?
}

extension TestClient {
    /// A client from its metadata.
    init(
        _ clientID: String, _ metadata: ClientMetadata, secret: String?, documents: [String: JSONObject]
    ) throws(EndpointFailure) {
        self.init(
            clientID, name: metadata.name, redirectURIs: metadata.redirectURIs,
            postLogoutRedirectURIs: metadata.postLogoutRedirectURIs ?? metadata.redirectURIs)
        authentication = try Self.authentication(metadata, secret, documents)
        if let scope = metadata.scope { scopes = Set(scope.values) }
        if let name = metadata["id_token_signed_response_alg"]?.string {
            guard let algorithm = SignatureAlgorithm(rawValue: name) else {
                throw Self.refusal("id_token_signed_response_alg is not offered")
            }
            idTokenAlgorithm = algorithm
        }
        let grants = metadata.grantTypes ?? ["authorization_code"]
        refreshTokens = grants.contains("refresh_token") ? .always : .never
        furtherGrants = Set(grants.compactMap { FurtherGrant(rawValue: $0) })
        bindsTokensToCertificate = metadata.bindsTokensToCertificate
        try setAnswers(metadata, documents)
    }

    private static func authentication(
        _ metadata: ClientMetadata, _ secret: String?, _ documents: [String: JSONObject]
    ) throws(EndpointFailure) -> Authentication {
        let method = metadata.authenticationMethod ?? "client_secret_basic"
        switch (method, secret) {
        case ("none", _): return .none
        case ("client_secret_basic", let secret?): return .basic(secret)
        case ("client_secret_post", let secret?): return .post(secret)
        case ("client_secret_jwt", let secret?): return .secretJWT(secret)
        case ("private_key_jwt", _): return .privateKeyJWT(PublicKeys(try keys(metadata, documents)))
        case ("self_signed_tls_client_auth", _):
            let first = try keyDocument(metadata, documents)["keys"]?.array?.first
            guard let der = first?["x5c"]?.array?.first?.string.flatMap({ Base64.decode($0) }) else {
                throw refusal("the key has no x5c")
            }
            return .tls(CertificateThumbprint(der: der).text)
        default: throw refusal("token_endpoint_auth_method \(method) is not offered")
        }
    }

    static func keys(
        _ metadata: ClientMetadata, _ documents: [String: JSONObject]
    ) throws(EndpointFailure) -> JWKSet {
        guard let keys = try? JWKSet(.object(keyDocument(metadata, documents))), !keys.keys.isEmpty else {
            throw refusal("there is no usable key")
        }
        return keys
    }

    /// The client's keys; those at an address are looked up in the table of documents, since nothing is fetched here.
    private static func keyDocument(
        _ metadata: ClientMetadata, _ documents: [String: JSONObject]
    ) throws(EndpointFailure) -> JSONObject {
        guard let found = metadata["jwks"]?.object ?? metadata.keysAddress.flatMap({ documents[$0] }) else {
            throw refusal("jwks is missing, or jwks_uri leads nowhere")
        }
        return found
    }

    static func refusal(_ detail: String) -> EndpointFailure {
        EndpointFailure("invalid_client_metadata", detail)
    }
}

extension TestClient.Authentication {
    /// The method's name in metadata.
    var methodName: String {
        switch self {
        case .none: "none"
        case .basic, .basicOrPost: "client_secret_basic"
        case .post: "client_secret_post"
        case .secretJWT: "client_secret_jwt"
        case .privateKeyJWT: "private_key_jwt"
        case .tls: "self_signed_tls_client_auth"
        case .attestation: "attest_jwt_client_auth"
        }
    }
}
