#if TERN_OPENSSL
    internal import COpenSSL

    /// libcrypto's own ES256 signature over as many bytes, with nothing around it: the floor under what signs.
    final class BareSigning {
        private let key: OpaquePointer
        private let input: [UInt8]

        init(byteCount: Int) throws {
            input = [UInt8](repeating: 0x61, count: byteCount)
            var key: OpaquePointer?
            let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
            defer { EVP_PKEY_CTX_free(context) }
            guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
                EVP_PKEY_generate(context, &key) == 1, let key
            else { throw Failure("libcrypto makes no key") }
            self.key = key
        }

        deinit { EVP_PKEY_free(key) }

        func sign() throws {
            let context = EVP_MD_CTX_new()
            defer { EVP_MD_CTX_free(context) }
            var signature = [UInt8](repeating: 0, count: 80)
            var size = signature.count
            guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
                EVP_DigestSign(context, &signature, &size, input, input.count) == 1
            else { throw Failure("the bare signing fails") }
        }
    }
#endif
