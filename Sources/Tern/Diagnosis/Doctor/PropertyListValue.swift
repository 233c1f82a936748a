/// A value of a property list, as far as the checks of ``AppleApp`` need it.
public enum PropertyListValue: Sendable, Hashable {
    /// A text.
    case string(String)
    /// True or false.
    case bool(Bool)
    /// A whole or broken number.
    case number(Double)
    /// A list of values.
    case array([PropertyListValue])
    /// Values by their keys.
    case dictionary([String: PropertyListValue])
    /// Something that no check reads: a date, data, or a reference.
    case other

    /// The text, `nil` for everything else.
    public var string: String? { if case .string(let value) = self { value } else { nil } }

    /// The truth value, `nil` for everything else.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The list, `nil` for everything else.
    public var array: [PropertyListValue]? { if case .array(let value) = self { value } else { nil } }

    /// The values by their keys, `nil` for everything else.
    public var dictionary: [String: PropertyListValue]? {
        if case .dictionary(let value) = self { value } else { nil }
    }

    /// The value of a key; `nil` when there is none or this is no dictionary.
    public subscript(key: String) -> PropertyListValue? { dictionary?[key] }
}

extension PropertyListValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// A list.
    public init(arrayLiteral elements: PropertyListValue...) { self = .array(elements) }

    /// Values by their keys; where a key occurs twice, the later value counts.
    public init(dictionaryLiteral elements: (String, PropertyListValue)...) {
        self = .dictionary(Dictionary(elements) { $1 })
    }
}
