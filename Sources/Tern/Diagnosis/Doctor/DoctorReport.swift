public import TernJOSE
internal import TernProtocol

/// What a ``Doctor`` found, section by section.
public struct DoctorReport: Sendable, Hashable {
    /// A group of findings.
    public struct Section: Sendable, Hashable {
        /// The stable name, for scripts.
        public let name: String
        /// The heading.
        public let title: String
        /// What was found, in the order in which it was looked at.
        public let findings: [Finding]

        /// Makes a section.
        ///
        /// - Parameters:
        ///   - name: the stable name.
        ///   - title: the heading.
        ///   - findings: what was found.
        public init(name: String, title: String, findings: [Finding]) {
            self.name = name
            self.title = title
            self.findings = findings
        }
    }

    /// The sections in which something was looked at.
    public private(set) var sections: [Section]
    /// The requests that were sent, as method, scheme, host and path.
    public internal(set) var requests: [String]
    /// Whether the server could not be reached at all, or not in a way that can be trusted, so that most checks could not be
    /// made.
    public internal(set) var couldNotReachServer: Bool

    init(requests: [String] = [], couldNotReachServer: Bool = false) {
        sections = []
        self.requests = requests
        self.couldNotReachServer = couldNotReachServer
    }

    /// Adds what else was looked at; a section in which nothing was found is left out.
    ///
    /// - Parameter section: the section, which goes to the end.
    public mutating func append(_ section: Section) {
        if !section.findings.isEmpty { sections.append(section) }
    }

    /// All findings.
    public var findings: [Finding] { sections.flatMap(\.findings) }

    /// Whether nothing failed.
    public var isHealthy: Bool { !findings.contains { $0.level == .failed } }

    /// The report as an object for machines.
    public var json: JSONObject {
        var json: JSONObject = ["healthy": .bool(isHealthy)]
        for level in Finding.Level.allCases {
            json[level.rawValue] = .number(JSONNumber(Int64(findings.count { $0.level == level })))
        }
        json["sections"] = .array(
            sections.map { section in
                .object([
                    "name": .string(section.name), "title": .string(section.title),
                    "findings": .array(section.findings.map { .object($0.json) }),
                ])
            })
        json["requests"] = .array(requests.map(JSON.string))
        return json
    }
}
