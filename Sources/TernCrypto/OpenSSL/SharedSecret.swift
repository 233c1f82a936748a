#if TERN_OPENSSL
    internal import COpenSSL

    extension KeyObject {
        /// The secret that this private key shares with a public one (Diffie-Hellman); `nil` when libcrypto refuses it, as
        /// it does for an X25519 key of small order.
        ///
        /// The other key is not checked once more: ``make(_:isPrivate:numbers:curve:point:)`` takes points of the curve alone,
        /// and the curves that are used have a prime order, so that every one of their points is a good key. libcrypto's own
        /// check multiplies by that order, which takes as long as the agreement itself.
        func sharedSecret(with other: KeyObject, byteCount: Int) -> [UInt8]? {
            guard let context = EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return nil }
            defer { EVP_PKEY_CTX_free(context) }
            var size = byteCount
            var isDone = false
            let secret = [UInt8](unsafeUninitializedCapacity: byteCount) { secret, filled in
                isDone =
                    EVP_PKEY_derive_init(context) == 1 && EVP_PKEY_derive_set_peer_ex(context, other.pointer, 0) == 1
                    && EVP_PKEY_derive(context, secret.baseAddress, &size) == 1 && size == byteCount
                filled = isDone ? byteCount : 0
            }
            guard isDone else {
                ERR_clear_error()
                return nil
            }
            return secret
        }
    }

    extension ECPrivateKeyHandle {
        /// The x coordinate of the shared point, in its full length; both keys are on the same curve.
        func sharedSecret(with other: ECPublicKeyHandle, byteCount: Int) -> [UInt8]? {
            key.sharedSecret(with: other.key, byteCount: byteCount)
        }
    }

    /// A parsed X25519 public key.
    final class X25519PublicKeyHandle: Sendable {
        fileprivate let key: KeyObject

        /// The length is already checked.
        init(_ bytes: [UInt8]) throws(CryptoError) {
            guard let key = KeyObject(EVP_PKEY_new_raw_public_key_ex(nil, "X25519", nil, bytes, bytes.count)) else {
                throw .invalidKey("x", "libcrypto does not accept the key")
            }
            self.key = key
        }
    }

    /// A parsed X25519 private key.
    final class X25519PrivateKeyHandle: Sendable {
        private let key: KeyObject

        /// The length is already checked.
        init(_ bytes: [UInt8]) throws(CryptoError) {
            guard let key = KeyObject(EVP_PKEY_new_raw_private_key_ex(nil, "X25519", nil, bytes, bytes.count)) else {
                throw .invalidKey("d", "libcrypto does not accept the key")
            }
            self.key = key
        }

        func publicKey() -> [UInt8] {
            var size = X25519PublicKey.byteCount
            return [UInt8](unsafeUninitializedCapacity: size) { bytes, filled in
                if EVP_PKEY_get_raw_public_key(key.pointer, bytes.baseAddress, &size) == 1 { filled = size }
            }
        }

        func sharedSecret(with other: X25519PublicKeyHandle) -> [UInt8]? {
            key.sharedSecret(with: other.key, byteCount: X25519PublicKey.byteCount)
        }
    }
#endif
