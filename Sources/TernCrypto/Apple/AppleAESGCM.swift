#if !TERN_OPENSSL
    internal import CryptoKit
    internal import Foundation

    /// A key for AES-GCM.
    ///
    /// `SymmetricKey` is immutable; only older SDKs do not say that it is Sendable.
    final class AESGCMHandle: @unchecked Sendable {
        private let key: SymmetricKey

        /// The length is already checked.
        init(_ key: [UInt8]) { self.key = SymmetricKey(data: key) }

        /// Returns the encrypted message and the tag.
        func seal(
            _ message: [UInt8], nonce: [UInt8], authenticating data: [UInt8]
        ) throws(CryptoError) -> [UInt8] {
            do {
                let box = try AES.GCM.seal(
                    message, using: key, nonce: try AES.GCM.Nonce(data: nonce), authenticating: data)
                return Array(box.ciphertext) + Array(box.tag)
            } catch {
                throw CryptoError(.operationFailed("AES-GCM"))
            }
        }

        /// Returns the message; `nil` when the tag does not fit.
        func open(_ text: [UInt8], nonce: [UInt8], tag: [UInt8], authenticating data: [UInt8]) -> [UInt8]? {
            guard let nonce = try? AES.GCM.Nonce(data: nonce),
                let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: text, tag: tag),
                let message = try? AES.GCM.open(box, using: key, authenticating: data)
            else { return nil }
            return Array(message)
        }
    }
#endif
