internal import TernCrypto
public import TernJOSE

/// The SHA-256 digest of a certificate, to which access tokens may be bound (`x5t#S256`, RFC 8705 §3.1).
///
/// A resource server compares the one of the certificate that the TLS connection proved with what the token, or its
/// introspection, says:
///
/// ``isConfirmed(by:)`` says whether a token is bound to it; where it is not, the API answers 401 with `invalid_token`.
public struct CertificateThumbprint: Sendable, Hashable, CustomStringConvertible {
    /// The digest in Base64url, 43 characters.
    public let text: String

    /// Takes the digest of a certificate.
    ///
    /// - Parameter certificate: the certificate in DER.
    public init(der certificate: [UInt8]) { text = Base64URL.encode(HashFunction.sha256.digest(certificate)) }

    /// Takes the digest of the first certificate of a PEM text.
    ///
    /// - Throws: ``TernError`` with the field `certificate` when there is none that can be read.
    public init(pem text: [UInt8]) throws(TernError) {
        guard let first = PEMText.certificates(in: text)?.first else {
            throw TernError(
                .invalidConfiguration(field: "certificate", problem: "there is no certificate in it"),
                at: .configuration)
        }
        self.init(der: first)
    }

    /// Reads a digest; `nil` when it is not the Base64url form of 32 bytes.
    public init?(_ text: String) {
        guard Base64URL.decode(text)?.count == 32 else { return nil }
        self.text = text
    }

    /// The thumbprint to which claims of an access token, or an introspection answer, are bound; `nil` for tokens that
    /// are bound to no certificate.
    public init?(boundBy claims: JSONObject) {
        guard let text = claims["cnf"]?["x5t#S256"]?.string else { return nil }
        self.init(text)
    }

    /// Whether claims are bound to this certificate. Claims that are bound to nothing are not.
    public func isConfirmed(by claims: JSONObject) -> Bool {
        CertificateThumbprint(boundBy: claims).map { constantTimeEqual($0.text.utf8, text.utf8) } ?? false
    }

    /// The `cnf` claim of tokens that are bound to this certificate.
    public var confirmation: JSONObject { ["x5t#S256": .string(text)] }

    /// The digest.
    public var description: String { text }
}
