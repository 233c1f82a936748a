#if !TERN_OPENSSL
    internal import CryptoKit
    internal import Foundation

    /// A parsed public key on a NIST curve.
    ///
    /// CryptoKit's keys are immutable values; only older SDKs do not say that they are Sendable.
    final class ECPublicKeyHandle: @unchecked Sendable {
        private enum Key {
            case p256(P256.Signing.PublicKey)
            case p384(P384.Signing.PublicKey)
            case p521(P521.Signing.PublicKey)
        }

        private let key: Key

        /// The coordinates have their full length. CryptoKit refuses a point that is not on the curve.
        init(curve: EllipticCurve, x: [UInt8], y: [UInt8]) throws(CryptoError) {
            let point = [4] + x + y
            do {
                switch curve {
                case .p256: key = .p256(try P256.Signing.PublicKey(x963Representation: point))
                case .p384: key = .p384(try P384.Signing.PublicKey(x963Representation: point))
                case .p521: key = .p521(try P521.Signing.PublicKey(x963Representation: point))
                }
            } catch {
                throw .invalidKey("x", "the point is not on the curve")
            }
        }

        /// The point, uncompressed, for the keys of CryptoKit's key agreement, which are of other types.
        var x963Representation: [UInt8] {
            switch key {
            case .p256(let key): Array(key.x963Representation)
            case .p384(let key): Array(key.x963Representation)
            case .p521(let key): Array(key.x963Representation)
            }
        }

        /// The signature has its full length. CryptoKit hashes with the hash function that JOSE wants for the curve.
        func isValidSignature(_ signature: [UInt8], for message: UnsafeRawBufferPointer) -> Bool {
            switch key {
            case .p256(let key):
                guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
                    return false
                }
                return key.isValidSignature(signature, for: message)
            case .p384(let key):
                guard let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature) else {
                    return false
                }
                return key.isValidSignature(signature, for: message)
            case .p521(let key):
                guard let signature = try? P521.Signing.ECDSASignature(rawRepresentation: signature) else {
                    return false
                }
                return key.isValidSignature(signature, for: message)
            }
        }
    }

    /// A parsed private key on a NIST curve.
    final class ECPrivateKeyHandle: @unchecked Sendable {
        private enum Key {
            case p256(P256.Signing.PrivateKey)
            case p384(P384.Signing.PrivateKey)
            case p521(P521.Signing.PrivateKey)

            var point: Data {
                switch self {
                case .p256(let key): key.publicKey.x963Representation
                case .p384(let key): key.publicKey.x963Representation
                case .p521(let key): key.publicKey.x963Representation
                }
            }

            var scalar: Data {
                switch self {
                case .p256(let key): key.rawRepresentation
                case .p384(let key): key.rawRepresentation
                case .p521(let key): key.rawRepresentation
                }
            }
        }

        private let key: Key

        /// The numbers have their full length and the scalar is in range.
        init(curve: EllipticCurve, privateScalar: [UInt8], x: [UInt8], y: [UInt8]) throws(CryptoError) {
            do {
                switch curve {
                case .p256: key = .p256(try P256.Signing.PrivateKey(rawRepresentation: privateScalar))
                case .p384: key = .p384(try P384.Signing.PrivateKey(rawRepresentation: privateScalar))
                case .p521: key = .p521(try P521.Signing.PrivateKey(rawRepresentation: privateScalar))
                }
            } catch {
                throw .invalidKey("d", "CryptoKit does not accept the key")
            }
            guard Array(key.point) == [4] + x + y else {
                throw .invalidKey("d", "the private key does not belong to the public one")
            }
        }

        /// The scalar, for the keys of CryptoKit's key agreement, which are of other types.
        var rawRepresentation: [UInt8] { Array(key.scalar) }

        static func generate(
            _ curve: EllipticCurve
        ) throws(CryptoError) -> (privateScalar: [UInt8], x: [UInt8], y: [UInt8]) {
            let key: Key =
                switch curve {
                case .p256: .p256(P256.Signing.PrivateKey(compactRepresentable: false))
                case .p384: .p384(P384.Signing.PrivateKey(compactRepresentable: false))
                case .p521: .p521(P521.Signing.PrivateKey(compactRepresentable: false))
                }
            let size = curve.coordinateByteCount
            let point = Array(key.point)
            guard point.count == 1 + 2 * size else { throw CryptoError(.operationFailed("making an EC key")) }
            return (Array(key.scalar), Array(point[1...size]), Array(point[(1 + size)...]))
        }

        func signature(for message: [UInt8]) throws(CryptoError) -> [UInt8] {
            do {
                switch key {
                case .p256(let key): return Array(try key.signature(for: message).rawRepresentation)
                case .p384(let key): return Array(try key.signature(for: message).rawRepresentation)
                case .p521(let key): return Array(try key.signature(for: message).rawRepresentation)
                }
            } catch {
                throw CryptoError(.operationFailed("signing"))
            }
        }
    }
#endif
