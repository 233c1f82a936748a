/// A JSON value (RFC 8259) that loses nothing: members keep their order, numbers their digits.
///
/// Reading is strict: repeated members, invalid UTF-8, halves of surrogate pairs and whatever else is outside the
/// grammar are errors, the same on every platform. Strings are compared code point by code point.
public enum JSON: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number with the digits it was written with.
    case number(JSONNumber)
    /// A text.
    case string(String)
    /// A list of values.
    case array([JSON])
    /// Named values.
    case object(JSONObject)

    /// Reads one JSON text in UTF-8; white space around it is allowed.
    ///
    /// - Throws: ``JSONError`` with the kind and place of the first fault, or of the limit that was passed.
    public init(parsing bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
        self = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in
            try JSONParser.parse(buffer, limits: limits)
        }
    }

    /// Reads one JSON text; white space around it is allowed.
    ///
    /// - Throws: ``JSONError`` with the kind and place of the first fault, or of the limit that was passed.
    public init(parsing text: String, limits: JSONLimits = .standard) throws(JSONError) {
        var text = text
        let result: Result<JSON, JSONError> = text.withUTF8 { buffer in
            do throws(JSONError) {
                return .success(try JSONParser.parse(buffer, limits: limits))
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }

    /// Whether this is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The truth value, `nil` for everything else.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number, `nil` for everything else.
    public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }

    /// The text, `nil` for everything else.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The list, `nil` for everything else.
    public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }

    /// The object, `nil` for everything else.
    public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// The exact whole number of a number, however it is written (`1.0e3` is 1000); `nil` for fractions, for values
    /// outside the range of `Int64`, and for everything that is not a number.
    public var integer: Int64? { number?.int64 }

    /// The nearest floating-point value of a number; `nil` beyond the range of `Double` and for everything else.
    public var double: Double? { number?.double }

    /// The member of this name of an object; `nil` when there is none or this is not an object.
    public subscript(name: String) -> JSON? { object?[name] }

    /// Whether both are the same value, texts compared code point by code point and numbers as written.
    public static func == (one: JSON, other: JSON) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): hasSameCodePoints(a, b)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }

    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// A whole number.
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }

    /// A number; a literal beyond the range of `Double` is `null`.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSON.number) ?? .null }

    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// A list.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// An object; where a name occurs twice, the later value counts.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
}
