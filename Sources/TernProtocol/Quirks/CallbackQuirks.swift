package import TernJOSE

/// How a callback differs from RFC 6749 §4.1.2.
public struct CallbackQuirks: Sendable, Hashable, Codable {
    /// The provider's names of parameters, by those of the standards; `code` is `authCode` at DingTalk.
    public var parameterNames: [String: String] = [:]
    /// Whether a callback with nothing but the state says that the user refused (WeChat).
    public var treatsMissingCodeAsDenial = false

    /// As the standards have it.
    public init() {}

    private static let names = ["parameter_names", "missing_code_is_denial"]

    /// Reads quirks; what is left out is as the standards have it.
    ///
    /// - Throws: `DecodingError` with the place of a member that is unknown or has the wrong type.
    public init(from decoder: any Decoder) throws {
        let members = try QuirkMembers(decoder, known: Self.names)
        try members.read("parameter_names", into: &parameterNames)
        try members.read("missing_code_is_denial", into: &treatsMissingCodeAsDenial)
    }

    /// Writes what differs from the standards.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var members = QuirkWriter(encoder)
        try members.write("parameter_names", parameterNames, unless: [:])
        try members.write("missing_code_is_denial", treatsMissingCodeAsDenial, unless: false)
    }

    /// What ``json`` wrote.
    package init(_ json: JSONObject) {
        for (name, value) in json["parameter_names"]?.object ?? [:] { parameterNames[name] = value.string }
        treatsMissingCodeAsDenial = json["missing_code_is_denial"]?.bool ?? false
    }

    /// The quirks as an object, for the record of a sign-in that another process finishes.
    package var json: JSONObject {
        var names: JSONObject = [:]
        for (name, value) in parameterNames.sorted(by: { $0.key < $1.key }) { names[name] = .string(value) }
        return ["parameter_names": .object(names), "missing_code_is_denial": .bool(treatsMissingCodeAsDenial)]
    }

    /// The callback as the standards have it. An address that is no answer stays as it is.
    package func standard(_ callback: URI) -> URI {
        guard self != Self(), let query = callback.encodedQuery, let parameters = FormParameters(decoding: query) else {
            return callback
        }
        // A parameter that has the standard's name already stays, so that nothing can be put in its place.
        let standardNames = Dictionary(
            parameterNames.filter { parameters[$0.key] == nil }.map { ($0.value, $0.key) },
            uniquingKeysWith: { one, _ in one })
        var out = FormParameters(
            parameters.parameters.map {
                FormParameters.Parameter(name: standardNames[$0.name] ?? $0.name, value: $0.value)
            })
        if treatsMissingCodeAsDenial, out["state"] != nil, (out["code"] ?? "").isEmpty, out["error"] == nil {
            out["code"] = nil
            out.append("error", "access_denied")
        }
        guard out != parameters, let base = URI(callback.withoutQueryAndFragment) else { return callback }
        return URI(base.appendingQuery(out) + (callback.encodedFragment.map { "#" + $0 } ?? "")) ?? callback
    }
}
