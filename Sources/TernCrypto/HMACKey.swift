/// A key for HMAC (RFC 2104), as the algorithms HS256, HS384 and HS512 (RFC 7518 section 3.2) and the HMAC-SHA1 method
/// of OAuth 1.0 use it.
///
/// The key prints nothing of itself. A key of any length is taken, the empty one included: how long a key must be
/// depends on the protocol (RFC 7518 section 3.2 asks for the length of the hash), which is for the caller to check.
public struct HMACKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let handle: HMACHandle

    /// The length of the key in bytes.
    public let byteCount: Int

    /// Makes a key from its bytes.
    public init(_ key: [UInt8]) {
        handle = HMACHandle(key)
        byteCount = key.count
    }

    /// Computes the authentication code of a message; it is as long as the hash.
    public func authenticationCode(for message: [UInt8], using hash: HashFunction) -> [UInt8] {
        message.withUnsafeBytes { handle.authenticationCode(for: $0, using: hash) }
    }

    /// Computes the authentication code of a message without copying it.
    public func authenticationCode(for message: UnsafeRawBufferPointer, using hash: HashFunction) -> [UInt8] {
        handle.authenticationCode(for: message, using: hash)
    }

    /// Whether `code` is the whole authentication code of `message`. The comparison takes the same time wherever the
    /// two differ. A shortened code is not valid.
    public func isValid(_ code: [UInt8], for message: [UInt8], using hash: HashFunction) -> Bool {
        message.withUnsafeBytes { isValid(code, for: $0, using: hash) }
    }

    /// Whether `code` is the whole authentication code of `message`, which is not copied. The comparison takes the same
    /// time wherever the two differ.
    public func isValid(_ code: [UInt8], for message: UnsafeRawBufferPointer, using hash: HashFunction) -> Bool {
        constantTimeEqual(code, handle.authenticationCode(for: message, using: hash))
    }

    /// Says that a key is here, and nothing of it.
    public var description: String { "<HMAC key>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
