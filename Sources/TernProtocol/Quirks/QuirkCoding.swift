/// The members of quirks in a file. A member that is misspelt would leave a provider half described, so none that is unknown is
/// passed over.
struct QuirkMembers {
    private let container: KeyedDecodingContainer<QuirkKey>

    init(_ decoder: any Decoder, known: [String]) throws {
        container = try decoder.container(keyedBy: QuirkKey.self)
        for key in container.allKeys where !known.contains(key.stringValue) {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: container.codingPath + [key],
                    debugDescription: "this member is not known; known are \(known.joined(separator: ", "))"))
        }
    }

    /// Reads a member over a value, which stays where the member is left out.
    func read<Value: Decodable>(_ name: String, into value: inout Value) throws {
        if let found = try container.decodeIfPresent(Value.self, forKey: QuirkKey(stringValue: name)) { value = found }
    }

    /// Reads a member that may be left out.
    func read<Value: Decodable>(_ name: String, into value: inout Value?) throws {
        value = try container.decodeIfPresent(Value.self, forKey: QuirkKey(stringValue: name))
    }
}

/// Writes the members that differ from the standards.
struct QuirkWriter {
    private var container: KeyedEncodingContainer<QuirkKey>

    init(_ encoder: any Encoder) { container = encoder.container(keyedBy: QuirkKey.self) }

    mutating func write<Value: Encodable & Equatable>(_ name: String, _ value: Value, unless standard: Value) throws {
        if value != standard { try container.encode(value, forKey: QuirkKey(stringValue: name)) }
    }
}

struct QuirkKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}
