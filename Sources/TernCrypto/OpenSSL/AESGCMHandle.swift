#if TERN_OPENSSL
    internal import COpenSSL

    /// A key for AES-GCM. Each message has a context of its own, so many threads can use the key.
    final class AESGCMHandle: Sendable {
        private let key: [UInt8]

        /// The length is already checked.
        init(_ key: [UInt8]) { self.key = key }

        /// Returns the encrypted message and the tag.
        func seal(
            _ message: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
        ) throws(CryptoError) -> [UInt8] {
            let sealed = [UInt8](unsafeUninitializedCapacity: message.count + AESGCMKey.tagByteCount) { out, filled in
                guard let context = AESGCMContext(key: key, nonce: nonce, encrypts: true),
                    context.authenticate(data), context.update(message, into: out.baseAddress), context.finish(),
                    context.getTag(out.baseAddress.map { $0 + message.count })
                else { return }
                filled = message.count + AESGCMKey.tagByteCount
            }
            guard !sealed.isEmpty else { throw LibCrypto.failure("AES-GCM") }
            return sealed
        }

        /// Returns the message; `nil` when the tag does not fit.
        func open(_ text: [UInt8], nonce: [UInt8], tag: [UInt8], authenticating data: [UInt8]) -> [UInt8]? {
            var isGenuine = false
            // What is decrypted stays in here unless the tag fits.
            let message = [UInt8](unsafeUninitializedCapacity: text.count) { out, filled in
                guard let context = AESGCMContext(key: key, nonce: nonce, encrypts: false),
                    context.setTag(tag), context.authenticate(data), context.update(text, into: out.baseAddress),
                    context.finish()
                else {
                    OPENSSL_cleanse(out.baseAddress, out.count)
                    return
                }
                isGenuine = true
                filled = text.count
            }
            guard isGenuine else {
                ERR_clear_error()
                return nil
            }
            return message
        }
    }

    /// One encryption or decryption.
    private final class AESGCMContext {
        private let context: OpaquePointer

        init?(key: [UInt8], nonce: [UInt8], encrypts: Bool) {
            guard let context = EVP_CIPHER_CTX_new() else { return nil }
            self.context = context
            let cipher = AESGCMCiphers.shared.cipher(keyByteCount: key.count)
            guard EVP_CipherInit_ex2(context, cipher, key, nonce, encrypts ? 1 : 0, nil) == 1 else { return nil }
        }

        deinit { EVP_CIPHER_CTX_free(context) }

        func authenticate(_ data: [UInt8]) -> Bool {
            // No place to write to means: this is only authenticated.
            data.isEmpty || update(data, into: nil)
        }

        func update(_ bytes: [UInt8], into out: UnsafeMutablePointer<UInt8>?) -> Bool {
            guard !bytes.isEmpty else { return true }
            var count: Int32 = 0
            return EVP_CipherUpdate(context, out, &count, bytes, Int32(bytes.count)) == 1
                && Int(count) == bytes.count
        }

        func finish() -> Bool {
            // The mode has no rest to write.
            var (nothing, count) = ([UInt8](repeating: 0, count: 16), Int32(0))
            return EVP_CipherFinal_ex(context, &nothing, &count) == 1 && count == 0
        }

        func getTag(_ out: UnsafeMutablePointer<UInt8>?) -> Bool {
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(AESGCMKey.tagByteCount), out) == 1
        }

        func setTag(_ tag: [UInt8]) -> Bool {
            var tag = tag
            return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
        }
    }

    /// The ciphers, fetched by the first key that is used.
    private struct AESGCMCiphers: @unchecked Sendable {
        static let shared = AESGCMCiphers()

        private let aes128 = LibCrypto.required(EVP_CIPHER_fetch(nil, "AES-128-GCM", nil), "AES-128-GCM")
        private let aes192 = LibCrypto.required(EVP_CIPHER_fetch(nil, "AES-192-GCM", nil), "AES-192-GCM")
        private let aes256 = LibCrypto.required(EVP_CIPHER_fetch(nil, "AES-256-GCM", nil), "AES-256-GCM")

        func cipher(keyByteCount: Int) -> OpaquePointer {
            switch keyByteCount {
            case 16: aes128
            case 24: aes192
            default: aes256
            }
        }
    }
#endif
