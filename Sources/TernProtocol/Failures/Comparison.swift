public import TernJOSE

/// Two texts that should be the same, side by side, and where they begin to differ.
public struct Comparison: Sendable, Hashable {
    /// What the first text is, such as "sent".
    public let firstLabel: String
    /// The first text.
    public let first: String
    /// What the second text is, such as "registered".
    public let secondLabel: String
    /// The second text.
    public let second: String

    /// Puts two texts side by side.
    public init(_ firstLabel: String, _ first: String, _ secondLabel: String, _ second: String) {
        self.firstLabel = firstLabel
        self.first = first
        self.secondLabel = secondLabel
        self.second = second
    }

    /// How the texts differ; `nil` where they are the same.
    public var difference: Difference? { Difference(between: first, second) }

    /// How many characters the texts have in common at the beginning.
    public var commonLength: Int { zip(first, second).prefix { $0 == $1 }.count }

    /// The texts under each other, for a font of one width, and a mark under the first difference.
    public var lines: [String] {
        let width = max(firstLabel.count, secondLabel.count)
        func line(_ label: String, _ text: String) -> String {
            label + ":" + String(repeating: " ", count: width - label.count + 1) + text
        }
        let texts = [line(firstLabel, first), line(secondLabel, second)]
        guard let difference else { return texts }
        return texts + [String(repeating: " ", count: width + 2 + commonLength) + "^ \(difference)"]
    }
}

extension Comparison {
    /// Reads what ``json`` wrote; `nil` when it is something else.
    init?(_ json: JSONObject) {
        guard let labels = json["labels"]?.array?.compactMap(\.string),
            let texts = json["texts"]?.array?.compactMap(\.string),
            labels.count == 2, texts.count == 2
        else { return nil }
        self.init(labels[0], texts[0], labels[1], texts[1])
    }

    /// The comparison as an object for machines.
    public var json: JSONObject {
        var json: JSONObject = [
            "labels": [.string(firstLabel), .string(secondLabel)], "texts": [.string(first), .string(second)],
        ]
        if let difference { json["difference"] = .string(difference.rawValue) }
        return json
    }
}

/// What kind of difference there is between two addresses that should be the same.
public enum Difference: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// One ends in a slash.
    case trailingSlash = "trailing_slash"
    /// Letters in capitals.
    case letterCase = "letter_case"
    /// One encodes a character with a percent sign.
    case percentEncoding = "percent_encoding"
    /// Another scheme, such as http in the place of https.
    case scheme
    /// `localhost` in the place of `127.0.0.1` or `[::1]`.
    case loopbackName = "loopback_name"
    /// Another host.
    case host
    /// Another port, or one where the other has none.
    case port
    /// Another path.
    case path
    /// Another query.
    case query
    /// Anything else.
    case other

    /// Finds the kind; `nil` where both are the same. Differences that the eye misses come first.
    public init?(between one: String, _ other: String) {
        if one == other { return nil }
        if one + "/" == other || other + "/" == one {
            self = .trailingSlash
        } else if one.asciiLowercased == other.asciiLowercased {
            self = .letterCase
        } else if PercentCodec.decodeForm(one) == PercentCodec.decodeForm(other) {
            self = .percentEncoding
        } else if let one = URI(one), let other = URI(other) {
            self.init(between: one, other)
        } else {
            self = .other
        }
    }

    private init(between one: URI, _ other: URI) {
        func name(_ uri: URI) -> String { (uri.host ?? "").asciiLowercased }
        if one.normalizedScheme != other.normalizedScheme {
            self = .scheme
        } else if name(one) != name(other) {
            let names: Set = ["localhost", "127.0.0.1", "[::1]", "::1"]
            self = names.contains(name(one)) && names.contains(name(other)) ? .loopbackName : .host
        } else if one.port != other.port {
            self = .port
        } else if one.encodedPath != other.encodedPath {
            self = .path
        } else if one.encodedQuery != other.encodedQuery {
            self = .query
        } else {
            self = .other
        }
    }

    /// The difference in a few words.
    public var description: String {
        switch self {
        case .trailingSlash: "only one of them ends in a slash"
        case .letterCase: "capital and small letters differ"
        case .percentEncoding: "only one of them encodes this character"
        case .scheme: "the schemes differ"
        case .loopbackName: "localhost and the loopback address are two names to a server"
        case .host: "the hosts differ"
        case .port: "the ports differ"
        case .path: "the paths differ"
        case .query: "the queries differ"
        case .other: "here they differ"
        }
    }
}
