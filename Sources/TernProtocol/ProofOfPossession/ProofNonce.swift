internal import TernJOSE

/// What servers say about the proofs of possession that they got (RFC 9449 §8 and §9).
extension HTTPResponse {
    /// The nonce for the next proof; `nil` where there is none that could be put into one.
    package var newProofNonce: String? {
        guard let nonce = fields["DPoP-Nonce"], !nonce.isEmpty, nonce.utf8.count <= 1024,
            nonce.utf8.allSatisfy({ $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0) })
        else { return nil }
        return nonce
    }

    /// Whether the authorization server did not take the proof, for which a wrong clock is the commonest reason (§5).
    package var refusesProof: Bool {
        (400...401).contains(status) && (try? AnswerBody.object(body))??["error"]?.string == "invalid_dpop_proof"
    }

    /// Whether the request was refused because its proof lacks the server's nonce: in the body of an authorization server's
    /// answer, or in an API's challenge.
    package var wantsProofNonce: Bool {
        let code = "use_dpop_nonce"
        switch status {
        case 401:
            let challenges = AuthenticateChallenge.all(in: fields)
            if challenges.contains(where: { $0.parameters["error"] == code }) { return true }
            // An authorization server may answer 401 as well, since RFC 6749 §5.2 allows it.
            fallthrough
        case 400: return (try? AnswerBody.object(body))??["error"]?.string == code
        default: return false
        }
    }
}
