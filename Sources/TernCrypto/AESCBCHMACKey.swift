/// A key for AES in CBC mode with an HMAC over it (RFC 7518 section 5.2), of A128CBC-HS256, A192CBC-HS384 and
/// A256CBC-HS512.
///
/// A sealed message is the initialization vector (16 bytes), the encrypted message, which is padded to the next multiple of
/// 16 bytes, and the tag, which is half as long as the key. The key prints nothing of itself.
public struct AESCBCHMACKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let encryptionKey: [UInt8]
    private let authenticationKey: HMACKey
    private let hash: HashFunction

    /// The length of an initialization vector: 16 bytes.
    public static let vectorByteCount = 16

    /// The lengths that a key may have: 32, 48 and 64 bytes.
    public static let byteCounts: Set = [32, 48, 64]

    /// The length of a tag in bytes: half that of the key.
    public var tagByteCount: Int { encryptionKey.count }

    /// Makes a key from its bytes: the first half authenticates, the second encrypts.
    ///
    /// - Throws: ``CryptoError`` with the field `k` when there are not 32, 48 or 64.
    public init(_ key: [UInt8]) throws(CryptoError) {
        switch key.count {
        case 32: hash = .sha256
        case 48: hash = .sha384
        case 64: hash = .sha512
        default: throw .invalidKey("k", "it has \(key.count) bytes instead of 32, 48 or 64")
        }
        authenticationKey = HMACKey(Array(key.prefix(key.count / 2)))
        encryptionKey = Array(key.suffix(key.count / 2))
    }

    /// Encrypts a message.
    ///
    /// - Parameters:
    ///   - message: what nobody shall read.
    ///   - data: what is not encrypted and must be the same when the message is opened.
    ///   - random: where the initialization vector comes from.
    /// - Returns: the initialization vector, the encrypted message and the tag.
    /// - Throws: ``CryptoError`` when the message is longer than 2^30 bytes or the system's library fails.
    public func seal(
        _ message: [UInt8], authenticating data: [UInt8] = [], random: any RandomSource = SystemRandomSource()
    ) throws(CryptoError) -> [UInt8] {
        let vector = random.bytes(Self.vectorByteCount)
        guard vector.count == Self.vectorByteCount,
            max(message.count, data.count) <= AESGCMKey.maximumMessageByteCount,
            let text = AESModes.cbc(message, key: encryptionKey, iv: vector, encrypts: true)
        else { throw CryptoError(.operationFailed("AES-CBC")) }
        return vector + text + tag(vector + text, data)
    }

    /// Decrypts what ``seal(_:authenticating:random:)`` made. The tag is checked first, in a time that does not depend on
    /// where it differs, so that nobody learns anything from the padding.
    ///
    /// - Returns: the message; `nil` when it was sealed with another key or other data, or was changed in any way.
    public func open(_ sealed: [UInt8], authenticating data: [UInt8] = []) -> [UInt8]? {
        let textCount = sealed.count - Self.vectorByteCount - tagByteCount
        guard textCount >= 16, textCount % 16 == 0, max(textCount, data.count) <= AESGCMKey.maximumMessageByteCount,
            constantTimeEqual(sealed.suffix(tagByteCount), tag(Array(sealed.dropLast(tagByteCount)), data))
        else { return nil }
        return AESModes.cbc(
            Array(sealed[Self.vectorByteCount..<(Self.vectorByteCount + textCount)]), key: encryptionKey,
            iv: Array(sealed.prefix(Self.vectorByteCount)), encrypts: false)
    }

    private func tag(_ text: [UInt8], _ data: [UInt8]) -> [UInt8] {
        let bitCount = withUnsafeBytes(of: UInt64(data.count * 8).bigEndian) { Array($0) }
        return Array(
            authenticationKey.authenticationCode(for: data + text + bitCount, using: hash).prefix(tagByteCount))
    }

    /// Says that a key is here, and nothing of it.
    public var description: String { "<AES-CBC with HMAC key>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
