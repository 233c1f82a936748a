#if TERN_OPENSSL
    internal import COpenSSL

    /// RSAES-OAEP with one key, one hash function and one direction, set up once; as with ``SignatureContext``, only copies
    /// of it are used.
    final class OAEPContext: @unchecked Sendable {
        enum Direction { case encrypt, decrypt }

        private let context: OpaquePointer
        private let direction: Direction
        private let maximumSize: Int

        init?(_ key: KeyObject, _ direction: Direction, _ hash: HashFunction) {
            guard let context = EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else { return nil }
            self.context = context
            self.direction = direction
            maximumSize = Int(EVP_PKEY_get_size(key.pointer))
            let started =
                switch direction {
                case .encrypt: EVP_PKEY_encrypt_init(context)
                case .decrypt: EVP_PKEY_decrypt_init(context)
                }
            let digest = LibCrypto.shared.digest(hash)
            guard started == 1, EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_oaep_md(context, digest) == 1,
                EVP_PKEY_CTX_set_rsa_mgf1_md(context, digest) == 1
            else {
                ERR_clear_error()
                return nil
            }
        }

        deinit { EVP_PKEY_CTX_free(context) }

        func output(for input: [UInt8]) -> [UInt8]? {
            guard let copy = EVP_PKEY_CTX_dup(context) else { return nil }
            defer { EVP_PKEY_CTX_free(copy) }
            var size = maximumSize
            var isDone = false
            let output = [UInt8](unsafeUninitializedCapacity: maximumSize) { output, filled in
                let status =
                    switch direction {
                    case .encrypt: EVP_PKEY_encrypt(copy, output.baseAddress, &size, input, input.count)
                    case .decrypt: EVP_PKEY_decrypt(copy, output.baseAddress, &size, input, input.count)
                    }
                isDone = status == 1
                filled = isDone ? size : 0
            }
            guard isDone else {
                if direction == .decrypt { ERR_clear_error() }
                return nil
            }
            return output
        }
    }
#endif
