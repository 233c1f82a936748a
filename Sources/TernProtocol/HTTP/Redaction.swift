extension HTTPFields: CustomReflectable {
    /// A mirror that shows the names alone: a value may be a token.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: fields.map(\.name)) }
}

extension HTTPFields.Field: CustomStringConvertible, CustomReflectable {
    /// The name.
    public var description: String { name }

    /// A mirror that shows the name alone.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension FormParameters: CustomStringConvertible, CustomReflectable {
    /// The names, without the values: a value may be a code or a password.
    public var description: String { parameters.map(\.name).joined(separator: ", ") }

    /// A mirror that shows the names alone.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: parameters.map(\.name)) }
}

extension FormParameters.Parameter: CustomStringConvertible, CustomReflectable {
    /// The name.
    public var description: String { name }

    /// A mirror that shows the name alone.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

extension HTTPRequest.Body: CustomStringConvertible, CustomReflectable {
    /// What kind of body it is, with the names of a form.
    public var description: String {
        switch self {
        case .none: "no body"
        case .form(let parameters): "form of \(parameters)"
        case .bytes(let bytes): "\(bytes.count) bytes"
        }
    }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
