internal import TernProtocol

/// A pattern of an association file: `*` is any text, `?` any one character, and `$(NAME)` one of the values of a
/// substitution variable.
struct AssociationPattern {
    /// The variables that a file defines, by their names.
    typealias Variables = [String: [String]]

    private enum Part {
        case scalar(Unicode.Scalar)
        case anyOne
        case anyText
        case oneOf(@Sendable (Unicode.Scalar) -> Bool)
        case alternatives([[Part]])
    }

    private let parts: [Part]
    private let isCaseSensitive: Bool

    /// How many parts a pattern may have, so that matching costs little.
    private static let maximumPartCount = 10_000

    /// Reads a pattern; `nil` where it uses a variable that is not known, or is too long.
    init?(_ text: String, variables: Variables = [:], isCaseSensitive: Bool = true) {
        guard let parts = Self.parts(isCaseSensitive ? text : text.lowercased(), variables, isCaseSensitive),
            Self.count(parts) <= Self.maximumPartCount
        else { return nil }
        self.parts = parts
        self.isCaseSensitive = isCaseSensitive
    }

    /// Whether it matches everything.
    var matchesEverything: Bool {
        parts.count == 1 && { if case .anyText = parts[0] { true } else { false } }()
    }

    /// Whether it matches the whole of a text.
    func matches(_ text: String) -> Bool {
        let scalars = Array((isCaseSensitive ? text : text.lowercased()).unicodeScalars)
        var reached = [Bool](repeating: false, count: scalars.count + 1)
        reached[0] = true
        return Self.advance(reached, over: parts[...], scalars)[scalars.count]
    }

    /// Where matching can stand after some parts, given where it can stand before them. Every place is looked at once
    /// for each part, so that no pattern is slow.
    private static func advance(
        _ reached: [Bool], over parts: ArraySlice<Part>, _ scalars: [Unicode.Scalar]
    ) -> [Bool] {
        var reached = reached
        for part in parts {
            switch part {
            case .anyText:
                var isReached = false
                for index in reached.indices {
                    isReached = isReached || reached[index]
                    reached[index] = isReached
                }
            case .alternatives(let alternatives):
                var union = [Bool](repeating: false, count: reached.count)
                for alternative in alternatives {
                    for (index, isReached) in advance(reached, over: alternative[...], scalars).enumerated()
                    where isReached { union[index] = true }
                }
                reached = union
            case .scalar, .anyOne, .oneOf:
                for index in scalars.indices.reversed() {
                    reached[index + 1] = reached[index] && fits(part, scalars[index])
                }
                reached[0] = false
            }
        }
        return reached
    }

    private static func fits(_ part: Part, _ scalar: Unicode.Scalar) -> Bool {
        switch part {
        case .scalar(let wanted): wanted == scalar
        case .anyOne: true
        case .oneOf(let isMember): isMember(scalar)
        case .anyText, .alternatives: false
        }
    }

    private static func parts(_ text: String, _ variables: Variables, _ isCaseSensitive: Bool) -> [Part]? {
        var parts: [Part] = []
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == "$", rest.dropFirst().first == "(", let end = rest.firstIndex(of: ")") {
                let name = String(String.UnicodeScalarView(rest[..<end].dropFirst(2)))
                guard let part = part(named: name, variables, isCaseSensitive) else { return nil }
                parts.append(part)
                rest = rest[rest.index(after: end)...]
                continue
            }
            switch scalar {
            case "*": parts.append(.anyText)
            case "?": parts.append(.anyOne)
            default: parts.append(.scalar(scalar))
            }
            rest = rest.dropFirst()
        }
        return parts
    }

    private static func part(named name: String, _ variables: Variables, _ isCaseSensitive: Bool) -> Part? {
        let values = variables.first { isCaseSensitive ? $0.key == name : $0.key.lowercased() == name }?.value
        if let values {
            // The values can hold wildcards, and no other variables.
            let alternatives = values.map { parts(isCaseSensitive ? $0 : $0.lowercased(), [:], isCaseSensitive) }
            let known = alternatives.compactMap(\.self)
            return known.count == alternatives.count ? .alternatives(known) : nil
        }
        switch name {
        case "alpha": return .oneOf { isLetter($0) }
        case "upper": return .oneOf { isCaseSensitive ? ("A"..."Z").contains($0) : isLetter($0) }
        case "lower": return .oneOf { isCaseSensitive ? ("a"..."z").contains($0) : isLetter($0) }
        case "alnum": return .oneOf { isLetter($0) || ("0"..."9").contains($0) }
        case "digit": return .oneOf { ("0"..."9").contains($0) }
        case "xdigit":
            return .oneOf { ("0"..."9").contains($0) || ("a"..."f").contains($0) || ("A"..."F").contains($0) }
        default: return nil
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func count(_ parts: [Part]) -> Int {
        parts.reduce(0) { sum, part in
            if case .alternatives(let all) = part { return sum + all.reduce(1) { $0 + count($1) } }
            return sum + 1
        }
    }
}
