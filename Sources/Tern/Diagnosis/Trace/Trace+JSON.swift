public import TernJOSE
public import TernProtocol

extension Trace {
    /// The version of the JSON form that ``json`` writes.
    ///
    /// Members may be added without a new version; readers pass over those that they do not know.
    public static let jsonVersion: Int64 = 1

    /// The trace for machines.
    ///
    /// | member | what it is |
    /// |---|---|
    /// | `tern_trace` | the version of this form, ``jsonVersion`` |
    /// | `title` | what the trace is of |
    /// | `started_at` | when it began, in seconds since 1970 |
    /// | `entries` | what happened, in order |
    ///
    /// An entry has `offset_ms`, `from`, `to` (`user`, `app`, `browser`, `authorization_server`, `api`) and `title`, and,
    /// where they are known, `duration_ms`, `origin`, `status`, `byte_count`, `facts` (a list of `name` and `value`),
    /// `checks` (a list of texts) and `failure`. A failure has `code`, `what_happened`, `likely_causes`, `what_to_do` and
    /// `comparisons` (a list of `first_label`, `first`, `second_label`, `second`). Times are milliseconds with at most three
    /// decimals. Nothing is cut.
    public var json: JSONObject {
        [
            "tern_trace": .number(JSONNumber(Self.jsonVersion)), "title": .string(title),
            "started_at": JSONNumber(startedAt.secondsSince1970).map(JSON.number) ?? .null,
            "entries": .array(entries.map { .object($0.json) }),
        ]
    }

    /// The longest text that is read, in bytes: 16 MiB.
    public static let maximumByteCount = 16 * 1_048_576

    /// Reads the text of a trace that ``json`` made.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with `invalidConfiguration`, whose field says where the fault is, or
    ///   `newerRecord` for the form of a later version.
    public init(parsing bytes: [UInt8]) throws(TernError) {
        let json: JSON
        do throws(JSONError) {
            json = try JSON(
                parsing: bytes,
                limits: JSONLimits(
                    maximumByteCount: Self.maximumByteCount, maximumValueCount: Self.maximumByteCount / 8))
        } catch {
            throw Fields.wrong("trace", error.description)
        }
        try self.init(json: json)
    }

    /// Reads a trace that ``json`` made.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with `invalidConfiguration`, whose field says where the fault is, or
    ///   `newerRecord` for the form of a later version.
    public init(json: JSON) throws(TernError) {
        let fields = try Fields(json, at: "trace")
        guard let version = json["tern_trace"]?.integer, version > 0 else { throw fields.wrong("tern_trace") }
        guard version <= Self.jsonVersion else { throw TernError(.newerRecord(version: version), at: .configuration) }
        let start = try fields.number("started_at")
        let entries = try fields.list("entries") { (json, place) throws(TernError) in
            try Entry(Fields(json, at: place))
        }
        self.init(title: try fields.text("title"), startedAt: NumericDate(start), entries: entries)
    }
}

extension Trace.Entry {
    fileprivate var json: JSONObject {
        var json: JSONObject = ["offset_ms": milliseconds(offset)]
        if let duration { json["duration_ms"] = milliseconds(duration) }
        json["from"] = .string(from.rawValue)
        json["to"] = .string(to.rawValue)
        json["title"] = .string(title)
        if let origin { json["origin"] = .string(origin) }
        if let status { json["status"] = .number(JSONNumber(Int64(status))) }
        if let byteCount { json["byte_count"] = .number(JSONNumber(Int64(byteCount))) }
        if !facts.isEmpty {
            json["facts"] = .array(facts.map { ["name": .string($0.name), "value": .string($0.value)] })
        }
        if !checks.isEmpty { json["checks"] = texts(checks) }
        if let failure { json["failure"] = .object(failure.json) }
        return json
    }

    fileprivate init(_ fields: Fields) throws(TernError) {
        self.init(
            at: try fields.duration("offset_ms"), from: try fields.party("from"), to: try fields.party("to"),
            try fields.text("title"),
            origin: try fields.optional("origin") { () throws(TernError) in try fields.text("origin") },
            facts: try fields.list("facts") { (json, place) throws(TernError) in
                let fact = try Fields(json, at: place)
                return Trace.Fact(try fact.text("name"), try fact.text("value"))
            }, checks: try fields.texts("checks"))
        duration = try fields.optional("duration_ms") { () throws(TernError) in try fields.duration("duration_ms") }
        status = try fields.optional("status") { () throws(TernError) in try fields.integer("status") }
        byteCount = try fields.optional("byte_count") { () throws(TernError) in try fields.integer("byte_count") }
        failure = try fields.optional("failure") { () throws(TernError) in try Trace.Failure(fields.object("failure")) }
    }
}

extension Trace.Failure {
    fileprivate var json: JSONObject {
        var json: JSONObject = ["code": .string(code), "what_happened": .string(whatHappened)]
        if !likelyCauses.isEmpty { json["likely_causes"] = texts(likelyCauses) }
        if !whatToDo.isEmpty { json["what_to_do"] = texts(whatToDo) }
        if !comparisons.isEmpty {
            json["comparisons"] = .array(
                comparisons.map { comparison in
                    [
                        "first_label": .string(comparison.firstLabel), "first": .string(comparison.first),
                        "second_label": .string(comparison.secondLabel), "second": .string(comparison.second),
                    ]
                })
        }
        return json
    }

    fileprivate init(_ fields: Fields) throws(TernError) {
        self.init(
            code: try fields.text("code"), whatHappened: try fields.text("what_happened"),
            likelyCauses: try fields.texts("likely_causes"), whatToDo: try fields.texts("what_to_do"),
            comparisons: try fields.list("comparisons") { (json, place) throws(TernError) in
                let comparison = try Fields(json, at: place)
                return Comparison(
                    try comparison.text("first_label"), try comparison.text("first"),
                    try comparison.text("second_label"), try comparison.text("second"))
            })
    }
}

private func texts(_ list: [String]) -> JSON { .array(list.map(JSON.string)) }

private func milliseconds(_ duration: Duration) -> JSON {
    let (seconds, attoseconds) = duration.components
    let microseconds = Double(seconds) * 1e6 + (Double(attoseconds) / 1e12).rounded()
    return JSONNumber(microseconds / 1_000).map(JSON.number) ?? .null
}

/// The members of an object, and where in the text it stands.
private struct Fields {
    let object: JSONObject
    let place: String

    init(_ json: JSON, at place: String) throws(TernError) {
        guard let object = json.object else { throw Self.wrong(place, "it is no object") }
        self.object = object
        self.place = place
    }

    static func wrong(_ field: String, _ problem: String) -> TernError {
        TernError(.invalidConfiguration(field: field, problem: problem), at: .configuration)
    }

    func wrong(_ name: String) -> TernError { Self.wrong("\(place).\(name)", "it is missing or has the wrong form") }

    func text(_ name: String) throws(TernError) -> String {
        guard let text = object[name]?.string else { throw wrong(name) }
        return text
    }

    func number(_ name: String) throws(TernError) -> Double {
        guard let number = object[name]?.double else { throw wrong(name) }
        return number
    }

    func integer(_ name: String) throws(TernError) -> Int {
        guard let integer = object[name]?.integer.flatMap({ Int(exactly: $0) }) else { throw wrong(name) }
        return integer
    }

    func duration(_ name: String) throws(TernError) -> Duration {
        let microseconds = try (number(name) * 1_000).rounded()
        // Nothing that took longer than a few centuries is a trace, and Duration traps beyond its range.
        guard abs(microseconds) < 1e16 else { throw wrong(name) }
        return .microseconds(Int64(microseconds))
    }

    func party(_ name: String) throws(TernError) -> Trace.Party {
        guard let party = try Trace.Party(rawValue: text(name)) else { throw wrong(name) }
        return party
    }

    func object(_ name: String) throws(TernError) -> Fields {
        try Fields(object[name] ?? .null, at: "\(place).\(name)")
    }

    func optional<Value>(_ name: String, _ read: () throws(TernError) -> Value) throws(TernError) -> Value? {
        object[name] == nil ? nil : try read()
    }

    func texts(_ name: String) throws(TernError) -> [String] {
        try list(name) { (json, place) throws(TernError) in
            guard let text = json.string else { throw Self.wrong(place, "it is no text") }
            return text
        }
    }

    /// The members of a list; none where it is left out.
    func list<Value>(
        _ name: String, _ read: (JSON, String) throws(TernError) -> Value
    ) throws(TernError) -> [Value] {
        guard let member = object[name] else { return [] }
        guard let list = member.array else { throw wrong(name) }
        var values: [Value] = []
        for (index, json) in list.enumerated() { values.append(try read(json, "\(place).\(name)[\(index)]")) }
        return values
    }
}
