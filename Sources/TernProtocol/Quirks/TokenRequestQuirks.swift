internal import TernCrypto
internal import TernJOSE

/// How requests to the token endpoint differ from RFC 6749 §4.1.3 and §6.
public struct TokenRequestQuirks: Sendable, Hashable, Codable {
    /// Where the parameters stand.
    public enum Form: String, Sendable, Hashable, Codable {
        /// In the body, as a form.
        case form
        /// In the body, as a JSON object of texts (Notion, DingTalk).
        case json
        /// In the query of a POST.
        case query
        /// In the query of a GET (WeChat, QQ). The code, and a secret, then stand in an address, which logs may keep.
        case get
    }

    /// Where the parameters stand.
    public var form = Form.form
    /// The provider's names of parameters, by those of the standards; `client_secret` is `secret` at WeChat.
    public var parameterNames: [String: String] = [:]
    /// Parameters that are left out, by the names of the standards.
    public var omittedParameters: [String] = []
    /// Parameters that are always there (`action=requesttoken` at Withings).
    public var additionalParameters: [String: String] = [:]
    /// Parameters that are left out of renewals, such as `client_secret` (WeChat).
    public var omittedAtRefresh: [String] = []
    /// Header fields that are always there (`Notion-Version`).
    public var headers: [String: String] = [:]
    /// Where tokens are renewed, where that is not at the token endpoint.
    public var refreshEndpoint: URI?
    /// Whether `client_id` stands in the body beside HTTP Basic too.
    public var repeatsClientID = false
    /// Whether a client without a secret sends HTTP Basic with an empty password (Reddit).
    public var sendsEmptyPassword = false

    /// As the standards have it.
    public init() {}

    private static let names = [
        "form", "parameter_names", "omitted_parameters", "additional_parameters", "omitted_at_refresh", "headers",
        "refresh_endpoint", "repeats_client_id", "sends_empty_password",
    ]

    /// Reads quirks; what is left out is as the standards have it.
    ///
    /// - Throws: `DecodingError` with the place of a member that is unknown or has the wrong type.
    public init(from decoder: any Decoder) throws {
        let members = try QuirkMembers(decoder, known: Self.names)
        try members.read("form", into: &form)
        try members.read("parameter_names", into: &parameterNames)
        try members.read("omitted_parameters", into: &omittedParameters)
        try members.read("additional_parameters", into: &additionalParameters)
        try members.read("omitted_at_refresh", into: &omittedAtRefresh)
        try members.read("headers", into: &headers)
        try members.read("refresh_endpoint", into: &refreshEndpoint)
        try members.read("repeats_client_id", into: &repeatsClientID)
        try members.read("sends_empty_password", into: &sendsEmptyPassword)
    }

    /// Writes what differs from the standards.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        let standard = Self()
        var members = QuirkWriter(encoder)
        try members.write("form", form, unless: standard.form)
        try members.write("parameter_names", parameterNames, unless: standard.parameterNames)
        try members.write("omitted_parameters", omittedParameters, unless: standard.omittedParameters)
        try members.write("additional_parameters", additionalParameters, unless: standard.additionalParameters)
        try members.write("omitted_at_refresh", omittedAtRefresh, unless: standard.omittedAtRefresh)
        try members.write("headers", headers, unless: standard.headers)
        try members.write("refresh_endpoint", refreshEndpoint, unless: standard.refreshEndpoint)
        try members.write("repeats_client_id", repeatsClientID, unless: standard.repeatsClientID)
        try members.write("sends_empty_password", sendsEmptyPassword, unless: standard.sendsEmptyPassword)
    }

    /// The provider's request for a standard one of the token endpoint, client authentication included.
    package func applied(to request: HTTPRequest, step: Step, clientID: String) -> HTTPRequest {
        guard self != Self(), [.tokenRequest, .refresh].contains(step), case .form(let standard) = request.body else {
            return request
        }
        let isRefresh = standard["grant_type"] == "refresh_token"
        var request = request
        if isRefresh, let refreshEndpoint { request.url = refreshEndpoint }
        var form = standard
        if sendsEmptyPassword, request.fields["Authorization"] == nil, form["client_secret"] == nil {
            request.fields["Authorization"] = "Basic " + Base64.encode(Array("\(PercentCodec.encode(clientID)):".utf8))
            form["client_id"] = nil
        }
        if repeatsClientID, form["client_id"] == nil { form.append("client_id", clientID) }
        let omitted = Set(omittedParameters + (isRefresh ? omittedAtRefresh : []))
        var out = FormParameters(
            form.parameters.filter { !omitted.contains($0.name) }.map {
                FormParameters.Parameter(name: parameterNames[$0.name] ?? $0.name, value: $0.value)
            })
        for (name, value) in additionalParameters.sorted(by: { $0.key < $1.key }) where out[name] == nil {
            out.append(name, value)
        }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { request.fields[name] = value }
        put(out, into: &request)
        return request
    }

    private func put(_ parameters: FormParameters, into request: inout HTTPRequest) {
        switch form {
        case .form: request.body = .form(parameters)
        case .json:
            var object: JSONObject = [:]
            for parameter in parameters.parameters { object[parameter.name] = .string(parameter.value) }
            request.body = .bytes(JSON.object(object).serialized())
            request.fields["Content-Type"] = "application/json"
        case .query, .get:
            guard let url = URI(request.url.appendingQuery(parameters)) else { return }
            request.url = url
            request.body = form == .get ? .none : .form([:])
            if form == .get { request.method = .get }
        }
    }
}
