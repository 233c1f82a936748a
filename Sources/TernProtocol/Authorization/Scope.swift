public import TernJOSE

/// A list of scopes in their order, sent with one blank between them (RFC 6749 §3.3).
public struct Scope: Sendable, Hashable, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The scopes.
    public let values: [String]

    /// Takes the scopes as they are; a value is never split.
    public init(_ values: [String]) { self.values = values.filter { !$0.isEmpty } }

    /// Splits at blanks and only there: a comma is a legal character of a scope.
    public init(_ text: String) { self.init(text.split(separator: " ").map(String.init)) }

    /// Takes the scopes as they are.
    public init(arrayLiteral elements: String...) { self.init(elements) }

    /// Splits at blanks.
    public init(stringLiteral text: String) { self.init(text) }

    /// The form on the wire.
    public var text: String { values.joined(separator: " ") }

    /// The same as ``text``.
    public var description: String { text }

    /// Whether there is none.
    public var isEmpty: Bool { values.isEmpty }

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
