internal import TernCrypto

extension JWK {
    /// Why the key must not verify signatures of an algorithm, `nil` when it may.
    func mismatch(verifying algorithm: SignatureAlgorithm) -> String? {
        mismatch(with: algorithm, operation: "verify")
    }

    /// Why the key must not sign with an algorithm, `nil` when it may.
    func mismatch(signing algorithm: SignatureAlgorithm) -> String? {
        isSecret ? mismatch(with: algorithm, operation: "sign") : "a public key cannot sign"
    }

    private func mismatch(with algorithm: SignatureAlgorithm, operation: String) -> String? {
        guard keyType == algorithm.keyType else { return "its type does not fit the algorithm" }
        switch material {
        case .ecPublic(let key) where key.curve != algorithm.curve: return "its curve does not fit the algorithm"
        case .ecPrivate(let key) where key.curve != algorithm.curve: return "its curve does not fit the algorithm"
        case .x25519Public, .x25519Private: return "its curve does not fit the algorithm"
        case .symmetric(let key) where key.exposedBytes.count < algorithm.hashFunction.byteCount:
            // RFC 7518 §3.2 demands it.
            return "\(algorithm.rawValue) needs a key of \(algorithm.hashFunction.byteCount) bytes or more"
        default: break
        }
        if let name = self.algorithm, !algorithm.isMeant(by: name) { return "it is meant for another algorithm" }
        if let use, use != "sig" { return "it is not meant for signatures" }
        if let operations, !operations.contains(operation) { return "its key_ops do not allow to \(operation)" }
        return nil
    }

    /// Whether a signature is this key's. Key and algorithm must fit; where they do not, nothing is valid: a public key is
    /// never taken for the key of an HMAC, nor the other way round.
    func isValidSignature(
        _ signature: [UInt8], for input: UnsafeRawBufferPointer, using algorithm: SignatureAlgorithm
    ) -> Bool {
        let hash = algorithm.hashFunction
        switch material {
        case .rsaPublic(let key):
            guard let padding = algorithm.padding else { return false }
            return key.isValidSignature(signature, for: input, using: hash, padding: padding)
        case .rsaPrivate(let key):
            guard let padding = algorithm.padding else { return false }
            return key.publicKey.isValidSignature(signature, for: input, using: hash, padding: padding)
        case .ecPublic(let key):
            return key.curve == algorithm.curve && key.isValidSignature(signature, for: input)
        case .ecPrivate(let key):
            return key.curve == algorithm.curve && key.publicKey.isValidSignature(signature, for: input)
        case .ed25519Public(let key):
            return algorithm.keyType == .octetKeyPair && key.isValidSignature(signature, for: input)
        case .ed25519Private(let key):
            return algorithm.keyType == .octetKeyPair && key.publicKey.isValidSignature(signature, for: input)
        case .x25519Public, .x25519Private: return false
        case .symmetric(let key):
            return algorithm.keyType == .octetSequence && key.hmac.isValid(signature, for: input, using: hash)
        }
    }

    /// Signs; the key must fit the algorithm.
    func signature(for input: [UInt8], using algorithm: SignatureAlgorithm) throws(JOSEError) -> [UInt8] {
        if let reason = mismatch(signing: algorithm) { throw .keyUnusable(reason) }
        do throws(CryptoError) {
            switch material {
            case .rsaPrivate(let key):
                return try key.signature(
                    for: input, using: algorithm.hashFunction, padding: algorithm.padding ?? .pkcs1v15)
            case .ecPrivate(let key): return try key.signature(for: input)
            case .ed25519Private(let key): return try key.signature(for: input)
            case .symmetric(let key): return key.hmac.authenticationCode(for: input, using: algorithm.hashFunction)
            case .rsaPublic, .ecPublic, .ed25519Public, .x25519Public, .x25519Private: break
            }
        } catch {
            throw .keyUnusable(error.description)
        }
        throw .keyUnusable("a public key cannot sign")
    }
}
