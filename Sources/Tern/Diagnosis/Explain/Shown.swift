internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// How values are shown to people: a secret by its length, everything else bounded and without control characters.
enum Shown {
    /// What stands for a secret.
    static func secret(_ text: String) -> String {
        text.isEmpty ? "empty" : "<not shown, \(count(text.unicodeScalars.count, "character"))>"
    }

    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// A text of somebody else's, in which what looks like a token is left out.
    static func words(_ text: String) -> String {
        let cleaned = cleaned(text, limit: 400)
        return cleaned.split(separator: " ", omittingEmptySubsequences: false)
            .map { looksSecret($0) ? secret(String($0)) : String($0) }.joined(separator: " ")
    }

    /// A text that is no secret by its name.
    static func text(_ text: String) -> String {
        CompactToken(text) == nil ? cleaned(text, limit: 200) : secret(text)
    }

    /// An address without user information, query and fragment.
    static func address(_ text: String) -> String {
        guard let uri = URI(text) else { return Self.text(text) }
        let rest = uri.encodedQuery != nil || uri.encodedFragment != nil ? " (and more, not shown)" : ""
        return Self.text(uri.redacted) + rest
    }

    /// Two texts side by side; of long ones what lies around the first difference.
    static func comparison(_ firstLabel: String, _ first: String, _ secondLabel: String, _ second: String) -> Comparison
    {
        let common = Comparison(firstLabel, first, secondLabel, second).commonLength
        guard common > 100 else { return Comparison(firstLabel, text(first), secondLabel, text(second)) }
        func window(_ text: String) -> String { "…" + self.text(String(text.dropFirst(common - 60))) }
        return Comparison(firstLabel, window(first), secondLabel, window(second))
    }

    /// A parameter or member by its name: secret, an address, or anything else.
    static func value(_ value: String, of name: String) -> String {
        if SecretValues.isSecret(name) { return secret(value) }
        return URI(value)?.host == nil ? words(value) : address(value)
    }

    /// A JSON value with the secrets in it masked.
    static func json(_ json: JSON, under name: String) -> String {
        switch json {
        case .string(let text): value(text, of: name)
        default: cleaned(masked(json, under: name, isKey: false).text, limit: 300)
        }
    }

    private static func masked(_ json: JSON, under name: String, isKey: Bool) -> JSON {
        switch json {
        case .string(let text):
            return .string(
                isKey && SecretValues.privateMembers.contains(name) ? secret(text) : value(text, of: name))
        case .array(let list): return .array(list.prefix(maximumCount).map { masked($0, under: name, isKey: isKey) })
        case .object(let object):
            var copy: JSONObject = [:]
            let isKey = object["kty"] != nil
            for (name, value) in object.prefix(maximumCount) {
                copy[cleaned(name, limit: 64)] = masked(value, under: name, isKey: isKey)
            }
            return .object(copy)
        case .null, .bool, .number: return json
        }
    }

    /// How much of a list or an object is shown.
    private static let maximumCount = 40

    /// A time with its distance from now.
    static func time(_ seconds: Double, now: NumericDate) -> String {
        let date = NumericDate(seconds)
        let distance = seconds - now.secondsSince1970
        let (number, unit): (Double, String) =
            switch abs(distance) {
            case ..<120: (abs(distance), "second")
            case ..<7_200: (abs(distance) / 60, "minute")
            case ..<172_800: (abs(distance) / 3_600, "hour")
            default: (abs(distance) / 86_400, "day")
            }
        let words = count(Int(min(1e12, number.rounded(.down))), unit)
        return "\(date), \(distance < 0 ? "\(words) ago" : "in \(words)")"
    }

    /// The text cut off, and without the characters that steer a terminal.
    static func cleaned(_ text: String, limit: Int) -> String {
        var out = String.UnicodeScalarView()
        for (index, scalar) in text.unicodeScalars.prefix(limit + 1).enumerated() {
            guard index < limit else {
                out.append("…")
                break
            }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: out.append("\u{FFFD}")
            default: out.append(scalar)
            }
        }
        return String(out)
    }

    /// Whether a word of a sentence may be a token or a code: long, and of letters and digits without sense.
    private static func looksSecret(_ word: Substring) -> Bool {
        let bare = word.drop { !$0.isLetter && !$0.isNumber }
        if bare.hasPrefix("eyJ"), bare.utf8.count >= 16 { return true }
        guard word.utf8.count >= 24, !word.contains("/"), !word.contains("@") else { return false }
        let hasDigit = word.utf8.contains { (0x30...0x39).contains($0) }
        return hasDigit && word.utf8.filter { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }.count < 5
    }
}

/// A token in its compact form, taken apart and not believed. Unlike ``/TernJOSE/JWS`` it also reads what Tern refuses, such
/// as the algorithm `none`, so that it can be said why.
struct CompactToken {
    let header: JSONObject
    /// What it states; `nil` where that is encrypted or cannot be read.
    let claims: JSONObject?
    let isEncrypted: Bool
    let signatureByteCount: Int

    init?(_ text: String) {
        guard text.utf8.first != UInt8(ascii: "{"), text.utf8.count <= Specimen.maximumByteCount else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5, let header = Self.object(parts[0]), !header.isEmpty else {
            return nil
        }
        self.header = header
        isEncrypted = parts.count == 5
        claims = isEncrypted ? nil : Self.object(parts[1])
        signatureByteCount = isEncrypted ? 0 : Base64URL.decode(parts[2])?.count ?? 0
    }

    private static func object(_ part: some Collection<UInt8>) -> JSONObject? {
        Base64URL.decode(part).flatMap { try? JSON(parsing: $0) }?.object
    }
}

extension Finding {
    /// A refusal of Tern's, with its explanation.
    static func refusal(
        _ error: TernError, _ name: String, _ title: String, level: Level = .failed, comparison: Comparison? = nil
    ) -> Finding {
        let explanation = error.explanation
        var detail = explanation.whatHappened
        let causes = explanation.likelyCauses.prefix(maximumCauseCount)
        if !causes.isEmpty { detail += " Likely causes: " + causes.joined(separator: "; ") + "." }
        let todo = explanation.whatToDo.prefix(maximumCauseCount).joined(separator: "; ")
        return Finding(
            level, name, title, "\(detail) [\(error.code)]", fix: todo.isEmpty ? nil : todo,
            comparison: comparison ?? explanation.comparisons.first)
    }

    /// How many causes are told, the likeliest first.
    private static let maximumCauseCount = 3
}
