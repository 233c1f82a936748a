import TernCrypto
import TernProtocol
import Testing

@testable import Tern

@Suite(
    .enabled(if: TestCertificates.isToolThere, "the command openssl is not there"),
    .timeLimit(.minutes(2)))
struct TLSTests {
    @Test func trustsTheGivenAuthoritiesAndNoOthers() async throws {
        let certificates = try await TestCertificates()
        let server = try await TLSServer(certificates)
        let own = TransportPolicy(certificateAuthorities: try certificates.bytes("ca.pem"))
        #expect(try await server.failure(own) == nil)
        for policy in [TransportPolicy(), TransportPolicy(certificateAuthorities: try certificates.bytes("other.pem"))]
        {
            for method: HTTPMethod in [.get, .post] {
                guard case .network(.untrustedCertificate(let text)) = try await server.failure(policy, method) else {
                    Issue.record("the certificate was trusted")
                    return
                }
                let error = TernError(.network(.untrustedCertificate(text)), at: .discovery)
                #expect(error.likeliestCause == "private_authority", "\(text)")
            }
        }
        let broken = TransportPolicy(certificateAuthorities: Array("nonsense".utf8))
        #expect(
            try await server.failure(broken)
                == .invalidConfiguration(field: "certificateAuthorities", problem: "they cannot be read"))
    }

    @Test func theNameMustFit() async throws {
        let certificates = try await TestCertificates()
        let server = try await TLSServer(certificates, "misnamed")
        let own = TransportPolicy(certificateAuthorities: try certificates.bytes("ca.pem"))
        guard case .network(.untrustedCertificate(let text)) = try await server.failure(own) else {
            Issue.record("a certificate of another name was trusted")
            return
        }
        let error = TernError(.network(.untrustedCertificate(text)), at: .discovery)
        #expect(error.likeliestCause == "certificate_of_another_host", "\(text)")
    }

    @Test func tellsTheCertificatesOfATrustedServer() async throws {
        let certificates = try await TestCertificates()
        let server = try await TLSServer(certificates)
        let address = try #require(URI("https://127.0.0.1:\(server.port)/some/path?and=query"))
        let policy = TransportPolicy(certificateAuthorities: try certificates.bytes("ca.pem"))
        let transport = CurlTransport(policy: policy)
        // A connection that is there already has forgotten its certificates.
        _ = try await transport.send(HTTPRequest(.get, address), step: .discovery)
        let chain = try await transport.certificates(of: address, step: .discovery)
        let own = try #require(chain.first)
        #expect(own.subject.contains("server"))
        #expect(own.issuer.contains("ca"))
        let now = SystemWallClock().now.secondsSince1970
        let (start, end) = (try #require(own.notBefore), try #require(own.notAfter))
        #expect(abs(start.secondsSince1970 - now) < 120)
        #expect(abs(end.secondsSince1970 - now - 2 * 86_400) < 120)
        await #expect(throws: TernError.self) {
            try await CurlTransport().certificates(of: address, step: .discovery)
        }
    }

    @Test(arguments: ["Nov  6 08:49:37 1994 GMT", "1994-11-06 08:49:37 GMT"])
    func readsBothFormsOfDates(_ text: String) {
        #expect(CertificateDate.read(text[...])?.secondsSince1970 == 784_111_777)
        #expect(CertificateDate.read("soon") == nil)
        #expect(CertificateDate.read("1994-13-06 08:49:37 GMT") == nil)
    }

    @Test func pinsHoldBesideTheAuthorities() async throws {
        let certificates = try await TestCertificates()
        let server = try await TLSServer(certificates)
        let authorities = try certificates.bytes("ca.pem")
        let pin = try certificates.serverPin()
        let wrong = try PublicKeyPin(Base64.encode([UInt8](repeating: 7, count: 32)))
        #expect(try await server.failure(TransportPolicy(certificateAuthorities: authorities, pins: [pin])) == nil)
        #expect(
            try await server.failure(TransportPolicy(certificateAuthorities: authorities, pins: [wrong, pin])) == nil)
        #expect(
            try await server.failure(TransportPolicy(certificateAuthorities: authorities, pins: [wrong]))
                == .network(.pinMismatch))
        guard case .network(.untrustedCertificate) = try await server.failure(TransportPolicy(pins: [pin])) else {
            Issue.record("a pin replaced the authorities")
            return
        }
    }

    @Test func showsTheClientCertificate() async throws {
        let certificates = try await TestCertificates()
        let server = try await TLSServer(
            certificates, "server", ["-Verify", "1", "-verify_return_error", "-CAfile", certificates.path("ca.pem")])
        var policy = TransportPolicy(certificateAuthorities: try certificates.bytes("ca.pem"))
        for method: HTTPMethod in [.get, .post] {
            guard case .network(.tls) = try await server.failure(policy, method) else {
                Issue.record("answered without a client certificate")
                return
            }
        }
        policy.clientIdentity = .pem(
            certificates: try certificates.bytes("client.pem"), privateKey: try certificates.bytes("client.key"))
        #expect(try await server.failure(policy) == nil)
        policy.clientIdentity = .pkcs12(try certificates.bytes("client.p12"), password: "secret")
        #expect(try await server.failure(policy) == nil)
        let problem = "certificate or key cannot be used"
        policy.clientIdentity = .pkcs12(try certificates.bytes("client.p12"), password: "wrong")
        #expect(try await server.failure(policy) == .invalidConfiguration(field: "clientIdentity", problem: problem))
        policy.clientIdentity = .pem(
            certificates: try certificates.bytes("client.pem"), privateKey: try certificates.bytes("server.key"))
        #expect(try await server.failure(policy) == .invalidConfiguration(field: "clientIdentity", problem: problem))
        try await certificates.openssl([
            "pkey", "-in", certificates.path("client.key"), "-aes256", "-passout", "pass:opens it", "-out",
            certificates.path("ec.key"),
        ])
        let locked = try certificates.bytes("ec.key")
        policy.clientIdentity = .pem(
            certificates: try certificates.bytes("client.pem"), privateKey: locked, passphrase: "opens it")
        #expect(try await server.failure(policy) == nil)
        for passphrase in ["wrong", nil] {
            // Without a passphrase nobody is asked at the terminal.
            policy.clientIdentity = .pem(
                certificates: try certificates.bytes("client.pem"), privateKey: locked, passphrase: passphrase)
            #expect(
                try await server.failure(policy) == .invalidConfiguration(field: "clientIdentity", problem: problem))
        }
        #expect("\(policy)".contains("<client identity>"))
        #expect(!"\(policy)".contains("secret"))
    }
}

@Suite struct PublicKeyPinTests {
    private static let digest = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test(arguments: ["", "sha256/", "sha256//"])
    func readsTheUsualForms(prefix: String) throws {
        let pin = try PublicKeyPin(prefix + Self.digest)
        #expect(pin.base64 == Self.digest)
        #expect(pin.description == "sha256/" + Self.digest)
    }

    @Test(arguments: [
        "", "sha256/", "abc", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
        "47DEQpj8HBSa+_TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF==", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;sha256//x",
    ])
    func refusesOtherTexts(text: String) {
        let error = #expect(throws: TernError.self) { try PublicKeyPin(text) }
        #expect(error?.code == "invalid_configuration")
    }
}
