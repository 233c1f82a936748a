/// A key for AES in Galois/Counter Mode (NIST SP 800-38D): it encrypts a message, and whoever opens it learns whether a
/// single bit of it was changed.
///
/// A sealed message is the nonce (12 bytes), the encrypted message, which is as long as the message, and the tag (16
/// bytes). The nonce is random, so one key is good for 2^32 messages (SP 800-38D section 8.3). The key prints nothing of
/// itself.
public struct AESGCMKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let handle: AESGCMHandle

    /// The length of a key for AES-256, the one to choose: 32 bytes.
    public static let byteCount = 32

    /// The lengths that a key may have: 16, 24 and 32 bytes, for AES-128, AES-192 and AES-256.
    public static let byteCounts: Set = [16, 24, 32]

    /// The length of a nonce: 12 bytes.
    public static let nonceByteCount = 12

    /// The length of a tag: 16 bytes.
    public static let tagByteCount = 16

    /// How much longer a sealed message is than the message, in bytes.
    public static let overhead = nonceByteCount + tagByteCount

    /// The longest message, and the longest data beside it: 2^30 bytes.
    static let maximumMessageByteCount = 1 << 30

    /// Makes a key from its bytes, which should be random or come out of a key derivation.
    ///
    /// - Throws: ``CryptoError`` with the field `k` when there are not 16, 24 or 32.
    public init(_ key: [UInt8]) throws(CryptoError) {
        guard Self.byteCounts.contains(key.count) else {
            throw .invalidKey("k", "it has \(key.count) bytes instead of 16, 24 or 32")
        }
        handle = AESGCMHandle(key)
    }

    /// Encrypts a message.
    ///
    /// - Parameters:
    ///   - message: what nobody shall read.
    ///   - data: what is not encrypted and must be the same when the message is opened.
    ///   - random: where the nonce comes from.
    /// - Returns: the nonce, the encrypted message and the tag.
    /// - Throws: ``CryptoError`` when the message is longer than 2^30 bytes or the system's library fails.
    public func seal(
        _ message: [UInt8], authenticating data: [UInt8] = [], random: any RandomSource = SystemRandomSource()
    ) throws(CryptoError) -> [UInt8] {
        let nonce = random.bytes(Self.nonceByteCount)
        guard nonce.count == Self.nonceByteCount else {
            throw CryptoError(
                .operationFailed("AES-GCM"), reason: "the random source gave a nonce of \(nonce.count) bytes")
        }
        guard max(message.count, data.count) <= Self.maximumMessageByteCount else {
            throw CryptoError(.operationFailed("AES-GCM"), reason: "the message is too long")
        }
        return nonce + (try handle.seal(message, nonce: nonce, authenticating: data))
    }

    /// Decrypts what ``seal(_:authenticating:random:)`` made.
    ///
    /// - Returns: the message; `nil` when it was sealed with another key or other data, or was changed in any way.
    public func open(_ sealed: [UInt8], authenticating data: [UInt8] = []) -> [UInt8]? {
        let textCount = sealed.count - Self.overhead
        guard textCount >= 0, max(textCount, data.count) <= Self.maximumMessageByteCount else { return nil }
        return handle.open(
            Array(sealed[Self.nonceByteCount..<(Self.nonceByteCount + textCount)]),
            nonce: Array(sealed.prefix(Self.nonceByteCount)), tag: Array(sealed.suffix(Self.tagByteCount)),
            authenticating: data)
    }

    /// Says that a key is here, and nothing of it.
    public var description: String { "<AES-GCM key>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
