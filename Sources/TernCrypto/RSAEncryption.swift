extension RSAPublicKey {
    /// The longest message that can be encrypted with RSAES-OAEP and this hash function, in bytes (RFC 8017 section 7.1.1).
    public func maximumMessageByteCount(using hash: HashFunction) -> Int {
        max(0, modulus.count - 2 * hash.byteCount - 2)
    }

    /// Encrypts a short message, such as the key of another cipher, with RSAES-OAEP (RFC 8017 section 7.1): MGF1 with the
    /// same hash function, and no label. The result is as long as the modulus and differs from call to call.
    ///
    /// - Parameters:
    ///   - message: what only the holder of the private key shall read.
    ///   - hash: SHA-1 for RSA-OAEP, SHA-256 for RSA-OAEP-256, and so on (RFC 7518 section 4.3).
    /// - Throws: ``CryptoError`` with `operationFailed` when the message is longer than
    ///   ``maximumMessageByteCount(using:)`` or the system's library fails.
    public func encrypted(_ message: [UInt8], using hash: HashFunction) throws(CryptoError) -> [UInt8] {
        guard message.count <= maximumMessageByteCount(using: hash) else {
            throw CryptoError(.operationFailed("RSA-OAEP"), reason: "the message is too long for the key")
        }
        return try handle.encrypted(message, using: hash)
    }
}

extension RSAPrivateKey {
    /// Decrypts what ``RSAPublicKey/encrypted(_:using:)`` made.
    ///
    /// - Returns: the message; `nil` for whatever was not encrypted for this key with this hash function. Nothing tells
    ///   why, and nobody should be told (RFC 8017 section 7.1.2).
    public func decrypted(_ message: [UInt8], using hash: HashFunction) -> [UInt8]? {
        guard message.count == publicKey.modulus.count else { return nil }
        return handle.decrypted(message, using: hash)
    }
}
