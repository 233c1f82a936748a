import Testing

@testable import TernCrypto

/// The certificates, and the digests of their DER form, are from OpenSSL 3.0.
@Suite struct PEMTextTests {
    private static let first = """
        -----BEGIN CERTIFICATE-----
        MIIBbzCCARWgAwIBAgIUAlRvMXa0j79i4Y2YJ4gGHMs6bvUwCgYIKoZIzj0EAwIw
        DDEKMAgGA1UEAwwBYTAgFw0yNjEyMDEwNDU1MjVaGA8yMDUxMDcyMzA0NTUyNVow
        DDEKMAgGA1UEAwwBYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABBwOB+JTP9ed
        VQ0CH8VTmrvB4oQHgT5jIpe2thK6+6ei9WY6pirXucKQwKKJn9S8TokiK+tzvUHg
        zsQO7o6ZBWWjUzBRMB0GA1UdDgQWBBTYjMKgwMEJwH+2e0LCVdiVF+Vy7TAfBgNV
        HSMEGDAWgBTYjMKgwMEJwH+2e0LCVdiVF+Vy7TAPBgNVHRMBAf8EBTADAQH/MAoG
        CCqGSM49BAMCA0gAMEUCIQDsuD1a0BYSDo7X8lswdBZ+27JrOCrWI+IGrC1M2SZO
        agIgCiG5mlRf4iqR6c3cn2xE0roC+2b3J565QuKxWgABWPQ=
        -----END CERTIFICATE-----
        """
    private static let second = """
        -----BEGIN CERTIFICATE-----
        MIIBrDCCATKgAwIBAgIUfEAalYex+mBXwvMas0T5mQjt0McwCgYIKoZIzj0EAwIw
        DDEKMAgGA1UEAwwBYjAgFw0yNjEyMDEwNDU1MjVaGA8yMDUxMDcyMzA0NTUyNVow
        DDEKMAgGA1UEAwwBYjB2MBAGByqGSM49AgEGBSuBBAAiA2IABB7JwZd+hlC2GvqO
        /scsdvILdPFzJ2MphX8Zvma4+acFmAwIGNpqHQuBUE9iu4fjRc82G8fTDba/sDdm
        ijtSPr8dV//5jIAVVsxDv8vyU0c1O2e8fv9BU7RVPI/SiSsquKNTMFEwHQYDVR0O
        BBYEFMQP+Tblb09PukjwTq/owWet2+UBMB8GA1UdIwQYMBaAFMQP+Tblb09Pukjw
        Tq/owWet2+UBMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDaAAwZQIwA++7
        t8wXoEJ6CHAFc8VsXfi+Ud5FoltXTSJu+fcdk8ZvXOh3zv4kH5YLt1UyNf4NAjEA
        kuf4CNSS4dS+xvOgBSsathgKkFLksSbD1g2f2AYJG0ev5VQUigX4J1MxjDrP3qg7
        -----END CERTIFICATE-----
        """
    private static let firstDigest = "f+hrmtBAJGY9rduWhOXD4Lbx7KqB0w1mu+actMzexgw="
    private static let secondDigest = "t50IYs+sk0iiKdDwgy9QafI0jfksKVZ3Tte42fb7BEY="

    private func digests(_ text: String) -> [String]? {
        PEMText.certificates(in: Array(text.utf8))?.map { Base64.encode(HashFunction.sha256.digest($0)) }
    }

    @Test func readsEveryCertificateInOrder() {
        #expect(digests(Self.first) == [Self.firstDigest])
        let bundle = "# the first\n\(Self.first)\n\nand the second:\n\(Self.second)\n"
        #expect(digests(bundle) == [Self.firstDigest, Self.secondDigest])
        let otherLineEnds = String(bundle.map { $0 == "\n" ? "\r\n" : $0 })
        #expect(digests(otherLineEnds) == [Self.firstDigest, Self.secondDigest])
    }

    @Test func passesOverOtherBlocks() {
        let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        #expect(digests(key + Self.second) == [Self.secondDigest])
        #expect(digests(key) == nil)
    }

    @Test(arguments: [
        "", "nonsense", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
        "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\nAAAA",
        "-----END CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nAAAA",
    ])
    func refusesWhatHasNoWholeCertificate(text: String) {
        #expect(digests(text) == nil)
        // A good certificate beside it does not make up for one that is broken off.
        if text.contains("BEGIN") { #expect(digests(Self.first + "\n" + text) == nil) }
    }
}
