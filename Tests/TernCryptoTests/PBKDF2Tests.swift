import TernCrypto
import Testing

@Suite("PBKDF2 with HMAC-SHA256 (RFC 8018)")
struct PBKDF2Tests {
    @Test func `RFC 7914 section 11`() throws {
        #expect(
            try PBKDF2.deriveKey(from: Array("passwd".utf8), salt: Array("salt".utf8), iterations: 1, byteCount: 64)
                == hex(
                    "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                        + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"))
        #expect(
            try PBKDF2.deriveKey(
                from: Array("Password".utf8), salt: Array("NaCl".utf8), iterations: 80_000, byteCount: 64)
                == hex(
                    "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
                        + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"))
    }

    /// Computed with Python's hashlib.
    @Test func `an empty password and an empty salt`() throws {
        #expect(
            try PBKDF2.deriveKey(from: [], salt: Array("salt".utf8), iterations: 1_024)
                == hex("9e83f279c040f2a11aa4a02b24c418f2d3cb39560c9627fa4f47e3bcc2897c3d"))
        #expect(
            try PBKDF2.deriveKey(from: Array("password".utf8), salt: [], iterations: 1_024)
                == hex("ea5808411eb0c7e830deab55096cee582761e22a9bc034e3ece925225b07bf46"))
        #expect(
            try PBKDF2.deriveKey(from: Array("pass\u{0}word".utf8), salt: Array("sa\u{0}lt".utf8), iterations: 2)
                == hex("aa4399833b716be66298125c3e643697f19ac0a893c1a93ef0665590c0cde816"))
    }

    @Test(arguments: [(0, 32), (-1, 32), (Int(Int32.max) + 1, 32), (1, 0), (1, -1), (1, 1_025)])
    func `numbers out of range are refused`(iterations: Int, byteCount: Int) {
        #expect(throws: CryptoError.self) {
            try PBKDF2.deriveKey(from: [1], salt: [2], iterations: iterations, byteCount: byteCount)
        }
    }

    @Test func `the default is what OWASP advises`() {
        #expect(PBKDF2.recommendedIterations == 600_000)
    }
}
