internal import TernCrypto
public import TernProtocol

#if canImport(Darwin)
    internal import Foundation
    public import Security
#endif

/// Whom a transport trusts, who it is, and how long and how much it waits for.
///
/// One transport has one policy, so that connections are never shared between policies.
public struct TransportPolicy: Sendable, Hashable {
    /// The certificate authorities to trust instead of the system's, as PEM text in bytes; empty for the system's.
    public var certificateAuthorities: [UInt8]
    /// The keys of which a server must have one, beside a trusted certificate; empty for no such demand. They hold for
    /// every server that the transport talks to.
    public var pins: [PublicKeyPin]
    /// What is shown to a server that asks for a client certificate (RFC 8705).
    public var clientIdentity: ClientIdentity?
    /// How long a whole exchange may take; 30 seconds by default.
    public var timeout: Duration
    /// How long connecting may take, TLS included; 15 seconds by default. `URLSession` knows no such limit: on Apple's
    /// systems ``timeout`` alone counts.
    public var connectTimeout: Duration
    /// The largest answer, in bytes of its body; 1 MiB by default.
    public var bodyLimit: Int
    /// The `User-Agent` of requests that bring none of their own.
    public var userAgentName: String

    /// Makes a policy; what is not given is as a careful client wants it.
    public init(
        certificateAuthorities: [UInt8] = [], pins: [PublicKeyPin] = [], clientIdentity: ClientIdentity? = nil,
        timeout: Duration = .seconds(30), connectTimeout: Duration = .seconds(15), bodyLimit: Int = 1 << 20,
        userAgentName: String = "Tern"
    ) {
        self.certificateAuthorities = certificateAuthorities
        self.pins = pins
        self.clientIdentity = clientIdentity
        self.timeout = timeout
        self.connectTimeout = connectTimeout
        self.bodyLimit = bodyLimit
        self.userAgentName = userAgentName
    }
}

/// The SHA-256 digest of a public key (of its SubjectPublicKeyInfo in DER, RFC 7469 §2.4).
///
/// To make one: `openssl x509 -in cert.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256
/// -binary | base64`.
public struct PublicKeyPin: Sendable, Hashable, CustomStringConvertible {
    /// The digest in Base64, 44 characters.
    public let base64: String

    /// Checks a pin; `sha256/` or `sha256//` before the digest is allowed.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with the field `pin` when it is not the Base64 form of 32 bytes.
    public init(_ text: String) throws(TernError) {
        let prefix = ["sha256//", "sha256/"].first { text.hasPrefix($0) } ?? ""
        let digest = text.dropFirst(prefix.count)
        guard let bytes = Base64.decode(digest), bytes.count == 32, Base64.encode(bytes) == digest else {
            throw TernError(
                .invalidConfiguration(field: "pin", problem: "it is not the Base64 form of a SHA-256 digest"),
                at: .configuration)
        }
        base64 = String(digest)
    }

    /// `sha256/` and the digest.
    public var description: String { "sha256/\(base64)" }
}

/// A client certificate with its private key. It prints nothing of what it holds.
public struct ClientIdentity: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    enum Material: Sendable, Hashable {
        case pem(certificates: [UInt8], key: [UInt8], passphrase: String?)
        case pkcs12([UInt8], password: String)
        #if canImport(Darwin)
            case system(SystemIdentity)
        #endif
    }

    let material: Material

    private init(_ material: Material) { self.material = material }

    /// A certificate and whatever certificates lead to its authority, and the private key, each as PEM text in bytes.
    /// Apple's systems take no PEM keys: use ``pkcs12(_:password:)`` there.
    ///
    /// - Parameters:
    ///   - certificates: the certificates, the client's own first.
    ///   - privateKey: the private key.
    ///   - passphrase: what the private key is encrypted with; `nil` for one that is not encrypted.
    public static func pem(
        certificates: [UInt8], privateKey: [UInt8], passphrase: String? = nil
    ) -> ClientIdentity {
        ClientIdentity(.pem(certificates: certificates, key: privateKey, passphrase: passphrase))
    }

    /// The digest of the certificate, to which a server binds access tokens; `nil` where it cannot be read here.
    public var thumbprint: CertificateThumbprint? {
        switch material {
        case .pem(let certificates, _, _): try? CertificateThumbprint(pem: certificates)
        case .pkcs12: nil
        #if canImport(Darwin)
            case .system(let identity):
                identity.certificate.map { CertificateThumbprint(der: $0) }
        #endif
        }
    }

    /// The bytes of a PKCS#12 file (`.p12`, `.pfx`) and its password.
    public static func pkcs12(_ bytes: [UInt8], password: String) -> ClientIdentity {
        ClientIdentity(.pkcs12(bytes, password: password))
    }

    #if canImport(Darwin)
        /// An identity of the keychain or the Secure Enclave, whose private key stays where it is.
        ///
        /// - Parameter certificates: those that lead from the identity's own certificate to its authority, without the
        ///   former.
        public static func system(_ identity: SecIdentity, certificates: [SecCertificate] = []) -> ClientIdentity {
            ClientIdentity(.system(SystemIdentity(identity: identity, certificates: certificates)))
        }
    #endif

    /// Says that an identity is here, and nothing of it.
    public var description: String { "<client identity>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

#if canImport(Darwin)
    /// Objects of the Security framework, which do not change once they are made.
    struct SystemIdentity: @unchecked Sendable, Hashable {
        let identity: SecIdentity
        let certificates: [SecCertificate]

        /// The identity's own certificate in DER.
        var certificate: [UInt8]? {
            var found: SecCertificate?
            guard SecIdentityCopyCertificate(identity, &found) == errSecSuccess, let found else { return nil }
            return [UInt8](SecCertificateCopyData(found) as Data)
        }
    }
#endif

extension Duration {
    /// Whole milliseconds, at least 1 and at most what fits into 31 bits.
    var boundedMilliseconds: Int {
        let parts = components
        guard parts.seconds < 2_147_483 else { return 2_147_483_000 }
        return max(1, Int(parts.seconds) * 1_000 + Int(parts.attoseconds / 1_000_000_000_000_000))
    }
}
