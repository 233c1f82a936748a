/// A key from a password: PBKDF2 with HMAC-SHA256 (RFC 8018 section 5.2). It is slow on purpose, so that passwords cannot
/// be tried fast.
public enum PBKDF2 {
    /// How many rounds a password needs today: 600,000, the advice of the OWASP Password Storage Cheat Sheet of 2023.
    public static let recommendedIterations = 600_000

    /// Derives a key.
    ///
    /// - Parameters:
    ///   - password: the bytes of the password, in UTF-8 where it is text.
    ///   - salt: random bytes that are kept with what the key protects, 16 or more.
    ///   - iterations: the number of rounds, 1 to 2^31 - 1.
    ///   - byteCount: the length of the key in bytes, 1 to 1,024.
    /// - Returns: the key.
    /// - Throws: ``CryptoError`` for a number that is out of its range, a password or salt longer than 2^30 bytes, and
    ///   when the system's library fails.
    public static func deriveKey(
        from password: [UInt8], salt: [UInt8], iterations: Int = recommendedIterations, byteCount: Int = 32
    ) throws(CryptoError) -> [UInt8] {
        func check(_ isRight: Bool, _ what: String) throws(CryptoError) {
            guard isRight else { throw CryptoError(.operationFailed("PBKDF2"), reason: "\(what) is out of range") }
        }
        try check((1...Int(Int32.max)).contains(iterations), "the number of iterations")
        try check((1...1_024).contains(byteCount), "the length of the key")
        try check(max(password.count, salt.count) <= 1 << 30, "the length of the password or the salt")
        return try derive(from: password, salt: salt, iterations: iterations, byteCount: byteCount)
    }
}
