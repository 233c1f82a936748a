public import TernJOSE
public import TernProtocol

/// One line of a report: what was looked at, what was found, and what to do about it.
public struct Finding: Sendable, Hashable {
    /// How it went.
    public enum Level: String, Sendable, Hashable, CaseIterable {
        /// It is as it should be.
        case passed
        /// A fact without judgement.
        case note
        /// It works, and should be changed.
        case warning
        /// It could not be looked at; the detail says why.
        case unchecked = "could_not_check"
        /// It does not work, or must not be used so.
        case failed
    }

    /// The stable name of what was looked at, such as `issuer_equal`, for scripts.
    public let name: String
    /// How it went.
    public let level: Level
    /// What was looked at, in a few words.
    public let title: String
    /// What was found. It holds no secret.
    public let detail: String?
    /// What to change; `nil` where there is nothing to do.
    public let fix: String?
    /// Two texts that should be the same.
    public let comparison: Comparison?

    /// Makes a finding.
    public init(
        _ level: Level, _ name: String, _ title: String, _ detail: String? = nil, fix: String? = nil,
        comparison: Comparison? = nil
    ) {
        self.level = level
        self.name = name
        self.title = title
        self.detail = detail
        self.fix = fix
        self.comparison = comparison
    }

    /// The finding as an object for machines.
    public var json: JSONObject {
        var json: JSONObject = ["name": .string(name), "level": .string(level.rawValue), "title": .string(title)]
        if let detail { json["detail"] = .string(detail) }
        if let fix { json["fix"] = .string(fix) }
        if let comparison { json["comparison"] = .object(comparison.json) }
        return json
    }
}
