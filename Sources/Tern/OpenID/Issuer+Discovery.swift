public import TernProtocol

extension Issuer {
    /// Finds the server at which a user logs in, by what the user typed: an e-mail address, a name at a host, or the address of
    /// a page (OpenID Connect Discovery 1.0 §2). No client is needed for the question; the answer is the issuer to make one
    /// with.
    ///
    /// Redirects are followed, up to five, and never to plain http beyond loopback.
    ///
    /// - Parameters:
    ///   - identifier: what the user typed.
    ///   - transport: the way to the network.
    /// - Throws: ``/TernProtocol/TernError``: `invalidConfiguration` with the field `identifier`; `missingMetadata` where the
    ///   host knows no such user's server; `discoveryNotJSON`, `malformedResponse`, `insecureEndpoint`; `httpStatus`,
    ///   which is 404 where the host does not know the user; the network's trouble.
    public static func find(
        for identifier: String, over transport: any HTTPTransport
    ) async throws(TernError) -> Issuer {
        let question = try WebFingerRequest(identifier: identifier)
        var request = try question.request()
        for _ in 0...Redirect.maximumCount {
            let response = try await transport.send(request, step: question.step)
            let redirect: Redirect?
            do throws(TernError) { redirect = try Redirect(of: response, to: request.method, request.url) } catch {
                throw error.at(question.step)
            }
            guard let redirect else { return try question.answer(from: response) }
            request.url = redirect.url
        }
        throw TernError(.httpStatus(302, location: request.url.redacted), at: question.step)
    }
}
