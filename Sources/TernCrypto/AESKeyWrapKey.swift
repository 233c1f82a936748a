/// A key that wraps other keys: AES Key Wrap (RFC 3394), of A128KW, A192KW and A256KW (RFC 7518 section 4.4). It prints
/// nothing of itself.
public struct AESKeyWrapKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let key: [UInt8]

    /// The longest key that is wrapped: 4,096 bytes.
    public static let maximumByteCount = 4_096

    /// Makes a key from its 16, 24 or 32 bytes.
    ///
    /// - Throws: ``CryptoError`` with the field `k` for another length.
    public init(_ key: [UInt8]) throws(CryptoError) {
        guard [16, 24, 32].contains(key.count) else {
            throw .invalidKey("k", "it has \(key.count) bytes instead of 16, 24 or 32")
        }
        self.key = key
    }

    /// Wraps a key; the result is 8 bytes longer.
    ///
    /// - Throws: ``CryptoError`` when the key is not a multiple of 8 bytes, 16 at least, or the system's library fails.
    public func wrapped(_ other: [UInt8]) throws(CryptoError) -> [UInt8] {
        guard other.count % 8 == 0, (16...Self.maximumByteCount).contains(other.count),
            let wrapped = AESModes.keyWrap(other, key: key, encrypts: true)
        else { throw CryptoError(.operationFailed("AES Key Wrap")) }
        return wrapped
    }

    /// Unwraps a key.
    ///
    /// - Returns: the key; `nil` when it was wrapped with another one, or was changed in any way.
    public func unwrapped(_ wrapped: [UInt8]) -> [UInt8]? {
        guard wrapped.count % 8 == 0, (24...(Self.maximumByteCount + 8)).contains(wrapped.count) else { return nil }
        return AESModes.keyWrap(wrapped, key: key, encrypts: false)
    }

    /// Says that a key is here, and nothing of it.
    public var description: String { "<AES Key Wrap key>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
