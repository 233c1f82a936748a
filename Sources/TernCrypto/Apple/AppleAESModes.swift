#if !TERN_OPENSSL
    internal import CommonCrypto
    internal import CryptoKit
    internal import Foundation

    /// AES in the modes that are used beside GCM: CBC with padding (NIST SP 800-38A, PKCS #7) and key wrap (RFC 3394).
    enum AESModes {
        /// `nil` when CommonCrypto fails, or, in decryption, when the padding is wrong.
        static func cbc(_ bytes: [UInt8], key: [UInt8], iv: [UInt8], encrypts: Bool) -> [UInt8]? {
            var output = [UInt8](repeating: 0, count: bytes.count + kCCBlockSizeAES128)
            let capacity = output.count
            var count = 0
            let status = CCCrypt(
                CCOperation(encrypts ? kCCEncrypt : kCCDecrypt), CCAlgorithm(kCCAlgorithmAES),
                CCOptions(kCCOptionPKCS7Padding), key, key.count, iv, bytes, bytes.count, &output, capacity, &count)
            guard status == CCCryptorStatus(kCCSuccess) else { return nil }
            return Array(output.prefix(count))
        }

        /// `nil` when CryptoKit fails, or, in unwrapping, when the key was not wrapped by this one.
        static func keyWrap(_ bytes: [UInt8], key: [UInt8], encrypts: Bool) -> [UInt8]? {
            let wrapping = SymmetricKey(data: key)
            if encrypts {
                return (try? AES.KeyWrap.wrap(SymmetricKey(data: bytes), using: wrapping)).map { Array($0) }
            }
            return (try? AES.KeyWrap.unwrap(bytes, using: wrapping)).map { key in key.withUnsafeBytes { Array($0) } }
        }
    }
#endif
