#if !TERN_OPENSSL
    internal import CryptoKit
    internal import Foundation

    /// A parsed Ed25519 public key.
    ///
    /// CryptoKit's keys are immutable values; only older SDKs do not say that they are Sendable.
    final class Ed25519PublicKeyHandle: @unchecked Sendable {
        private let key: Curve25519.Signing.PublicKey

        /// The length is already checked.
        init(_ bytes: [UInt8]) throws(CryptoError) {
            do {
                key = try Curve25519.Signing.PublicKey(rawRepresentation: bytes)
            } catch {
                throw .invalidKey("x", "CryptoKit does not accept the key")
            }
        }

        func isValidSignature(_ signature: [UInt8], for message: UnsafeRawBufferPointer) -> Bool {
            key.isValidSignature(signature, for: message)
        }
    }

    /// A parsed Ed25519 private key.
    final class Ed25519PrivateKeyHandle: @unchecked Sendable {
        private let key: Curve25519.Signing.PrivateKey

        /// The length is already checked.
        init(_ bytes: [UInt8]) throws(CryptoError) {
            do {
                key = try Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
            } catch {
                throw .invalidKey("d", "CryptoKit does not accept the key")
            }
        }

        func publicKey() -> [UInt8] { Array(key.publicKey.rawRepresentation) }

        func signature(for message: [UInt8]) throws(CryptoError) -> [UInt8] {
            do {
                return Array(try key.signature(for: message))
            } catch {
                throw CryptoError(.operationFailed("signing"))
            }
        }
    }
#endif
