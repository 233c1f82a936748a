#if TERN_OPENSSL
    internal import COpenSSL

    /// A parsed key. A finished `EVP_PKEY` is not changed any more and may be used by many threads.
    final class KeyObject: @unchecked Sendable {
        let pointer: OpaquePointer

        /// Takes over the ownership.
        init?(_ pointer: OpaquePointer?) {
            guard let pointer else {
                ERR_clear_error()
                return nil
            }
            self.pointer = pointer
        }

        deinit { EVP_PKEY_free(pointer) }

        /// One number of a key, by libcrypto's name.
        struct Number {
            let name: StaticString
            let bytes: [UInt8]
            let isSecret: Bool

            init(_ name: StaticString, _ bytes: [UInt8], isSecret: Bool = false) {
                self.name = name
                self.bytes = bytes
                self.isSecret = isSecret
            }
        }

        /// Makes a key from its numbers and, for an elliptic curve, the name of the curve and the public point.
        static func make(
            _ type: StaticString, isPrivate: Bool, numbers: [Number], curve: StaticString? = nil, point: [UInt8] = []
        ) -> KeyObject? {
            var selection = OSSL_KEYMGMT_SELECT_PUBLIC_KEY | OSSL_KEYMGMT_SELECT_ALL_PARAMETERS
            if isPrivate { selection |= OSSL_KEYMGMT_SELECT_PRIVATE_KEY }
            guard let builder = OSSL_PARAM_BLD_new() else { return nil }
            defer { OSSL_PARAM_BLD_free(builder) }
            var bigNumbers: [OpaquePointer] = []
            defer { for number in bigNumbers { BN_clear_free(number) } }
            for number in numbers {
                // The builder keeps what is marked secure apart and wipes it when it is freed.
                guard let empty = number.isSecret ? BN_secure_new() : BN_new() else { return nil }
                bigNumbers.append(empty)
                guard BN_bin2bn(number.bytes, Int32(clamping: number.bytes.count), empty) != nil,
                    OSSL_PARAM_BLD_push_BN(builder, number.name.cString, empty) == 1
                else { return nil }
            }
            return point.withUnsafeBytes { point in
                if let curve {
                    guard
                        OSSL_PARAM_BLD_push_utf8_string(builder, ("group" as StaticString).cString, curve.cString, 0)
                            == 1,
                        OSSL_PARAM_BLD_push_octet_string(
                            builder, ("pub" as StaticString).cString, point.baseAddress, point.count) == 1
                    else { return nil }
                }
                guard let parameters = OSSL_PARAM_BLD_to_param(builder) else { return nil }
                defer { OSSL_PARAM_free(parameters) }
                guard let context = EVP_PKEY_CTX_new_from_name(nil, type.cString, nil) else { return nil }
                defer { EVP_PKEY_CTX_free(context) }
                var key: OpaquePointer?
                guard EVP_PKEY_fromdata_init(context) == 1,
                    EVP_PKEY_fromdata(context, &key, Int32(selection), parameters) == 1
                else {
                    ERR_clear_error()
                    return nil
                }
                return KeyObject(key)
            }
        }

        /// Makes a new key; `configure` sets its size or curve.
        static func generate(_ type: StaticString, configure: (OpaquePointer) -> Int32) -> KeyObject? {
            guard let context = EVP_PKEY_CTX_new_from_name(nil, type.cString, nil) else { return nil }
            defer { EVP_PKEY_CTX_free(context) }
            var key: OpaquePointer?
            guard EVP_PKEY_keygen_init(context) == 1, configure(context) == 1, EVP_PKEY_generate(context, &key) == 1
            else { return nil }
            return KeyObject(key)
        }

        /// One number of the key, without leading zero bytes.
        func number(_ name: StaticString) -> [UInt8]? {
            var number: OpaquePointer?
            guard EVP_PKEY_get_bn_param(pointer, name.cString, &number) == 1, let number else { return nil }
            defer { BN_clear_free(number) }
            let size = (Int(BN_num_bits(number)) + 7) / 8
            return [UInt8](unsafeUninitializedCapacity: size) { bytes, filled in
                filled = Int(BN_bn2bin(number, bytes.baseAddress))
            }
        }

        /// Whether the private half belongs to the public one.
        var isPairConsistent: Bool {
            guard let context = EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
            defer { EVP_PKEY_CTX_free(context) }
            guard EVP_PKEY_pairwise_check(context) == 1 else {
                ERR_clear_error()
                return false
            }
            return true
        }
    }
#endif
