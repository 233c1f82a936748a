internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// What the server remembers of proofs: which ones came, and the nonces that it gave.
struct ProofMemory: Sendable {
    /// The nonces of the two roles.
    enum Role: Sendable, Hashable {
        case authorizationServer
        case api
    }

    struct Nonce: Sendable {
        let text: String
        let expiresAt: NumericDate
    }

    var nonces: [Role: Nonce] = [:]
    var seen = UsedOnce()
    /// The key that was shown with the request that is being answered, at the token endpoint.
    var shownKey: String?
}

extension AuthorizationServer {
    /// Checks the proof of a request at an endpoint of the authorization server, where there is one.
    ///
    /// - Returns: the hash of the key; `nil` without a proof.
    mutating func checkProof(of request: HTTPRequest, at now: NumericDate) throws(EndpointFailure) -> String? {
        guard settings.dpop.use != .ignored else { return nil }
        guard request.fields["DPoP"] != nil else {
            guard settings.dpop.use != .demanded else {
                throw EndpointFailure("invalid_dpop_proof", "a proof of possession is demanded here")
            }
            return nil
        }
        let nonce = settings.dpop.nonceLifetimeAtAuthorizationServer.map {
            currentNonce(.authorizationServer, lifetime: $0, at: now)
        }
        do throws(ProofProblem) {
            return try check(request, accessToken: nil, nonce: nonce, at: now).thumbprint
        } catch {
            throw EndpointFailure(error.code, error.detail, fields: error.nonce.map { ["DPoP-Nonce": $0] } ?? [:])
        }
    }

    /// Checks the proof that came with an access token.
    mutating func checkProof(
        of request: HTTPRequest, for token: String, boundTo thumbprint: String, at now: NumericDate
    ) throws(EndpointFailure) {
        let nonce = settings.dpop.nonceLifetimeAtAPI.map { currentNonce(.api, lifetime: $0, at: now) }
        do throws(ProofProblem) {
            let proof = try check(request, accessToken: AccessToken(token), nonce: nonce, at: now)
            guard proof.thumbprint == thumbprint else {
                throw ProofProblem(code: "invalid_token", detail: "the token is bound to another key")
            }
        } catch {
            throw EndpointFailure(
                error.code, error.detail, status: 401,
                challenge: "DPoP error=\"\(error.code)\", error_description=\"\(error.detail)\", algs=\"ES256\"",
                fields: error.nonce.map { ["DPoP-Nonce": $0] } ?? [:])
        }
    }

    private struct ProofProblem: Error {
        var code = "invalid_dpop_proof"
        let detail: String
        var nonce: String?
    }

    private mutating func check(
        _ request: HTTPRequest, accessToken: AccessToken?, nonce: String?, at now: NumericDate
    ) throws(ProofProblem) -> DPoPProof {
        let proof: DPoPProof
        do throws(TernError) {
            proof = try DPoPProof(of: request, expecting: .init(accessToken: accessToken), now: now)
        } catch {
            throw ProofProblem(detail: Self.words(error))
        }
        if let nonce {
            do throws(TernError) {
                _ = try DPoPProof(of: request, expecting: .init(accessToken: accessToken, nonce: nonce), now: now)
            } catch {
                throw ProofProblem(code: "use_dpop_nonce", detail: "the proof lacks the nonce", nonce: nonce)
            }
        }
        guard state.proofs.seen.use(proof.tokenID, until: proof.issuedAt + .seconds(3600)) else {
            throw ProofProblem(detail: "the proof was used before")
        }
        return proof
    }

    private static func words(_ error: TernError) -> String {
        guard case .proofRejected(let problem) = error.reason else { return "it cannot be read" }
        return String(problem.filter { $0 != "\"" && $0 != "\\" })
    }

    private mutating func currentNonce(_ role: ProofMemory.Role, lifetime: Duration, at now: NumericDate) -> String {
        if let known = state.proofs.nonces[role], known.expiresAt > now { return known.text }
        let nonce = token("nonce")
        state.proofs.nonces[role] = ProofMemory.Nonce(text: nonce, expiresAt: now + lifetime)
        return nonce
    }
}
