internal import TernCrypto
public import TernProtocol

extension OAuthClient {
    /// How the client proves who it is: as it is configured, or in the other way that the server turned out to want, see
    /// ``ClientConfiguration/triesOtherAuthentication``. Whoever keeps it spares the next start the search.
    public var acceptedAuthentication: ClientAuthentication {
        caller.foundAuthentication.withLock { $0 } ?? configuration.authentication
    }
}

extension EndpointCaller {
    /// Runs a request with the client's proof, and again with the other forms of the same proof, at most two, where the
    /// server refused the client and the form cannot help anybody else.
    func proving<Answer: Sendable>(
        at endpoint: URI, of metadata: ServerMetadata,
        _ body: (ClientAuthentication) async throws(TernError) -> Answer
    ) async throws(TernError) -> Answer {
        var first = foundAuthentication.withLock { $0 } ?? authentication
        if first != authentication, !first.isSafe(at: endpoint, of: metadata) { first = authentication }
        var proof = first
        var refusal: TernError?
        while true {
            do throws(TernError) {
                let answer = try await body(proof)
                if proof != first { foundAuthentication.withLock { $0 = proof } }
                return answer
            } catch {
                guard error.refusesClient else {
                    guard let refusal else { throw error }
                    // What the server says of the grant it says of a client that it has accepted.
                    guard error.serverError != nil else { throw refusal }
                    foundAuthentication.withLock { $0 = proof }
                    throw error
                }
                // Of several refusals the first one is about what was configured.
                let before = refusal ?? error
                guard triesOtherAuthentication,
                    let other = proof.otherForm(for: clientID, at: endpoint, of: metadata),
                    other.isSafe(at: endpoint, of: metadata)
                else { throw before }
                refusal = before
                proof = other
            }
        }
    }
}

extension TernError {
    /// Whether the server did not even look at what the client asked for. Some servers know no word for that but a bare
    /// status, and one says that the request is invalid and the client not authorized.
    fileprivate var refusesClient: Bool {
        switch reason {
        case .httpStatus(let status, _): return status == 401 || status == 403
        case .serverError(let error):
            switch error.code {
            case "invalid_client", "unauthorized_client": return true
            case "invalid_request":
                let words = (error.detail ?? "").lowercased().filter(\.isLetter)
                return words.contains("unauthorizedclient") || words.contains("invalidclient")
            default: return false
            }
        default: return false
        }
    }
}

extension ClientAuthentication {
    /// The form to try next; `nil` after the last one.
    fileprivate func otherForm(for clientID: String, at endpoint: URI, of metadata: ServerMetadata) -> Self? {
        switch self {
        case .basic(let secret):
            let isTheSame = [clientID, secret.exposedText].allSatisfy { PercentCodec.encode($0) == $0 }
            return isTheSame || secret.isEmpty || clientID.contains(":") ? nil : .rawBasic(secret)
        case .privateKeyJWT(let key, let assertion):
            return assertion.withOtherAudience(at: endpoint, of: metadata).map { .privateKeyJWT(key, $0) }
        case .secretJWT(let secret, let algorithm, let assertion):
            return assertion.withOtherAudience(at: endpoint, of: metadata)
                .map { .secretJWT(secret, algorithm: algorithm, $0) }
        case .none, .post, .rawBasic, .tls, .attestation: return nil
        }
    }

    /// Whether an assertion is of no use to the endpoint's owner elsewhere. One that names the token endpoint would be,
    /// where the metadata of a hostile server name another server's token endpoint beside endpoints of its own.
    fileprivate func isSafe(at endpoint: URI, of metadata: ServerMetadata) -> Bool {
        switch self {
        case .privateKeyJWT(_, let assertion), .secretJWT(_, _, let assertion):
            assertion.audience != .tokenEndpoint
                || endpoint.origin != nil && endpoint.origin == metadata[.token]?.origin
        case .none, .basic, .post, .rawBasic, .tls, .attestation: true
        }
    }
}

extension ClientAssertion {
    fileprivate func withOtherAudience(at endpoint: URI, of metadata: ServerMetadata) -> ClientAssertion? {
        var other = self
        switch audience {
        case .issuer: other.audience = .tokenEndpoint
        case .tokenEndpoint where endpoint != metadata[.token]: other.audience = .endpoint
        case .tokenEndpoint, .endpoint, .custom: return nil
        }
        return other
    }
}
