internal import TernCrypto

extension JWK {
    /// Reads a private key from a PEM file: RSA, P-256, P-384, P-521, Ed25519 or X25519, as OpenSSL writes them.
    ///
    /// - Parameters:
    ///   - text: the file.
    ///   - keyID: the key's name; by default none.
    ///   - use: what it is for, `sig` or `enc`.
    ///   - algorithm: the algorithm for which alone it is meant.
    /// - Throws: ``JOSEError/keyUnusable(_:)`` when there is no private key in it, or none that is supported.
    public init(
        pem text: [UInt8], keyID: String? = nil, use: String? = nil, algorithm: String? = nil
    ) throws(JOSEError) {
        do throws(CryptoError) {
            let material: Material =
                switch try PEMPrivateKey(text) {
                case .rsa(let key): .rsaPrivate(key)
                case .ec(let key): .ecPrivate(key)
                case .ed25519(let key): .ed25519Private(key)
                case .x25519(let key): .x25519Private(key)
                }
            self.init(material, keyID: keyID, use: use, algorithm: algorithm)
        } catch {
            throw .keyUnusable(error.description)
        }
    }
}
