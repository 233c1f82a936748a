#if TERN_OPENSSL
    internal import COpenSSL

    /// A parsed Ed25519 public key.
    final class Ed25519PublicKeyHandle: Sendable {
        private let key: KeyObject

        /// The length is already checked.
        init(_ bytes: [UInt8]) throws(CryptoError) {
            guard let key = KeyObject(EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, bytes, bytes.count)) else {
                throw .invalidKey("x", "libcrypto does not accept the key")
            }
            self.key = key
        }

        func isValidSignature(_ signature: [UInt8], for message: UnsafeRawBufferPointer) -> Bool {
            guard let context = EVP_MD_CTX_new() else { return false }
            defer { EVP_MD_CTX_free(context) }
            let bytes = message.bindMemory(to: UInt8.self).baseAddress
            guard EVP_DigestVerifyInit(context, nil, nil, nil, key.pointer) == 1,
                EVP_DigestVerify(context, signature, signature.count, bytes, message.count) == 1
            else {
                ERR_clear_error()
                return false
            }
            return true
        }
    }

    /// A parsed Ed25519 private key.
    final class Ed25519PrivateKeyHandle: Sendable {
        private let key: KeyObject

        /// The length is already checked.
        init(_ bytes: [UInt8]) throws(CryptoError) {
            guard let key = KeyObject(EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, bytes, bytes.count)) else {
                throw .invalidKey("d", "libcrypto does not accept the key")
            }
            self.key = key
        }

        func publicKey() -> [UInt8] {
            var size = Ed25519PublicKey.byteCount
            return [UInt8](unsafeUninitializedCapacity: size) { bytes, filled in
                if EVP_PKEY_get_raw_public_key(key.pointer, bytes.baseAddress, &size) == 1 { filled = size }
            }
        }

        func signature(for message: [UInt8]) throws(CryptoError) -> [UInt8] {
            guard let context = EVP_MD_CTX_new() else { throw LibCrypto.failure("signing") }
            defer { EVP_MD_CTX_free(context) }
            guard EVP_DigestSignInit(context, nil, nil, nil, key.pointer) == 1 else {
                throw LibCrypto.failure("signing")
            }
            var size = Ed25519PublicKey.signatureByteCount
            var status: Int32 = 0
            let signature = [UInt8](unsafeUninitializedCapacity: size) { bytes, filled in
                status = EVP_DigestSign(context, bytes.baseAddress, &size, message, message.count)
                filled = status == 1 ? size : 0
            }
            guard status == 1 else { throw LibCrypto.failure("signing") }
            return signature
        }
    }
#endif
