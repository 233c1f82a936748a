#if !TERN_OPENSSL
    internal import Foundation
    internal import Security

    /// A parsed RSA public key.
    ///
    /// A `SecKey` is not changed after it was made, and its functions may be called from many threads.
    final class RSAPublicKeyHandle: @unchecked Sendable {
        private let key: SecKey

        /// The numbers are already checked.
        init(modulus: [UInt8], publicExponent: [UInt8]) throws(CryptoError) {
            let encoded = PKCS1.publicKey(modulus: modulus, publicExponent: publicExponent)
            guard let key = makeRSAKey(encoded, class: kSecAttrKeyClassPublic) else {
                throw .invalidKey("n", "the Security framework does not accept the key")
            }
            self.key = key
        }

        func isValidSignature(
            _ signature: [UInt8], for message: UnsafeRawBufferPointer, using hash: HashFunction, padding: RSAPadding
        ) -> Bool {
            let digest = Data(hash.digest(message))
            return SecKeyVerifySignature(
                key, algorithm(hash, padding), digest as CFData, Data(signature) as CFData, nil)
        }

        /// Encrypts with OAEP; the message is short enough.
        func encrypted(_ message: [UInt8], using hash: HashFunction) throws(CryptoError) -> [UInt8] {
            guard let encrypted = SecKeyCreateEncryptedData(key, oaep(hash), Data(message) as CFData, nil) else {
                throw CryptoError(.operationFailed("RSA-OAEP"))
            }
            return Array(encrypted as Data)
        }
    }

    /// A parsed RSA private key.
    final class RSAPrivateKeyHandle: @unchecked Sendable {
        private let key: SecKey

        /// The sizes are already checked.
        init(_ components: RSAPrivateComponents) throws(CryptoError) {
            guard let primes = components.primes else {
                throw CryptoError(
                    .unsupported("an RSA private key without primes"), reason: "add p, q, dp, dq and qi to the key")
            }
            let encoded = PKCS1.privateKey(components, primes)
            guard let key = makeRSAKey(encoded, class: kSecAttrKeyClassPrivate) else {
                throw .invalidKey("d", "the Security framework does not accept the key")
            }
            self.key = key
        }

        static func generate(bitCount: Int) throws(CryptoError) -> RSAPrivateComponents {
            let attributes: [CFString: Any] = [
                kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: bitCount,
            ]
            guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, nil),
                let encoded = SecKeyCopyExternalRepresentation(key, nil),
                let components = PKCS1.components(ofPrivateKey: Array(encoded as Data))
            else { throw CryptoError(.operationFailed("making an RSA key")) }
            return components
        }

        func signature(
            forDigest digest: [UInt8], using hash: HashFunction, padding: RSAPadding
        ) throws(CryptoError) -> [UInt8] {
            let data = Data(digest) as CFData
            guard let signature = SecKeyCreateSignature(key, algorithm(hash, padding), data, nil) else {
                throw CryptoError(.operationFailed("signing"))
            }
            return Array(signature as Data)
        }

        /// Decrypts with OAEP; `nil` for whatever this key did not encrypt.
        func decrypted(_ message: [UInt8], using hash: HashFunction) -> [UInt8]? {
            SecKeyCreateDecryptedData(key, oaep(hash), Data(message) as CFData, nil).map { Array($0 as Data) }
        }
    }

    private func makeRSAKey(_ encoded: [UInt8], class keyClass: CFString) -> SecKey? {
        let attributes: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: keyClass]
        return SecKeyCreateWithData(Data(encoded) as CFData, attributes as CFDictionary, nil)
    }

    /// The algorithms that take a finished digest. Those for PSS use a salt as long as the hash and MGF1 with the same
    /// hash, as JOSE wants it.
    private func algorithm(_ hash: HashFunction, _ padding: RSAPadding) -> SecKeyAlgorithm {
        switch (padding, hash) {
        case (.pkcs1v15, .sha1): .rsaSignatureDigestPKCS1v15SHA1
        case (.pkcs1v15, .sha256): .rsaSignatureDigestPKCS1v15SHA256
        case (.pkcs1v15, .sha384): .rsaSignatureDigestPKCS1v15SHA384
        case (.pkcs1v15, .sha512): .rsaSignatureDigestPKCS1v15SHA512
        case (.pss, .sha1): .rsaSignatureDigestPSSSHA1
        case (.pss, .sha256): .rsaSignatureDigestPSSSHA256
        case (.pss, .sha384): .rsaSignatureDigestPSSSHA384
        case (.pss, .sha512): .rsaSignatureDigestPSSSHA512
        }
    }

    /// OAEP with MGF1 of the same hash.
    private func oaep(_ hash: HashFunction) -> SecKeyAlgorithm {
        switch hash {
        case .sha1: .rsaEncryptionOAEPSHA1
        case .sha256: .rsaEncryptionOAEPSHA256
        case .sha384: .rsaEncryptionOAEPSHA384
        case .sha512: .rsaEncryptionOAEPSHA512
        }
    }
#endif
