public import TernJOSE

/// A list of scopes in their order, sent with one blank between them (RFC 6749 §3.3).
public struct Scope: Sendable, Hashable, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The form on the wire.
    public let text: String

    /// Takes the scopes as they are; a value is never split at anything but a blank.
    public init(_ values: [String]) { text = values.filter { !$0.isEmpty }.joined(separator: " ") }

    /// Takes the form on the wire. Only blanks separate: a comma is a legal character of a scope.
    public init(_ text: String) { self.text = text }

    /// The scopes.
    public var values: [String] { text.split(separator: " ").map(String.init) }

    /// Takes the scopes as they are.
    public init(arrayLiteral elements: String...) { self.init(elements) }

    /// Splits at blanks.
    public init(stringLiteral text: String) { self.init(text) }

    /// The same as ``text``.
    public var description: String { text }

    /// Whether there is none.
    public var isEmpty: Bool { text.utf8.allSatisfy { $0 == 0x20 } }

    /// Whether a scope is among them.
    public func contains(_ scope: String) -> Bool { values.contains(scope) }

    /// Reads a text or an array of texts.
    public init?(_ json: JSON?) {
        switch json {
        case .string(let text): self.init(text)
        case .array(let list): self.init(list.compactMap(\.string))
        default: return nil
        }
    }
}
