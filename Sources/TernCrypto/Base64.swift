/// Base64 with the URL-safe alphabet and without padding: RFC 4648 section 5 as RFC 7515 section 2 uses it.
public enum Base64URL {
    /// Encodes bytes.
    public static func encode(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes(encode)
    }

    /// Encodes the bytes of a buffer.
    public static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
        Base64Codec.url.encode(bytes)
    }

    /// Decodes a text strictly: `nil` for padding, white space, a character of another alphabet, a length that no
    /// encoding has, or bits that must be zero and are not. Each byte sequence so has exactly one text.
    @inlinable
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        decode(text.utf8)
    }

    /// Decodes a text that is given as its ASCII bytes, with the same rules.
    @inlinable
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        if let bytes = text.withContiguousStorageIfAvailable({ decode(UnsafeRawBufferPointer($0)) }) { return bytes }
        return Array(text).withUnsafeBytes(decode)
    }

    /// Decodes a text that is given as its ASCII bytes, with the same rules.
    public static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        Base64Codec.url.decode(text)
    }
}

/// Base64 with the standard alphabet and padding (RFC 4648 section 4), of Basic authentication and OAuth 1.0.
public enum Base64 {
    /// Encodes bytes, with padding.
    public static func encode(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes(encode)
    }

    /// Encodes the bytes of a buffer, with padding.
    public static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
        Base64Codec.standard.encode(bytes)
    }

    /// Decodes a text strictly: `nil` for missing or superfluous padding, white space, a character of another alphabet,
    /// or bits that must be zero and are not.
    @inlinable
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        decode(text.utf8)
    }

    /// Decodes a text that is given as its ASCII bytes, with the same rules.
    @inlinable
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        if let bytes = text.withContiguousStorageIfAvailable({ decode(UnsafeRawBufferPointer($0)) }) { return bytes }
        return Array(text).withUnsafeBytes(decode)
    }

    /// Decodes a text that is given as its ASCII bytes, with the same rules.
    public static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        Base64Codec.standard.decode(text)
    }
}
