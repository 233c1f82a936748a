/// Why a text is not the JSON that was asked for, and where.
///
/// The error holds nothing of the text except the name of a repeated member, cut off at 64 code points and with what is
/// not printable ASCII escaped.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// A byte that cannot stand here.
        case unexpectedByte
        /// The text ends inside a value, or holds none.
        case unexpectedEnd
        /// An object has two members of one name (RFC 8259 §4 leaves open what that means, so it is refused).
        case repeatedMember(String)
        /// Arrays and objects lie deeper in each other than the limit allows.
        case tooDeep
        /// The text is longer than the limit allows.
        case tooLarge
        /// The text holds more values than the limit allows.
        case tooManyValues
        /// A number that does not follow RFC 8259 §6.
        case invalidNumber
        /// A string with invalid UTF-8, a control character, an unknown escape or half of a surrogate pair.
        case invalidString
        /// Something comes after the value.
        case trailingBytes
    }

    /// What is wrong.
    public let kind: Kind

    /// Where, in bytes from the start of the text.
    public let offset: Int

    /// Makes an error; the name of a repeated member is cut off at 64 code points, and what is not printable ASCII in it
    /// is escaped.
    public init(_ kind: Kind, at offset: Int) {
        if case .repeatedMember(let name) = kind {
            self.kind = .repeatedMember(quotable(name))
        } else {
            self.kind = kind
        }
        self.offset = offset
    }

    /// What is wrong and where, in a sentence.
    public var description: String {
        switch kind {
        case .unexpectedByte: "not JSON: unexpected byte at offset \(offset)"
        case .unexpectedEnd: "not JSON: the text ends too early, at offset \(offset)"
        case .repeatedMember(let name): "the JSON member \"\(name)\" occurs twice, at offset \(offset)"
        case .tooDeep: "the JSON text is nested too deeply, at offset \(offset)"
        case .tooLarge: "the JSON text is too large"
        case .tooManyValues: "the JSON text holds too many values"
        case .invalidNumber: "not JSON: invalid number at offset \(offset)"
        case .invalidString: "not JSON: invalid string at offset \(offset)"
        case .trailingBytes: "not JSON: something follows the value, at offset \(offset)"
        }
    }
}

/// A name from outside in a form that can stand in an error or a log: at most 64 code points of it, quotation marks,
/// backslashes and everything but printable ASCII escaped, so that it cannot pretend to be another line.
func quotable(_ name: String) -> String {
    name.unicodeScalars.prefix(64).map { $0.escaped(asASCII: true) }.joined()
}
