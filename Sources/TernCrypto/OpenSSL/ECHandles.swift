#if TERN_OPENSSL
    internal import COpenSSL

    extension EllipticCurve {
        /// The name by which libcrypto knows the curve.
        fileprivate var libCryptoName: StaticString {
            switch self {
            case .p256: "P-256"
            case .p384: "P-384"
            case .p521: "P-521"
            }
        }
    }

    /// A parsed public key on a NIST curve.
    final class ECPublicKeyHandle: Sendable {
        let key: KeyObject
        private let curve: EllipticCurve
        private let context: SignatureContext

        /// The coordinates have their full length. libcrypto refuses a coordinate that is not less than the field's
        /// prime and a point that is not on the curve.
        init(curve: EllipticCurve, x: [UInt8], y: [UInt8]) throws(CryptoError) {
            let key = KeyObject.make(
                "EC", isPrivate: false, numbers: [], curve: curve.libCryptoName, point: [4] + x + y)
            guard let key else { throw .invalidKey("x", "the point is not on the curve") }
            guard let context = SignatureContext(key, .verify, curve.hashFunction, nil) else {
                throw LibCrypto.failure("reading an EC key")
            }
            self.key = key
            self.curve = curve
            self.context = context
        }

        /// The signature has its full length.
        func isValidSignature(_ signature: [UInt8], for message: UnsafeRawBufferPointer) -> Bool {
            guard let encoded = ECDSASignature(raw: signature)?.encoded else { return false }
            return encoded.withUnsafeBufferPointer { context.isValid($0, for: message) }
        }
    }

    /// A parsed private key on a NIST curve.
    final class ECPrivateKeyHandle: Sendable {
        let key: KeyObject
        private let curve: EllipticCurve
        private let context: SignatureContext

        /// The numbers have their full length and the scalar is in range.
        init(curve: EllipticCurve, privateScalar: [UInt8], x: [UInt8], y: [UInt8]) throws(CryptoError) {
            let key = KeyObject.make(
                "EC", isPrivate: true, numbers: [KeyObject.Number("priv", privateScalar, isSecret: true)],
                curve: curve.libCryptoName, point: [4] + x + y)
            guard let key, key.isPairConsistent else {
                throw .invalidKey("d", "the private key does not belong to the public one")
            }
            guard let context = SignatureContext(key, .sign, curve.hashFunction, nil) else {
                throw LibCrypto.failure("reading an EC key")
            }
            self.key = key
            self.curve = curve
            self.context = context
        }

        static func generate(
            _ curve: EllipticCurve
        ) throws(CryptoError) -> (privateScalar: [UInt8], x: [UInt8], y: [UInt8]) {
            let key = KeyObject.generate("EC") { EVP_PKEY_CTX_set_group_name($0, curve.libCryptoName.cString) }
            guard let key, let scalar = key.number("priv"), let x = key.number("qx"), let y = key.number("qy") else {
                throw LibCrypto.failure("making an EC key")
            }
            return (scalar, x, y)
        }

        func signature(for message: [UInt8]) throws(CryptoError) -> [UInt8] {
            let encoded = try context.signature(forDigest: curve.hashFunction.digest(message))
            guard let raw = ECDSASignature(encoded: encoded)?.raw(halfByteCount: curve.coordinateByteCount) else {
                throw LibCrypto.failure("signing")
            }
            return raw
        }
    }

    /// The two numbers of an ECDSA signature, between JOSE's form (r and s one after the other) and libcrypto's (ASN.1).
    private struct ECDSASignature: ~Copyable {
        private let pointer: OpaquePointer

        init?(raw: [UInt8]) {
            guard let pointer = ECDSA_SIG_new() else { return nil }
            let half = raw.count / 2
            let (r, s) = raw.withUnsafeBufferPointer { bytes in
                let start = bytes.baseAddress
                return (BN_bin2bn(start, Int32(half), nil), BN_bin2bn(start.map { $0 + half }, Int32(half), nil))
            }
            // Takes over both numbers when it succeeds.
            guard ECDSA_SIG_set0(pointer, r, s) == 1 else {
                BN_free(r)
                BN_free(s)
                ECDSA_SIG_free(pointer)
                return nil
            }
            self.pointer = pointer
        }

        init?(encoded: [UInt8]) {
            let pointer = encoded.withUnsafeBufferPointer { bytes in
                var start = bytes.baseAddress
                return d2i_ECDSA_SIG(nil, &start, bytes.count)
            }
            guard let pointer else { return nil }
            self.pointer = pointer
        }

        deinit { ECDSA_SIG_free(pointer) }

        var encoded: [UInt8]? {
            let size = Int(i2d_ECDSA_SIG(pointer, nil))
            guard size > 0 else { return nil }
            return [UInt8](unsafeUninitializedCapacity: size) { bytes, filled in
                var end = bytes.baseAddress
                filled = max(0, Int(i2d_ECDSA_SIG(pointer, &end)))
            }
        }

        func raw(halfByteCount half: Int) -> [UInt8]? {
            var complete = false
            let raw = [UInt8](unsafeUninitializedCapacity: 2 * half) { bytes, filled in
                guard let start = bytes.baseAddress else { return }
                complete =
                    BN_bn2binpad(ECDSA_SIG_get0_r(pointer), start, Int32(half)) == half
                    && BN_bn2binpad(ECDSA_SIG_get0_s(pointer), start + half, Int32(half)) == half
                filled = complete ? 2 * half : 0
            }
            return complete ? raw : nil
        }
    }
#endif
