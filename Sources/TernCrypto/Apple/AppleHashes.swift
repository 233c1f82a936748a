#if !TERN_OPENSSL
    internal import CryptoKit
    internal import Foundation

    extension HashFunction {
        func hash(_ bytes: UnsafeRawBufferPointer, into digest: UnsafeMutableRawBufferPointer) {
            switch self {
            case .sha1: Self.hash(bytes, into: digest, with: Insecure.SHA1())
            case .sha256: Self.hash(bytes, into: digest, with: SHA256())
            case .sha384: Self.hash(bytes, into: digest, with: SHA384())
            case .sha512: Self.hash(bytes, into: digest, with: SHA512())
            }
        }

        private static func hash<Function: CryptoKit.HashFunction>(
            _ bytes: UnsafeRawBufferPointer, into digest: UnsafeMutableRawBufferPointer, with function: Function
        ) {
            var function = function
            function.update(bufferPointer: bytes)
            function.finalize().withUnsafeBytes { digest.copyMemory(from: $0) }
        }
    }

    /// A key for HMAC.
    ///
    /// `SymmetricKey` is immutable; only older SDKs do not say that it is Sendable.
    final class HMACHandle: @unchecked Sendable {
        private let key: SymmetricKey

        init(_ key: [UInt8]) { self.key = SymmetricKey(data: key) }

        func authenticationCode(for message: UnsafeRawBufferPointer, using hash: HashFunction) -> [UInt8] {
            switch hash {
            case .sha1: code(for: message, using: Insecure.SHA1.self)
            case .sha256: code(for: message, using: SHA256.self)
            case .sha384: code(for: message, using: SHA384.self)
            case .sha512: code(for: message, using: SHA512.self)
            }
        }

        private func code<Function: CryptoKit.HashFunction>(
            for message: UnsafeRawBufferPointer, using function: Function.Type
        ) -> [UInt8] {
            Array(HMAC<Function>.authenticationCode(for: message, using: key))
        }
    }
#endif
