internal import TernCrypto
internal import TernProtocol

extension AuthorizationServer {
    /// Finds out which client a request comes from (RFC 6749 §2.3). Exactly the registered way is accepted.
    mutating func authenticate(
        _ request: HTTPRequest, _ parameters: FormParameters
    ) throws(EndpointFailure) -> TestClient {
        if let client = try authenticateByProof(request, parameters) { return client }
        let secretInForm = parameters["client_secret"]
        if request.fields["Authorization"] != nil {
            guard secretInForm == nil else {
                throw EndpointFailure("invalid_request", "the client authenticates in two ways")
            }
            guard let (clientID, secret) = basicCredentials(of: request) else {
                throw Self.invalidClient("the field Authorization is not HTTP Basic")
            }
            if let named = parameters.value("client_id"), named != clientID {
                throw EndpointFailure("invalid_request", "client_id differs from the one in Authorization")
            }
            guard let client = client(clientID) else { throw Self.invalidClient("the client is not known") }
            switch client.authentication {
            case .basic(let expected), .basicOrPost(let expected):
                guard expected == secret else { throw Self.invalidClient("the secret is wrong") }
                return client
            case .post: throw Self.invalidClient("this client is registered for client_secret_post")
            case .none: throw Self.invalidClient("this client is public and has no secret")
            case .secretJWT, .privateKeyJWT, .tls, .attestation:
                throw Self.invalidClient("this client is registered for \(client.authentication.methodName)")
            }
        }
        guard let clientID = parameters.value("client_id") else {
            throw Self.invalidClient("the request names no client")
        }
        guard let client = client(clientID) else { throw Self.invalidClient("the client is not known") }
        switch client.authentication {
        case .none:
            guard secretInForm == nil else { throw Self.invalidClient("this client is public and has no secret") }
            return client
        case .post(let expected), .basicOrPost(let expected):
            guard let secretInForm, expected == Secret(secretInForm) else {
                throw Self.invalidClient("the secret is missing or wrong")
            }
            return client
        case .tls(let thumbprint):
            guard secretInForm == nil, let expected = CertificateThumbprint(thumbprint) else {
                throw Self.invalidClient("this client authenticates with a certificate alone")
            }
            try checkCertificate(expected)
            return client
        case .basic, .secretJWT, .privateKeyJWT, .attestation:
            throw Self.invalidClient("this client is registered for \(client.authentication.methodName)")
        }
    }

    /// Client ID and secret, each decoded as form data (RFC 6749 §2.3.1).
    private func basicCredentials(of request: HTTPRequest) -> (String, Secret<TestClient>)? {
        guard let encoded = request.credentials(of: "Basic"), let bytes = Base64.decode(encoded),
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        func text(_ part: ArraySlice<UInt8>) -> String {
            PercentCodec.decodeForm(String(decoding: part, as: UTF8.self))
        }
        return (text(bytes[..<colon]), Secret(text(bytes[(colon + 1)...])))
    }

    static func invalidClient(_ detail: String) -> EndpointFailure {
        EndpointFailure("invalid_client", detail, status: 401, challenge: "Basic realm=\"token endpoint\"")
    }
}
