import TernCrypto
import Testing

@Suite("One key in many threads")
struct ConcurrencyTests {
    @Test func `verifying and signing at the same time`() async throws {
        let rsa = try RSAPrivateKey(rsaComponents(#require(records(rfc7520Vectors).first)))
        let ec = try ECPrivateKey.generate(.p256)
        let ed = try Ed25519PrivateKey.generate()
        let mac = HMACKey([1, 2, 3])
        let failures = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<16 {
                group.addTask {
                    var failures = 0
                    for index in 0..<20 {
                        let message = Array("\(task) \(index)".utf8)
                        let hash = HashFunction.allCases[(task + index) % 4]
                        let padding = RSAPadding.allCases[task % 2]
                        let rsaSignature = try rsa.signature(for: message, using: hash, padding: padding)
                        let ecSignature = try ec.signature(for: message)
                        let edSignature = try ed.signature(for: message)
                        let code = mac.authenticationCode(for: message, using: hash)
                        let valid =
                            rsa.publicKey.isValidSignature(rsaSignature, for: message, using: hash, padding: padding)
                            && ec.publicKey.isValidSignature(ecSignature, for: message)
                            && ed.publicKey.isValidSignature(edSignature, for: message)
                            && mac.isValid(code, for: message, using: hash)
                        let wrong =
                            rsa.publicKey.isValidSignature(rsaSignature, for: [], using: hash, padding: padding)
                            || ec.publicKey.isValidSignature(ecSignature, for: [])
                            || ed.publicKey.isValidSignature(edSignature, for: [])
                        if !valid || wrong { failures += 1 }
                    }
                    return failures
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(failures == 0)
    }
}
