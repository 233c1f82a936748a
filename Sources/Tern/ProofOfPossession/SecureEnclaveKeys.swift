#if canImport(CryptoKit)
    internal import CryptoKit
    internal import Foundation
    internal import TernCrypto
    public import TernJOSE
    public import TernProtocol

    /// Keys of the Secure Enclave, for ES256. A handle is the key as the enclave wraps it: only the same device can open it.
    public struct SecureEnclaveKeys: KeyVault {
        /// Takes the enclave of this device.
        ///
        /// - Throws: ``/TernProtocol/TernError`` with `unsupported` on a device without one.
        public init() throws(TernError) {
            guard SecureEnclave.isAvailable else {
                throw TernError(.unsupported("a Secure Enclave on this device"), at: .configuration)
            }
        }

        /// A new key of the enclave.
        ///
        /// - Throws: ``/TernProtocol/TernError`` with the field `dpop` where the enclave makes none.
        public func makeKey() throws(TernError) -> (key: SigningKey, handle: String) {
            do {
                let key = try SecureEnclave.P256.Signing.PrivateKey()
                return (try Self.signing(with: key), Base64URL.encode(Array(key.dataRepresentation)))
            } catch {
                throw TernError(
                    .invalidConfiguration(field: "dpop", problem: "the Secure Enclave made no key"), at: .configuration)
            }
        }

        /// The key that a handle wraps.
        ///
        /// - Throws: ``/TernProtocol/TernError`` with `reauthenticationRequired` for a handle of another device, such as one that
        ///   came with a backup.
        public func key(for handle: String) throws(TernError) -> SigningKey {
            guard let wrapped = Base64URL.decode(handle),
                let held = try? SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: Data(wrapped)),
                let key = try? Self.signing(with: held)
            else { throw TernError(.reauthenticationRequired(nil), at: .refresh) }
            return key
        }

        private static func signing(
            with key: SecureEnclave.P256.Signing.PrivateKey
        ) throws(JOSEError) -> SigningKey {
            let point = Array(key.publicKey.rawRepresentation)
            let half = point.count / 2
            let publicKey = try JWK(
                .object([
                    "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(Array(point.prefix(half)))),
                    "y": .string(Base64URL.encode(Array(point.suffix(half)))),
                ]))
            let held = Held(key: key)
            return try SigningKey(publicKey: publicKey, algorithm: .es256) { (input) throws(JOSEError) in
                do { return Array(try held.key.signature(for: Data(input)).rawRepresentation) } catch {
                    throw .keyUnusable("the Secure Enclave did not sign")
                }
            }
        }

        /// CryptoKit's keys are immutable values; only older SDKs do not say that they are Sendable.
        private struct Held: @unchecked Sendable {
            let key: SecureEnclave.P256.Signing.PrivateKey
        }
    }
#endif
