import TernCrypto
import Testing

@testable import Tern

@Suite(.enabled(if: TestCertificates.isToolThere, "the command openssl is not there"))
struct SubjectPublicKeyInfoTests {
    @Test func writesWhatOpenSSLWrites() async throws {
        let certificates = try await TestCertificates()
        let known = try certificates.bytes("server.der")
        #expect(known.count == 91)
        #expect(SubjectPublicKeyInfo.der(of: Array(known.suffix(65)), .ellipticCurve) == known)
        for bits in [2_048, 3_072, 4_096] {
            let key = certificates.path("rsa.key")
            try await certificates.openssl(["genrsa", "-out", key, "\(bits)"])
            try await certificates.openssl([
                "rsa", "-in", key, "-pubout", "-outform", "der", "-out", certificates.path("rsa.der"),
            ])
            try await certificates.openssl([
                "rsa", "-in", key, "-RSAPublicKey_out", "-outform", "der", "-out", certificates.path("rsa.pub"),
            ])
            let bare = try certificates.bytes("rsa.pub")
            #expect(SubjectPublicKeyInfo.der(of: bare, .rsa) == (try certificates.bytes("rsa.der")))
        }
        for (curve, count) in [("P-384", 97), ("P-521", 133)] {
            let key = certificates.path("ec.key")
            try await certificates.openssl([
                "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(curve)", "-out", key,
            ])
            try await certificates.openssl([
                "pkey", "-in", key, "-pubout", "-outform", "der", "-out", certificates.path("ec.der"),
            ])
            let full = try certificates.bytes("ec.der")
            #expect(SubjectPublicKeyInfo.der(of: Array(full.suffix(count)), .ellipticCurve) == full)
        }
        #expect(SubjectPublicKeyInfo.der(of: [4, 1, 2], .ellipticCurve) == nil)
    }
}
