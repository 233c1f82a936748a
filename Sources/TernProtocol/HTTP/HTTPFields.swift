/// The header fields of a message, in their order. Names are compared without case (RFC 9110 §5).
///
/// The description shows the names alone: a value may be a token.
public struct HTTPFields: Sendable, Hashable, ExpressibleByDictionaryLiteral, CustomStringConvertible {
    /// One field line.
    public struct Field: Sendable, Hashable {
        /// The name as written.
        public let name: String
        /// The value without surrounding blanks.
        public let value: String
    }

    /// The field lines in their order.
    public private(set) var fields: [Field] = []

    /// No fields.
    public init() {}

    /// The given names and values; a pair that is not a legal field is left out.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }

    /// The first value of a name; setting it replaces every line of that name.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.equalsIgnoringASCIICase(name) }?.value }
        set {
            fields.removeAll { $0.name.equalsIgnoringASCIICase(name) }
            if let newValue { append(name, newValue) }
        }
    }

    /// Every value of a name, in order.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
    }

    /// Appends a field line.
    ///
    /// - Returns: whether it was legal: a name of token characters and a value without control characters
    ///   (RFC 9110 §5.5). A line that is not legal could smuggle further lines and is not kept.
    @discardableResult
    public mutating func append(_ name: String, _ value: String) -> Bool {
        // Over the bytes themselves, since these fields go with every request.
        let isName = name.withBytes { bytes in bytes.allSatisfy(\.isTokenByte) }
        let isValue = value.withBytes { bytes in bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
        guard !name.isEmpty, isName, isValue else { return false }
        fields.append(Field(name: name, value: String(value.trimmingASCIIWhitespace)))
        return true
    }

    /// The fields whose names are wanted, in their order.
    func filtered(_ isWanted: (String) -> Bool) -> HTTPFields {
        var copy = self
        copy.fields.removeAll { !isWanted($0.name) }
        return copy
    }

    /// The names, without the values.
    public var description: String { fields.map(\.name).joined(separator: ", ") }
}
