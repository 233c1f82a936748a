internal import TernCrypto

/// How the address that the browser opens differs from RFC 6749 §4.1.1.
public struct AuthorizationQuirks: Sendable, Hashable, Codable {
    /// How a PKCE challenge is written.
    public enum ChallengeEncoding: String, Sendable, Hashable, Codable {
        /// As RFC 7636 §4.2 has it.
        case base64url
        /// In hexadecimal digits (TikTok's desktop and mobile clients).
        case hexadecimal = "hex"
    }

    /// The provider's names of parameters, by those of the standards; `client_id` is `appid` at WeChat.
    public var parameterNames: [String: String] = [:]
    /// Parameters that are left out, by the names of the standards. Without `code_challenge` a code that is stolen can be used;
    /// leave it out only where the provider refuses it (LinkedIn's flow with a secret).
    public var omittedParameters: [String] = []
    /// Parameters that are always there, unless the request brings its own (`access_type=offline` at Google).
    public var additionalParameters: [String: String] = [:]
    /// What stands between two scopes; a blank by default. Strava, TikTok and others want a comma.
    public var scopeSeparator = " "
    /// Scopes without which the provider gives nothing of use.
    public var requiredScopes: [String] = []
    /// How the challenge is written.
    public var challengeEncoding = ChallengeEncoding.base64url
    /// What has to stand behind a number sign at the end (`wechat_redirect`).
    public var fragment: String?

    /// As the standards have it.
    public init() {}

    private static let names = [
        "parameter_names", "omitted_parameters", "additional_parameters", "scope_separator", "required_scopes",
        "challenge_encoding", "fragment",
    ]

    /// Reads quirks; what is left out is as the standards have it.
    ///
    /// - Throws: `DecodingError` with the place of a member that is unknown or has the wrong type.
    public init(from decoder: any Decoder) throws {
        let members = try QuirkMembers(decoder, known: Self.names)
        try members.read("parameter_names", into: &parameterNames)
        try members.read("omitted_parameters", into: &omittedParameters)
        try members.read("additional_parameters", into: &additionalParameters)
        try members.read("scope_separator", into: &scopeSeparator)
        try members.read("required_scopes", into: &requiredScopes)
        try members.read("challenge_encoding", into: &challengeEncoding)
        try members.read("fragment", into: &fragment)
    }

    /// Writes what differs from the standards.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        let standard = Self()
        var members = QuirkWriter(encoder)
        try members.write("parameter_names", parameterNames, unless: standard.parameterNames)
        try members.write("omitted_parameters", omittedParameters, unless: standard.omittedParameters)
        try members.write("additional_parameters", additionalParameters, unless: standard.additionalParameters)
        try members.write("scope_separator", scopeSeparator, unless: standard.scopeSeparator)
        try members.write("required_scopes", requiredScopes, unless: standard.requiredScopes)
        try members.write("challenge_encoding", challengeEncoding, unless: standard.challengeEncoding)
        try members.write("fragment", fragment, unless: standard.fragment)
    }

    /// The provider's parameters for standard ones, in the same order; what is added comes last, in the order of the names.
    package func applied(to parameters: FormParameters) -> FormParameters {
        guard self != Self() else { return parameters }
        var out: FormParameters = [:]
        var isScopeSent = false
        for parameter in parameters.parameters where !omittedParameters.contains(parameter.name) {
            var value = parameter.value
            switch parameter.name {
            case "scope":
                value = scopes(in: value)
                isScopeSent = true
            case "code_challenge": value = challenge(value)
            default: break
            }
            out.append(parameterNames[parameter.name] ?? parameter.name, value)
        }
        if !isScopeSent, !requiredScopes.isEmpty, !omittedParameters.contains("scope") {
            out.append(parameterNames["scope"] ?? "scope", scopes(in: ""))
        }
        for (name, value) in additionalParameters.sorted(by: { $0.key < $1.key }) where out[name] == nil {
            out.append(name, value)
        }
        return out
    }

    /// The address for standard parameters.
    package func address(_ url: URI) -> URI {
        guard let fragment else { return url }
        return URI("\(url.withoutFragment)#\(fragment)") ?? url
    }

    private func scopes(in text: String) -> String {
        let asked = text.split(separator: " ").map(String.init)
        return (requiredScopes.filter { !asked.contains($0) } + asked).joined(separator: scopeSeparator)
    }

    private func challenge(_ value: String) -> String {
        guard challengeEncoding == .hexadecimal, let bytes = Base64URL.decode(value) else { return value }
        let digits = Array("0123456789abcdef")
        return bytes.reduce(into: "") { text, byte in
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
    }
}
