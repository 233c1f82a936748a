#if TERN_OPENSSL
    internal import COpenSSL

    /// A context for one key, one hash function and one direction, set up once. It is never used itself, only its copies
    /// are: a copy costs a few small allocations, where the set-up looks algorithms up by name, under libcrypto's locks.
    /// So many threads can use it at the same time.
    final class SignatureContext: @unchecked Sendable {
        enum Direction { case sign, verify }

        private let context: OpaquePointer
        private let hash: HashFunction
        private let maximumSize: Int

        /// `padding` is `nil` for ECDSA.
        init?(_ key: KeyObject, _ direction: Direction, _ hash: HashFunction, _ padding: RSAPadding?) {
            guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else { return nil }
            self.context = context
            self.hash = hash
            maximumSize = Int(EVP_PKEY_get_size(key.pointer))
            let started =
                switch direction {
                case .sign: EVP_PKEY_sign_init(context)
                case .verify: EVP_PKEY_verify_init(context)
                }
            guard started == 1, EVP_PKEY_CTX_set_signature_md(context, LibCrypto.shared.digest(hash)) == 1,
                Self.set(padding, on: context)
            else {
                ERR_clear_error()
                return nil
            }
        }

        deinit { EVP_PKEY_CTX_free(context) }

        private static func set(_ padding: RSAPadding?, on context: OpaquePointer) -> Bool {
            switch padding {
            case nil: true
            case .pkcs1v15: EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
            case .pss:
                EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
                    && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1
            }
        }

        func isValid(_ signature: UnsafeBufferPointer<UInt8>, for message: UnsafeRawBufferPointer) -> Bool {
            guard let copy = EVP_PKEY_CTX_dup(context) else { return false }
            defer { EVP_PKEY_CTX_free(copy) }
            let digest = hash.digest(message)
            guard EVP_PKEY_verify(copy, signature.baseAddress, signature.count, digest, digest.count) == 1 else {
                // A reason left behind would be reported by the next failure on this thread.
                ERR_clear_error()
                return false
            }
            return true
        }

        func signature(forDigest digest: [UInt8]) throws(CryptoError) -> [UInt8] {
            guard let copy = EVP_PKEY_CTX_dup(context) else { throw LibCrypto.failure("signing") }
            defer { EVP_PKEY_CTX_free(copy) }
            var size = maximumSize
            var status: Int32 = 0
            let signature = [UInt8](unsafeUninitializedCapacity: maximumSize) { signature, filled in
                status = EVP_PKEY_sign(copy, signature.baseAddress, &size, digest, digest.count)
                filled = status == 1 ? size : 0
            }
            guard status == 1 else { throw LibCrypto.failure("signing") }
            return signature
        }
    }
#endif
