#if TERN_OPENSSL
    internal import COpenSSL

    /// AES in the modes that are used beside GCM: CBC with padding (NIST SP 800-38A, PKCS #7) and key wrap (RFC 3394).
    enum AESModes {
        /// `nil` when libcrypto fails, or, in decryption, when the padding is wrong.
        static func cbc(_ bytes: [UInt8], key: [UInt8], iv: [UInt8], encrypts: Bool) -> [UInt8]? {
            run(AESCiphers.shared.cbc(keyByteCount: key.count), bytes, key: key, iv: iv, encrypts: encrypts)
        }

        /// `nil` when libcrypto fails, or, in unwrapping, when the key was not wrapped by this one.
        static func keyWrap(_ bytes: [UInt8], key: [UInt8], encrypts: Bool) -> [UInt8]? {
            run(AESCiphers.shared.wrap(keyByteCount: key.count), bytes, key: key, iv: nil, encrypts: encrypts)
        }

        private static func run(
            _ cipher: OpaquePointer, _ bytes: [UInt8], key: [UInt8], iv: [UInt8]?, encrypts: Bool
        ) -> [UInt8]? {
            guard let context = EVP_CIPHER_CTX_new() else { return nil }
            defer { EVP_CIPHER_CTX_free(context) }
            EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
            guard EVP_CipherInit_ex2(context, cipher, key, iv, encrypts ? 1 : 0, nil) == 1 else { return nil }
            var isDone = false
            // A block more than the text is the most that either mode writes.
            let output = [UInt8](unsafeUninitializedCapacity: bytes.count + 32) { output, filled in
                var (count, rest) = (Int32(0), Int32(0))
                guard let start = output.baseAddress,
                    EVP_CipherUpdate(context, start, &count, bytes, Int32(bytes.count)) == 1,
                    EVP_CipherFinal_ex(context, start + Int(count), &rest) == 1
                else {
                    OPENSSL_cleanse(output.baseAddress, output.count)
                    return
                }
                isDone = true
                filled = Int(count) + Int(rest)
            }
            guard isDone else {
                ERR_clear_error()
                return nil
            }
            return output
        }
    }

    /// The ciphers, fetched by the first key that is used.
    private struct AESCiphers: @unchecked Sendable {
        static let shared = AESCiphers()

        private let cbc128 = LibCrypto.required(EVP_CIPHER_fetch(nil, "AES-128-CBC", nil), "AES-128-CBC")
        private let cbc192 = LibCrypto.required(EVP_CIPHER_fetch(nil, "AES-192-CBC", nil), "AES-192-CBC")
        private let cbc256 = LibCrypto.required(EVP_CIPHER_fetch(nil, "AES-256-CBC", nil), "AES-256-CBC")
        private let wrap128 = LibCrypto.required(EVP_CIPHER_fetch(nil, "AES-128-WRAP", nil), "AES-128-WRAP")
        private let wrap192 = LibCrypto.required(EVP_CIPHER_fetch(nil, "AES-192-WRAP", nil), "AES-192-WRAP")
        private let wrap256 = LibCrypto.required(EVP_CIPHER_fetch(nil, "AES-256-WRAP", nil), "AES-256-WRAP")

        func cbc(keyByteCount: Int) -> OpaquePointer {
            switch keyByteCount {
            case 16: cbc128
            case 24: cbc192
            default: cbc256
            }
        }

        func wrap(keyByteCount: Int) -> OpaquePointer {
            switch keyByteCount {
            case 16: wrap128
            case 24: wrap192
            default: wrap256
            }
        }
    }
#endif
