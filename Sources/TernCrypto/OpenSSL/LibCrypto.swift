#if TERN_OPENSSL
    internal import COpenSSL

    /// What is fetched from libcrypto once for the life of the process. A fetch looks names up under a lock; the objects
    /// themselves are immutable and counted by atomic operations.
    struct LibCrypto: @unchecked Sendable {
        static let shared = LibCrypto()

        let hmac: OpaquePointer
        private let sha1: OpaquePointer
        private let sha256: OpaquePointer
        private let sha384: OpaquePointer
        private let sha512: OpaquePointer

        private init() {
            // Without this, libcrypto tears itself down in exit() under the feet of threads that still verify.
            OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
            hmac = Self.required(EVP_MAC_fetch(nil, "HMAC", nil), "HMAC")
            sha1 = Self.required(EVP_MD_fetch(nil, "SHA1", nil), "SHA1")
            sha256 = Self.required(EVP_MD_fetch(nil, "SHA256", nil), "SHA256")
            sha384 = Self.required(EVP_MD_fetch(nil, "SHA384", nil), "SHA384")
            sha512 = Self.required(EVP_MD_fetch(nil, "SHA512", nil), "SHA512")
        }

        func digest(_ hash: HashFunction) -> OpaquePointer {
            switch hash {
            case .sha1: sha1
            case .sha256: sha256
            case .sha384: sha384
            case .sha512: sha512
            }
        }

        /// For what fails only when memory is exhausted or the installation of libcrypto is broken. No input leads here,
        /// and to go on without a hash function would be worse than to stop.
        static func required<Value>(_ value: Value?, _ what: StaticString) -> Value {
            guard let value else { preconditionFailure("libcrypto cannot do \(what)") }
            return value
        }

        /// An error that takes libcrypto's own reason along and leaves its queue empty.
        static func failure(_ operation: String) -> CryptoError {
            let code = ERR_peek_last_error()
            let reason = ERR_reason_error_string(code).map { String(cString: $0) } ?? ""
            ERR_clear_error()
            return CryptoError(.operationFailed(operation), reason: reason)
        }
    }

    extension StaticString {
        /// The text for libcrypto's parameter builder, which keeps the pointer beyond the call it is given in.
        var cString: UnsafePointer<CChar> {
            UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
        }
    }

    extension HashFunction {
        /// The name by which libcrypto knows the function.
        var libCryptoName: StaticString {
            switch self {
            case .sha1: "SHA1"
            case .sha256: "SHA256"
            case .sha384: "SHA384"
            case .sha512: "SHA512"
            }
        }

        func hash(_ bytes: UnsafeRawBufferPointer, into digest: UnsafeMutableRawBufferPointer) {
            var count: UInt32 = 0
            let status = EVP_Digest(
                bytes.baseAddress, bytes.count, digest.baseAddress, &count, LibCrypto.shared.digest(self), nil)
            precondition(status == 1 && Int(count) == digest.count, "libcrypto cannot hash")
        }
    }
#endif
