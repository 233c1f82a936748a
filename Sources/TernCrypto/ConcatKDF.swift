/// The derivation of a key from a shared secret that JOSE uses (NIST SP 800-56A section 5.8.1, RFC 7518 section 4.6.2), with
/// SHA-256.
public enum ConcatKDF {
    /// Derives a key.
    ///
    /// - Parameters:
    ///   - secret: what both parties share.
    ///   - algorithm: the name of the algorithm that the key is for.
    ///   - partyU: what is said about the sender (`apu`, decoded); empty for nothing.
    ///   - partyV: what is said about the recipient (`apv`, decoded); empty for nothing.
    ///   - byteCount: the length of the key, at most 2^20 bytes.
    public static func key(
        from secret: [UInt8], algorithm: String, partyU: [UInt8] = [], partyV: [UInt8] = [], byteCount: Int
    ) -> [UInt8] {
        let byteCount = max(0, min(byteCount, 1 << 20))
        let name = Array(algorithm.utf8)
        let information =
            number(name.count) + name + number(partyU.count) + partyU + number(partyV.count) + partyV
            + number(byteCount * 8)
        var key: [UInt8] = []
        var round = 1
        while key.count < byteCount {
            key += HashFunction.sha256.digest(number(round) + secret + information)
            round += 1
        }
        return Array(key.prefix(byteCount))
    }

    /// Four bytes, most significant first.
    private static func number(_ value: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(clamping: value).bigEndian) { Array($0) }
    }
}
