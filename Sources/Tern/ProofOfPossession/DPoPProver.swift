internal import TernCrypto
internal import TernProtocol

/// Puts proofs of one key onto requests, with the nonces that the servers gave (RFC 9449).
struct DPoPProver: Sendable {
    let key: DPoPKey
    let nonces: DPoPNonces
    let clock: ServerClock
    let random: any RandomSource

    /// Adds the proof; with an access token, the field `Authorization` too (§7.1).
    func prove(
        _ request: inout HTTPRequest, to role: DPoPNonces.Role, accessToken: AccessToken? = nil
    ) throws(TernError) {
        request.fields["DPoP"] = try key.proof(
            request.method, request.url, accessToken: accessToken, nonce: nonces.nonce(for: request.url, role),
            now: clock.now, random: random)
        if let accessToken { request.fields["Authorization"] = Self.scheme + accessToken.exposedText }
    }

    /// Notes the nonce that an answer brings.
    ///
    /// - Returns: whether the request was refused for want of it, so that a new proof may help (§8, §9).
    func note(_ response: HTTPResponse, to request: HTTPRequest, from role: DPoPNonces.Role) -> Bool {
        nonces.note(response, from: request.url, role)
        return response.newProofNonce != nil && response.wantsProofNonce
    }

    static let scheme = "DPoP "
}
