internal import TernCrypto
internal import TernJOSE
internal import TernOAuth1
internal import TernProtocol

/// Temporary credentials, from the first leg to the third.
struct TemporaryCredential: Sendable {
    let clientID: String
    let secret: String
    let callback: String
    let expiresAt: NumericDate
    /// What the user's consent left behind.
    var allowed: (verifier: String, subject: String)?
}

/// A token of OAuth 1.0a, which never ends by itself.
struct OAuth1Grant: Sendable {
    let clientID: String
    let secret: String
    let subject: String
    var isRevoked = false
}

/// Why a request of OAuth 1.0a is refused, in the words of the extension "problem reporting".
struct OAuth1Problem: Error {
    let code: String
    var status = 401

    var response: HTTPResponse {
        let body: FormParameters = ["oauth_problem": code]
        return HTTPResponse(
            status: status,
            fields: [
                "Content-Type": "application/x-www-form-urlencoded", "Cache-Control": "no-store",
                "WWW-Authenticate": "OAuth realm=\"test\", oauth_problem=\"\(code)\"",
            ], body: Array(body.encoded.utf8))
    }
}

extension AuthorizationServer {
    /// How far a timestamp may be from the server's time, in seconds.
    private static let timestampTolerance = 300.0

    /// Checks a signed request as far as client, time and signature go (RFC 5849 §3.2).
    ///
    /// - Parameter secret: the secret of the token that the request names; `nil` where the server does not know the token.
    mutating func checkOAuth1(
        _ request: HTTPRequest, at now: NumericDate, tokenSecret secret: (AccessToken) -> String?
    ) throws(OAuth1Problem) -> (signed: OAuth1SignedRequest, client: TestClient) {
        let signed: OAuth1SignedRequest
        do {
            guard let read = try OAuth1SignedRequest(reading: request) else {
                throw OAuth1Problem(code: "parameter_absent", status: 401)
            }
            signed = read
        } catch let problem as OAuth1Problem {
            throw problem
        } catch {
            throw OAuth1Problem(code: "parameter_rejected", status: 400)
        }
        guard let client = client(signed.clientID), let registration = client.oauth1 else {
            throw OAuth1Problem(code: "consumer_key_unknown")
        }
        guard registration.methods.contains(signed.method) else {
            throw OAuth1Problem(code: "signature_method_rejected", status: 400)
        }
        if let timestamp = signed.timestamp,
            abs(timestamp.secondsSince1970 - now.secondsSince1970) > Self.timestampTolerance
        {
            throw OAuth1Problem(code: "timestamp_refused")
        }
        var tokenSecret: String?
        if let token = signed.token {
            guard let known = secret(token) else { throw OAuth1Problem(code: "token_rejected") }
            tokenSecret = known
        }
        let isGood =
            switch registration.key {
            case .secret(let secret):
                signed.isSigned(
                    secret: ClientSecret(secret.exposedText), tokenSecret: tokenSecret.map { OAuth1TokenSecret($0) })
            case .publicKey(let key): signed.isSigned(by: key)
            }
        guard isGood else { throw OAuth1Problem(code: "signature_invalid") }
        // Only a request that was signed right can use a nonce up, so that nobody can spoil another client's.
        if let nonce = signed.nonce, let timestamp = signed.timestamp {
            let key =
                "\(Int64(timestamp.secondsSince1970)) \(client.clientID) \(signed.token?.exposedText ?? "") \(nonce)"
            guard state.nonces.insert(key).inserted else { throw OAuth1Problem(code: "nonce_used") }
        }
        return (signed, client)
    }

    /// Checks a call of the API with a token, or of a client in its own right.
    ///
    /// - Returns: the grant; `nil` for a client in its own right.
    mutating func checkOAuth1Call(
        _ request: HTTPRequest, at now: NumericDate
    ) throws(OAuth1Problem) -> (clientID: String, grant: OAuth1Grant?) {
        let grants = state.oauth1Grants
        let (signed, client) = try checkOAuth1(request, at: now) { grants[$0.exposedText]?.secret }
        guard let token = signed.token else { return (client.clientID, nil) }
        guard let grant = grants[token.exposedText], grant.clientID == client.clientID, user(grant.subject) != nil
        else {
            throw OAuth1Problem(code: "token_rejected")
        }
        guard !grant.isRevoked else { throw OAuth1Problem(code: "token_revoked") }
        return (client.clientID, grant)
    }
}
