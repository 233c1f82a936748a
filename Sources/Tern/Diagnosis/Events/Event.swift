public import TernProtocol

/// Something that happened, with what may be told of it. A secret among it is a value that prints nothing; a sink gets a
/// short tag of it at most, see ``SecretTags``.
public struct Event: Sendable {
    /// How much an event matters.
    public enum Level: String, Sendable, Hashable, CaseIterable, Comparable {
        /// Everything that goes over the wire.
        case wire
        /// A decision on the way.
        case detail
        /// What somebody who watches the application wants to know.
        case milestone
        /// What went wrong.
        case failure

        /// By how much they matter.
        public static func < (one: Level, other: Level) -> Bool { rank(one) < rank(other) }

        private static func rank(_ level: Level) -> Int { allCases.firstIndex(of: level) ?? 0 }
    }

    /// A named value.
    public struct Field: Sendable {
        /// Its name.
        public let name: String
        /// Its value.
        public let value: Value
    }

    /// What a field holds.
    public enum Value: Sendable {
        /// A text that is no secret.
        case text(String)
        /// A whole number.
        case number(Int)
        /// A time, in seconds.
        case seconds(Double)
        /// Several texts that are no secrets.
        case list([String])
        /// A secret.
        case secret(EventSecret)
        /// The parameters or members of a message.
        case parameters([Field])
    }

    /// What happened.
    public let name: Name
    /// What is known of it.
    public let fields: [Field]
    /// What went wrong, where it is a failure.
    public let failure: TernError?

    init(_ name: Name, _ fields: [FieldName: Value] = [:], failure: TernError? = nil) {
        self.name = name
        self.failure = failure
        self.fields = FieldName.allCases.compactMap { key in fields[key].map { Field(name: key.rawValue, value: $0) } }
    }

    /// How much it matters.
    public var level: Level { name.level }

    /// The value of a field; `nil` where it is not there.
    public subscript(_ name: FieldName) -> Value? { fields.first { $0.name == name.rawValue }?.value }

    func text(_ name: FieldName) -> String? { if case .text(let text) = self[name] { text } else { nil } }
    func list(_ name: FieldName) -> [String] { if case .list(let list) = self[name] { list } else { [] } }
    func parameters(_ name: FieldName) -> [Field] {
        if case .parameters(let fields) = self[name] { fields } else { [] }
    }
}

/// A secret in an event: it prints nothing, and gives nothing but its tag.
public struct EventSecret: Sendable, CustomStringConvertible, CustomReflectable {
    let text: String

    init(_ text: String) { self.text = text }

    /// A placeholder.
    public var description: String { "<secret>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
