/// A piece of text that must never be seen: a token, a code, a verifier, a password.
///
/// A secret prints nothing. Its description, its debug description, its mirror and whatever is built on these (string
/// interpolation, `dump`, a crash report) show only that something is there. The text comes out at one place,
/// ``exposedText``, so that a search for that name finds every use.
///
/// `Purpose` keeps secrets of different kinds apart: an access token cannot be passed where an ID token is wanted.
/// Secrets do not conform to `Codable` on purpose; whoever stores one writes ``exposedText`` and is seen doing it.
public struct Secret<Purpose>: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The secret itself. Whoever reads it answers for where it goes.
    public let exposedText: String

    /// Wraps a text. An empty text is a secret too; whether it is allowed is for the caller to check.
    public init(_ text: String) { exposedText = text }

    /// Whether the text is empty.
    public var isEmpty: Bool { exposedText.isEmpty }

    /// Says that a secret is here, and nothing of it.
    public var description: String { "<secret>" }

    /// The same as ``description``.
    public var debugDescription: String { "<secret>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Compares in a time that depends on the lengths alone.
    public static func == (one: Self, other: Self) -> Bool {
        constantTimeEqual(one.exposedText.utf8, other.exposedText.utf8)
    }
}

/// Compares two byte sequences in a time that depends on their lengths alone, not on where they differ.
@inlinable
public func constantTimeEqual(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
    let equal = one.withContiguousStorageIfAvailable { one in
        other.withContiguousStorageIfAvailable { constantTimeEqual(UnsafeRawBufferPointer(one), .init($0)) }
    }
    if case .some(.some(let equal)) = equal { return equal }
    return Array(one).withUnsafeBytes { one in
        Array(other).withUnsafeBytes { constantTimeEqual(one, $0) }
    }
}

/// Compares two buffers in a time that depends on their lengths alone, not on where they differ.
public func constantTimeEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    var difference: UInt8 = 0
    for index in 0..<one.count { difference |= one[index] ^ other[index] }
    return difference == 0
}
