extension JSON: Codable {
    /// Reads whatever value the decoder holds. Members come in the decoder's order, and numbers with the precision that
    /// the decoder offers (whole numbers of 64 bits, otherwise `Double`); to lose nothing use
    /// ``init(parsing:limits:)-([UInt8],_)``.
    ///
    /// - Throws: what the decoder throws.
    public init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Name.self) {
            var object = JSONObject()
            for key in container.allKeys { object[key.stringValue] = try container.decode(JSON.self, forKey: key) }
            self = .object(object)
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            var values: [JSON] = []
            while !container.isAtEnd { values.append(try container.decode(JSON.self)) }
            self = .array(values)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .number(JSONNumber(value))
        } else if let value = try? container.decode(UInt64.self) {
            self = .number(JSONNumber(uncheckedText: String(value)))
        } else if let number = JSONNumber(try container.decode(Double.self)) {
            self = .number(number)
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a finite number")
        }
    }

    /// Writes the value; numbers as whole numbers of 64 bits where they are that, otherwise as `Double`.
    ///
    /// - Throws: `EncodingError` for a number beyond the range of `Double`; what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let object):
            var container = encoder.container(keyedBy: Name.self)
            for (name, value) in object { try container.encode(value, forKey: Name(stringValue: name)) }
        case .array(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .string(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .number(let number):
            var container = encoder.singleValueContainer()
            if let value = number.int64 {
                try container.encode(value)
            } else if let value = UInt64(number.text) {
                try container.encode(value)
            } else if let value = number.double {
                try container.encode(value)
            } else {
                let context = EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "a number beyond the range of Double")
                throw EncodingError.invalidValue(number, context)
            }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension JSONObject: Codable {
    /// Reads an object; see ``JSON/init(from:)``.
    ///
    /// - Throws: `DecodingError` when it is something else; what the decoder throws.
    public init(from decoder: any Decoder) throws {
        guard let object = try JSON(from: decoder).object else {
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not an object")
            throw DecodingError.typeMismatch(JSONObject.self, context)
        }
        self = object
    }

    /// Writes the object; see ``JSON/encode(to:)``.
    ///
    /// - Throws: what ``JSON/encode(to:)`` throws.
    public func encode(to encoder: any Encoder) throws {
        try JSON.object(self).encode(to: encoder)
    }
}
