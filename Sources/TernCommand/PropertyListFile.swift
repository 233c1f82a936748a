internal import Tern

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A property list in a file, as XML or binary.
enum PropertyListFile {
    /// How deep lists and dictionaries may lie in each other. The system's reader has no limit of its own.
    private static let maximumDepth = 64

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - option: the option that named it, such as `--info-plist`, which an error names.
    /// - Throws: `invalidConfiguration` when it cannot be read or is no property list.
    static func read(_ path: String, option: String) throws(TernError) -> PropertyListValue {
        let bytes = try KeyFile.bytes(of: path, called: option)
        func invalid(_ problem: String) -> TernError {
            TernError(.invalidConfiguration(field: option, problem: problem), at: .configuration)
        }
        guard depth(ofXML: bytes) <= maximumDepth else { throw invalid("it is nested too deeply") }
        do {
            return try PropertyListDecoder().decode(Decoded.self, from: Data(bytes)).value
        } catch {
            throw invalid("it is no property list, as XML or binary")
        }
    }

    /// How deep the elements lie in each other at most, by their tags alone; zero for what is no XML.
    private static func depth(ofXML bytes: [UInt8]) -> Int {
        var (depth, deepest) = (0, 0)
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "<") && index + 1 < bytes.count {
            switch bytes[index + 1] {
            case UInt8(ascii: "a"), UInt8(ascii: "d"): depth += 1
            case UInt8(ascii: "/") where index + 2 < bytes.count && "ad".utf8.contains(bytes[index + 2]): depth -= 1
            default: break
            }
            deepest = max(deepest, depth)
        }
        return deepest
    }

    /// Whatever stands in a property list.
    private struct Decoded: Decodable {
        let value: PropertyListValue

        private struct Key: CodingKey {
            let stringValue: String
            let intValue: Int? = nil

            init(stringValue: String) { self.stringValue = stringValue }

            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            guard decoder.codingPath.count <= maximumDepth else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: [], debugDescription: "nested too deeply"))
            }
            if let container = try? decoder.container(keyedBy: Key.self) {
                value = .dictionary(
                    try container.allKeys.reduce(into: [:]) { values, key in
                        values[key.stringValue] = try container.decode(Decoded.self, forKey: key).value
                    })
            } else if var container = try? decoder.unkeyedContainer() {
                var values: [PropertyListValue] = []
                while !container.isAtEnd { values.append(try container.decode(Decoded.self).value) }
                value = .array(values)
            } else {
                value = Self.scalar(try decoder.singleValueContainer())
            }
        }

        private static func scalar(_ container: any SingleValueDecodingContainer) -> PropertyListValue {
            if let text = try? container.decode(String.self) { return .string(text) }
            if let truth = try? container.decode(Bool.self) { return .bool(truth) }
            if let number = try? container.decode(Double.self) { return .number(number) }
            return .other
        }
    }
}
