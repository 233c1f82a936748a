internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// What a request's arrival tells beside its content: the time, and the certificate of the TLS connection, which whoever
    /// ends the connection passes on in the field `Client-Cert` (RFC 9440). It counts at the endpoints for certificates alone
    /// where the server has such.
    mutating func noteArrival(of request: HTTPRequest, at now: NumericDate) {
        state.now = now
        state.certificate = nil
        if let origin = settings.certificateOrigin, request.url.origin != URI(origin)?.origin { return }
        guard let field = request.fields["Client-Cert"], field.count > 2, field.hasPrefix(":"), field.hasSuffix(":"),
            let der = Base64.decode(field.dropFirst().dropLast())
        else { return }
        state.certificate = CertificateThumbprint(der: der)
    }

    /// The certificate to which a client's tokens are bound.
    func boundCertificate(of client: TestClient) -> CertificateThumbprint? {
        client.bindsTokensToCertificate ? state.certificate : nil
    }

    /// Refuses a client whose tokens are to be bound and that shows no certificate.
    func checkBinding(of client: TestClient) throws(EndpointFailure) {
        guard client.bindsTokensToCertificate, state.certificate == nil else { return }
        throw EndpointFailure("invalid_request", "this client's tokens are bound to a certificate, and none was shown")
    }

    /// Whether a token may be used over the connection (RFC 8705 §3).
    func isBound(_ token: IssuedToken) -> Bool { token.certificate == nil || token.certificate == state.certificate }

    func checkCertificate(_ expected: CertificateThumbprint) throws(EndpointFailure) {
        guard let shown = state.certificate else { throw Self.invalidClient("no client certificate was shown") }
        guard shown == expected else { throw Self.invalidClient("the client certificate is not the registered one") }
    }

    /// The endpoints that ask for certificates (RFC 8705 §5).
    var certificateAliases: JSONObject? {
        guard let origin = settings.certificateOrigin else { return nil }
        var aliases: JSONObject = [:]
        for (name, endpoint) in [
            ("token_endpoint", Endpoint.token), ("revocation_endpoint", .revocation), ("userinfo_endpoint", .userInfo),
        ] {
            aliases[name] = .string(origin + pathPrefix + endpoint.path)
        }
        return aliases
    }
}

extension TestTransport {
    /// The same transport with a client certificate, which the servers see as the one of the TLS connection.
    ///
    /// - Parameter certificate: the certificate in DER; any bytes will do, since nothing but their digest is looked at.
    public func showing(certificate: [UInt8]) -> TestTransport {
        var copy = self
        copy.clientCertificate = certificate
        return copy
    }
}
