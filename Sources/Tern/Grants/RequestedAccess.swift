internal import TernJOSE
public import TernProtocol

/// What a token is asked for, where no user decides it.
public struct RequestedAccess: Sendable, Hashable {
    /// The scope; `nil` leaves it to the server.
    public var scope: Scope?
    /// The APIs that the token is for (RFC 8707).
    public var resources: [URI]
    /// Any further parameters of the token request, such as a provider's `audience`. They are stored with the token, since
    /// the next one is asked for in the same way.
    public var additionalParameters: FormParameters

    /// Says what is asked for.
    public init(scope: Scope? = nil, resources: [URI] = [], additionalParameters: FormParameters = [:]) {
        self.scope = scope
        self.resources = resources
        self.additionalParameters = additionalParameters
    }
}

extension RequestedAccess {
    init(_ json: JSONObject) {
        self.init(
            scope: json["scope"]?.string.map { Scope($0) },
            resources: [URI](json: json["resource"]),
            additionalParameters: FormParameters(
                (json["parameters"]?.array ?? []).compactMap { pair in
                    guard let name = pair["name"]?.string, let value = pair["value"]?.string else { return nil }
                    return FormParameters.Parameter(name: name, value: value)
                }))
    }

    var json: JSONObject {
        var json: JSONObject = [:]
        json["scope"] = scope.map { .string($0.text) }
        if !resources.isEmpty { json["resource"] = .array(resources.map { .string($0.text) }) }
        if !additionalParameters.isEmpty {
            json["parameters"] = .array(
                additionalParameters.parameters.map { ["name": .string($0.name), "value": .string($0.value)] })
        }
        return json
    }
}
