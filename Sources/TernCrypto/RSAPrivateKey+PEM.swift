extension RSAPrivateKey {
    /// Reads a key from a PEM file (RFC 7468): `PRIVATE KEY` (PKCS #8) or `RSA PRIVATE KEY` (PKCS #1), as `openssl genrsa`
    /// and `openssl genpkey` write them. Of several blocks the first private key counts.
    ///
    /// - Throws: ``CryptoError`` with `unsupported` for a key that is encrypted or not RSA, with `invalidKey` and the member
    ///   `pem` for a text without a key; what ``init(_:)`` throws.
    public init(pem text: [UInt8]) throws(CryptoError) {
        func nothing(_ problem: String) -> CryptoError { .invalidKey("pem", problem) }
        guard let blocks = PEMText.blocks(in: text) else {
            // OpenSSL's own encryption puts fields between the first line and the key.
            guard !text.containsLine(beginningWith: "Proc-Type: 4,ENCRYPTED") else { throw Self.isEncrypted }
            throw nothing("a block of it cannot be read")
        }
        guard let block = blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
            throw nothing("there is no private key in it")
        }
        let components: RSAPrivateComponents?
        switch block.label {
        case "RSA PRIVATE KEY": components = PKCS1.components(ofPrivateKey: block.bytes)
        case "PRIVATE KEY": components = PKCS1.components(ofPrivateKeyInfo: block.bytes)
        case "ENCRYPTED PRIVATE KEY": throw Self.isEncrypted
        default: throw CryptoError(.unsupported("a key of the kind \"\(block.label)\""), reason: "an RSA key is wanted")
        }
        guard let components else { throw nothing("the private key in it is not an RSA key") }
        try self.init(components)
    }

    private static let isEncrypted = CryptoError(
        .unsupported("an encrypted private key"), reason: "decrypt it, for example with \"openssl pkey\"")
}

extension [UInt8] {
    fileprivate func containsLine(beginningWith text: String) -> Bool {
        split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains { $0.starts(with: text.utf8) }
    }
}
