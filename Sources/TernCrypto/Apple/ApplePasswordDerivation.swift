#if !TERN_OPENSSL
    internal import CommonCrypto

    extension PBKDF2 {
        /// The numbers are already checked.
        static func derive(
            from password: [UInt8], salt: [UInt8], iterations: Int, byteCount: Int
        ) throws(CryptoError) -> [UInt8] {
            var key = [UInt8](repeating: 0, count: byteCount)
            // One byte more, so that the pointers of an empty password and an empty salt are not null.
            let text = (password + [0]).map { CChar(bitPattern: $0) }
            let status = CCKeyDerivationPBKDF(
                CCPBKDFAlgorithm(kCCPBKDF2), text, password.count, salt + [0], salt.count,
                CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), UInt32(iterations), &key, byteCount)
            guard status == Int32(kCCSuccess) else {
                throw CryptoError(.operationFailed("PBKDF2"), reason: "CommonCrypto's status is \(status)")
            }
            return key
        }
    }
#endif
