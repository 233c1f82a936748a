public import TernJOSE
public import TernProtocol

/// A certificate that a server showed, as far as its owner has to know it.
public struct ServerCertificate: Sendable, Hashable {
    /// Whom it is for, in the words of the library that read it.
    public let subject: String
    /// Who signed it, in the words of the library that read it.
    public let issuer: String
    /// From when on it is good.
    public let notBefore: NumericDate?
    /// Until when it is good.
    public let notAfter: NumericDate?

    /// Makes a certificate.
    ///
    /// - Parameters:
    ///   - subject: whom it is for.
    ///   - issuer: who signed it.
    ///   - notBefore: from when on it is good; `nil` where that cannot be read.
    ///   - notAfter: until when it is good; `nil` where that cannot be read.
    public init(subject: String, issuer: String, notBefore: NumericDate?, notAfter: NumericDate?) {
        self.subject = subject
        self.issuer = issuer
        self.notBefore = notBefore
        self.notAfter = notAfter
    }
}

/// A transport that can tell which certificates a server shows.
public protocol CertificateInspecting: HTTPTransport {
    /// Connects anew, asks for the root path with GET, and tells the chain of certificates that the transport trusted, the
    /// server's own first.
    ///
    /// - Parameters:
    ///   - origin: an address at the server; its path, query and fragment are left out.
    ///   - step: the step that errors name.
    /// - Throws: what ``HTTPTransport/send(_:step:)`` throws, above all `network` for a chain that is not trusted.
    func certificates(of origin: URI, step: Step) async throws(TernError) -> [ServerCertificate]
}
