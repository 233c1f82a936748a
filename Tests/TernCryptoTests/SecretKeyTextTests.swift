import TernCrypto
import Testing

@Suite("Private keys print nothing of themselves")
struct SecretKeyTextTests {
    private func texts(_ value: some Sendable) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(describing: value), String(reflecting: value), dumped, "\([value])"]
    }

    @Test func `no numbers, no fields`() throws {
        let rsa = try RSAPrivateKey(rsaComponents(#require(records(rfc7520Vectors).first)))
        let ec = try ECPrivateKey.generate(.p384)
        let ed = try Ed25519PrivateKey.generate()
        let mac = HMACKey([201, 202, 203, 204])
        let all =
            try texts(rsa) + texts(rsa.components) + texts(#require(rsa.components.primes)) + texts(ec) + texts(ed)
            + texts(mac)
        for text in all {
            #expect(text.contains("<"))
            for part in ["[", "Exponent", "Scalar", "rawRepresentation", "handle", "0x", "201", "202"] {
                #expect(!text.dropFirst().contains(part), "\(text) has \(part)")
            }
        }
        #expect(Mirror(reflecting: rsa).children.isEmpty)
        #expect(Mirror(reflecting: rsa.components).children.isEmpty)
        #expect(Mirror(reflecting: ec).children.isEmpty)
        #expect(Mirror(reflecting: ed).children.isEmpty)
        #expect(Mirror(reflecting: mac).children.isEmpty)
        #expect("\(rsa)" == "<RSA private key, 2048 bits>")
    }

    @Test func `errors say which member is wrong`() {
        #expect("\(CryptoError(.invalidKey(field: "n")))" == "invalid key, member \"n\"")
        #expect("\(CryptoError(.unsupported("x"), reason: "do y"))" == "unsupported: x: do y")
        #expect("\(CryptoError(.operationFailed("signing")))" == "signing failed")
    }
}
