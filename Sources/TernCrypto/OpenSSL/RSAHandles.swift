#if TERN_OPENSSL
    internal import COpenSSL

    /// The contexts of one RSA key in one direction, by padding and hash function.
    private struct RSAContexts: ~Copyable, Sendable {
        let key: KeyObject
        let direction: SignatureContext.Direction
        private let pkcs1 = PerHash<SignatureContext>()
        private let pss = PerHash<SignatureContext>()

        init(_ key: KeyObject, _ direction: SignatureContext.Direction) {
            self.key = key
            self.direction = direction
        }

        func context(_ hash: HashFunction, _ padding: RSAPadding) -> SignatureContext? {
            let (key, direction) = (key, direction)
            func make() -> SignatureContext? { SignatureContext(key, direction, hash, padding) }
            return switch padding {
            case .pkcs1v15: pkcs1.object(for: hash, make: make)
            case .pss: pss.object(for: hash, make: make)
            }
        }
    }

    /// A parsed RSA public key.
    final class RSAPublicKeyHandle: Sendable {
        private let contexts: RSAContexts
        private let encryptions = PerHash<OAEPContext>()

        /// The numbers are already checked.
        init(modulus: [UInt8], publicExponent: [UInt8]) throws(CryptoError) {
            let numbers = [KeyObject.Number("n", modulus), KeyObject.Number("e", publicExponent)]
            guard let key = KeyObject.make("RSA", isPrivate: false, numbers: numbers) else {
                throw .invalidKey("n", "libcrypto does not accept the key")
            }
            contexts = RSAContexts(key, .verify)
        }

        func isValidSignature(
            _ signature: [UInt8], for message: UnsafeRawBufferPointer, using hash: HashFunction, padding: RSAPadding
        ) -> Bool {
            guard let context = contexts.context(hash, padding) else { return false }
            return signature.withUnsafeBufferPointer { context.isValid($0, for: message) }
        }

        /// Encrypts with OAEP; the message is short enough.
        func encrypted(_ message: [UInt8], using hash: HashFunction) throws(CryptoError) -> [UInt8] {
            let key = contexts.key
            let context = encryptions.object(for: hash) { OAEPContext(key, .encrypt, hash) }
            guard let encrypted = context?.output(for: message) else { throw LibCrypto.failure("RSA-OAEP") }
            return encrypted
        }
    }

    /// A parsed RSA private key.
    final class RSAPrivateKeyHandle: Sendable {
        private let contexts: RSAContexts
        private let decryptions = PerHash<OAEPContext>()

        /// The sizes are already checked.
        init(_ components: RSAPrivateComponents) throws(CryptoError) {
            var numbers = [
                KeyObject.Number("n", components.modulus), KeyObject.Number("e", components.publicExponent),
                KeyObject.Number("d", components.privateExponent, isSecret: true),
            ]
            if let primes = components.primes {
                if let member = components.inconsistentMember {
                    ERR_clear_error()
                    throw .invalidKey(member, "it does not belong to the other numbers of the key")
                }
                numbers += [
                    KeyObject.Number("rsa-factor1", primes.firstPrimeFactor, isSecret: true),
                    KeyObject.Number("rsa-factor2", primes.secondPrimeFactor, isSecret: true),
                    KeyObject.Number("rsa-exponent1", primes.firstFactorExponent, isSecret: true),
                    KeyObject.Number("rsa-exponent2", primes.secondFactorExponent, isSecret: true),
                    KeyObject.Number("rsa-coefficient1", primes.firstCoefficient, isSecret: true),
                ]
            }
            guard let key = KeyObject.make("RSA", isPrivate: true, numbers: numbers) else {
                throw .invalidKey("d", "libcrypto does not accept the key")
            }
            contexts = RSAContexts(key, .sign)
        }

        static func generate(bitCount: Int) throws(CryptoError) -> RSAPrivateComponents {
            let key = KeyObject.generate("RSA") { EVP_PKEY_CTX_set_rsa_keygen_bits($0, Int32(clamping: bitCount)) }
            guard let key, let n = key.number("n"), let e = key.number("e"), let d = key.number("d"),
                let p = key.number("rsa-factor1"), let q = key.number("rsa-factor2"),
                let dp = key.number("rsa-exponent1"), let dq = key.number("rsa-exponent2"),
                let qi = key.number("rsa-coefficient1")
            else { throw LibCrypto.failure("making an RSA key") }
            let primes = RSAPrimeComponents(
                firstPrimeFactor: p, secondPrimeFactor: q, firstFactorExponent: dp, secondFactorExponent: dq,
                firstCoefficient: qi)
            return RSAPrivateComponents(modulus: n, publicExponent: e, privateExponent: d, primes: primes)
        }

        func signature(
            forDigest digest: [UInt8], using hash: HashFunction, padding: RSAPadding
        ) throws(CryptoError) -> [UInt8] {
            guard let context = contexts.context(hash, padding) else { throw LibCrypto.failure("signing") }
            return try context.signature(forDigest: digest)
        }

        /// Decrypts with OAEP; `nil` for whatever this key did not encrypt.
        func decrypted(_ message: [UInt8], using hash: HashFunction) -> [UInt8]? {
            let key = contexts.key
            return decryptions.object(for: hash) { OAEPContext(key, .decrypt, hash) }?.output(for: message)
        }
    }
#endif
