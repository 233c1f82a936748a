import TernCrypto
import TernProtocol
import Testing

/// RFC 7636.
@Suite("PKCE")
struct PKCETests {
    @Test("The example of RFC 7636 appendix B")
    func appendixB() throws {
        let verifier = try CodeVerifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(verifier.challenge.value == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        #expect(CodeChallenge.method == "S256")
    }

    @Test("The 32 bytes of appendix B become its verifier")
    func encodesRandomBytes() {
        struct Fixed: RandomSource {
            func bytes(_ count: Int) -> [UInt8] {
                Array(
                    [
                        116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77,
                        105, 214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
                    ].prefix(count))
            }
        }
        #expect(CodeVerifier(from: Fixed()).secret.exposedText == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    }

    @Test("43 to 128 unreserved characters are taken, nothing else")
    func lengths() throws {
        #expect(try CodeVerifier(String(repeating: "~", count: 43)).secret.exposedText.count == 43)
        #expect(try CodeVerifier(String(repeating: "a", count: 128)).secret.exposedText.count == 128)
        let good = String(repeating: "a", count: 42)
        for bad in [
            "", good, String(repeating: "a", count: 129), good + "+", good + "=", good + "é", good + " ",
            good + "a\n",
        ] {
            #expect(try reason { try CodeVerifier(bad) }?.invalidField == "code_verifier")
        }
    }
}
