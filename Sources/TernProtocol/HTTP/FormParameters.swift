/// Names and values in the order in which they are sent: a query, a form body, the parameters of a callback.
///
/// Names and values are decoded text. Encoding leaves letters, digits and `-._~` alone and writes everything else,
/// blanks included, as `%XX`; decoding reads `+` as a blank (`application/x-www-form-urlencoded`, RFC 6749 appendix B).
public struct FormParameters: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One name with its value.
    public struct Parameter: Sendable, Hashable {
        /// The decoded name.
        public var name: String
        /// The decoded value.
        public var value: String

        /// Makes a parameter from decoded text.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The parameters in their order.
    public private(set) var parameters: [Parameter] = []

    /// No parameters.
    public init() {}

    /// The given parameters in their order.
    public init(_ parameters: [Parameter]) { self.parameters = parameters }

    /// The given names and values in their order.
    public init(dictionaryLiteral elements: (String, String)...) {
        parameters = elements.map { Parameter(name: $0.0, value: $0.1) }
    }

    /// Whether there is none.
    public var isEmpty: Bool { parameters.isEmpty }

    /// How many there are.
    public var count: Int { parameters.count }

    /// The first value of a name; setting it removes every other of that name, and setting `nil` removes all.
    public subscript(name: String) -> String? {
        get { parameters.first { $0.name == name }?.value }
        set {
            guard let newValue else { return parameters.removeAll { $0.name == name } }
            guard let index = parameters.firstIndex(where: { $0.name == name }) else {
                return parameters.append(Parameter(name: name, value: newValue))
            }
            parameters[index].value = newValue
            for other in parameters.indices.reversed() where other > index && parameters[other].name == name {
                parameters.remove(at: other)
            }
        }
    }

    /// Every value of a name, in order.
    public func values(of name: String) -> [String] { parameters.filter { $0.name == name }.map(\.value) }

    /// Appends a parameter, also where the name is there already (RFC 8707 repeats `resource`).
    public mutating func append(_ name: String, _ value: String) {
        parameters.append(Parameter(name: name, value: value))
    }

    /// Appends a parameter when there is a value.
    public mutating func append(_ name: String, ifPresent value: String?) {
        if let value { append(name, value) }
    }

    /// The encoded form, for a body or a query.
    public var encoded: String { encoded(after: "") }

    /// A text with the encoded form behind it.
    func encoded(after head: String) -> String {
        var count = head.utf8.count
        for parameter in parameters {
            count += 2 + parameter.name.withBytes(PercentCodec.encodedByteCount)
            count += parameter.value.withBytes(PercentCodec.encodedByteCount)
        }
        return String(unsafeUninitializedCapacity: count) { out in
            var end = 0
            head.withBytes { bytes in
                for byte in bytes {
                    out[end] = byte
                    end += 1
                }
            }
            for (index, parameter) in parameters.enumerated() {
                if index > 0 {
                    out[end] = UInt8(ascii: "&")
                    end += 1
                }
                parameter.name.withBytes { PercentCodec.write($0, to: out, at: &end) }
                out[end] = UInt8(ascii: "=")
                end += 1
                parameter.value.withBytes { PercentCodec.write($0, to: out, at: &end) }
            }
            return end
        }
    }

    /// The most parameters that decoding reads.
    public static let maximumCount = 1_000

    /// Reads a query or a form body: splits first, then decodes each name and value once. Empty pairs are skipped, a
    /// value may hold `=`, and text that cannot be decoded stays as it came.
    ///
    /// - Returns: `nil` when there are more than ``maximumCount`` pairs.
    public init?(decoding text: String) {
        var copy = text
        let parameters = copy.withUTF8 { Self.parse($0) }
        guard let parameters else { return nil }
        self.parameters = parameters
    }

    private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> [Parameter]? {
        var found: [Parameter] = []
        var at = 0
        while at < bytes.count {
            var end = at
            var equals: Int?
            while end < bytes.count, bytes[end] != UInt8(ascii: "&") {
                if equals == nil, bytes[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            if end > at {
                guard found.count < maximumCount else { return nil }
                let name = UnsafeBufferPointer(rebasing: bytes[at..<(equals ?? end)])
                let value = UnsafeBufferPointer(rebasing: bytes[min((equals ?? end) + 1, end)..<end])
                found.append(Parameter(name: PercentCodec.decodeForm(name), value: PercentCodec.decodeForm(value)))
            }
            at = end + 1
        }
        return found
    }
}
