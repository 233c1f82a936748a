import Testing

@testable import TernCrypto

@Suite struct RSAPrivateKeyPEMTests {
    private func pem(_ label: String, _ bytes: [UInt8]) -> [UInt8] {
        Array("-----BEGIN \(label)-----\n\(Base64.encode(bytes))\n-----END \(label)-----\n".utf8)
    }

    private func kind(_ text: [UInt8]) -> CryptoError.Kind? {
        do throws(CryptoError) {
            _ = try RSAPrivateKey(pem: text)
            return nil
        } catch { return error.kind }
    }

    @Test func readsPKCS1AmongOtherThings() throws {
        let key = try RSAPrivateKey.generate()
        let encoded = PKCS1.privateKey(key.components, try #require(key.components.primes))
        let text = Array("A key:\n".utf8) + pem("CERTIFICATE", [1]) + pem("RSA PRIVATE KEY", encoded)
        #expect(try RSAPrivateKey(pem: text).publicKey == key.publicKey)
    }

    @Test func saysWhatIsWrong() {
        #expect(kind([]) == .invalidKey(field: "pem"))
        #expect(kind(Array("nonsense".utf8)) == .invalidKey(field: "pem"))
        #expect(kind(pem("CERTIFICATE", [1])) == .invalidKey(field: "pem"))
        #expect(kind(pem("RSA PRIVATE KEY", [0x30, 0])) == .invalidKey(field: "pem"))
        #expect(kind(pem("PRIVATE KEY", [0x30, 0])) == .invalidKey(field: "pem"))
        #expect(kind(Array("-----BEGIN PRIVATE KEY-----\nAAAA".utf8)) == .invalidKey(field: "pem"))
        #expect(kind(pem("ENCRYPTED PRIVATE KEY", [1])) == .unsupported("an encrypted private key"))
        let old =
            "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----\n"
        #expect(kind(Array(old.utf8)) == .unsupported("an encrypted private key"))
        #expect(kind(pem("EC PRIVATE KEY", [1])) == .unsupported("a key of the kind \"EC PRIVATE KEY\""))
    }
}
