#if TERN_OPENSSL
    internal import COpenSSL

    extension RSAPrivateComponents {
        /// The first member that does not follow from the others as RFC 8017 section 3.2 says, or `nil`.
        ///
        /// libcrypto itself would not tell: it checks each signature that it made by the primes and, when that is wrong,
        /// makes it again without them, so that such a key is slow instead of refused.
        var inconsistentMember: String? {
            guard let primes else { return nil }
            guard let context = BN_CTX_secure_new() else { return "p" }
            BN_CTX_start(context)
            defer {
                BN_CTX_end(context)
                BN_CTX_free(context)
            }
            func number(_ bytes: [UInt8] = []) -> OpaquePointer? {
                guard let number = BN_CTX_get(context) else { return nil }
                return BN_bin2bn(bytes, Int32(clamping: bytes.count), number)
            }
            /// Sets `result` to `value` modulo `prime` - 1.
            func reduce(_ value: OpaquePointer, _ prime: OpaquePointer, into result: OpaquePointer) -> Bool {
                guard let less = number() else { return false }
                return BN_copy(less, prime) != nil && BN_sub_word(less, 1) == 1
                    && BN_nnmod(result, value, less, context) == 1
            }
            func isExponent(_ exponent: [UInt8], of d: OpaquePointer, _ prime: OpaquePointer) -> Bool {
                guard let exponent = number(exponent), let rest = number(), reduce(d, prime, into: rest) else {
                    return false
                }
                return BN_cmp(rest, exponent) == 0
            }
            guard let n = number(modulus), let p = number(primes.firstPrimeFactor),
                let q = number(primes.secondPrimeFactor), let result = number(), BN_mul(result, p, q, context) == 1,
                BN_cmp(result, n) == 0
            else { return "p" }
            guard let d = number(privateExponent), let e = number(publicExponent),
                let product = number(), BN_mul(product, d, e, context) == 1,
                reduce(product, p, into: result), BN_is_one(result) == 1,
                reduce(product, q, into: result), BN_is_one(result) == 1
            else { return "d" }
            guard isExponent(primes.firstFactorExponent, of: d, p) else { return "dp" }
            guard isExponent(primes.secondFactorExponent, of: d, q) else { return "dq" }
            guard let qi = number(primes.firstCoefficient), BN_cmp(qi, p) < 0,
                BN_mod_mul(result, qi, q, p, context) == 1, BN_is_one(result) == 1
            else { return "qi" }
            return nil
        }
    }
#endif
