#if !TERN_OPENSSL
    internal import CryptoKit
    internal import Foundation

    extension ECPrivateKeyHandle {
        /// The x coordinate of the shared point, in its full length; both keys are on the same curve.
        func sharedSecret(with other: ECPublicKeyHandle, byteCount: Int) -> [UInt8]? {
            let (scalar, point) = (rawRepresentation, other.x963Representation)
            let secret: SharedSecret?
            switch byteCount {
            case EllipticCurve.p256.coordinateByteCount:
                secret = try? P256.KeyAgreement.PrivateKey(rawRepresentation: scalar)
                    .sharedSecretFromKeyAgreement(with: P256.KeyAgreement.PublicKey(x963Representation: point))
            case EllipticCurve.p384.coordinateByteCount:
                secret = try? P384.KeyAgreement.PrivateKey(rawRepresentation: scalar)
                    .sharedSecretFromKeyAgreement(with: P384.KeyAgreement.PublicKey(x963Representation: point))
            default:
                secret = try? P521.KeyAgreement.PrivateKey(rawRepresentation: scalar)
                    .sharedSecretFromKeyAgreement(with: P521.KeyAgreement.PublicKey(x963Representation: point))
            }
            guard let bytes = secret?.withUnsafeBytes({ Array($0) }), bytes.count == byteCount else { return nil }
            return bytes
        }
    }

    /// A parsed X25519 public key.
    ///
    /// CryptoKit's keys are immutable values; only older SDKs do not say that they are Sendable.
    final class X25519PublicKeyHandle: @unchecked Sendable {
        fileprivate let key: Curve25519.KeyAgreement.PublicKey

        /// The length is already checked.
        init(_ bytes: [UInt8]) throws(CryptoError) {
            do {
                key = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes)
            } catch {
                throw .invalidKey("x", "CryptoKit does not accept the key")
            }
        }
    }

    /// A parsed X25519 private key.
    final class X25519PrivateKeyHandle: @unchecked Sendable {
        private let key: Curve25519.KeyAgreement.PrivateKey

        /// The length is already checked.
        init(_ bytes: [UInt8]) throws(CryptoError) {
            do {
                key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes)
            } catch {
                throw .invalidKey("d", "CryptoKit does not accept the key")
            }
        }

        func publicKey() -> [UInt8] { Array(key.publicKey.rawRepresentation) }

        func sharedSecret(with other: X25519PublicKeyHandle) -> [UInt8]? {
            (try? key.sharedSecretFromKeyAgreement(with: other.key))?.withUnsafeBytes { Array($0) }
        }
    }
#endif
