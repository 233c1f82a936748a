#if TERN_OPENSSL
    internal import COpenSSL

    extension PBKDF2 {
        /// The numbers are already checked.
        static func derive(
            from password: [UInt8], salt: [UInt8], iterations: Int, byteCount: Int
        ) throws(CryptoError) -> [UInt8] {
            let key = [UInt8](unsafeUninitializedCapacity: byteCount) { key, filled in
                let status = password.withUnsafeBytes { password in
                    // A null pointer would be taken for a password that is missing.
                    let text = password.isEmpty ? nil : password.bindMemory(to: CChar.self).baseAddress
                    return PKCS5_PBKDF2_HMAC(
                        text ?? UnsafePointer(("" as StaticString).cString), Int32(password.count), salt,
                        Int32(salt.count), Int32(iterations), LibCrypto.shared.digest(.sha256), Int32(byteCount),
                        key.baseAddress)
                }
                if status == 1 { filled = byteCount }
            }
            guard key.count == byteCount else { throw LibCrypto.failure("PBKDF2") }
            return key
        }
    }
#endif
