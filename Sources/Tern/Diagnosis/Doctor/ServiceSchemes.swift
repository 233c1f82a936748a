internal import TernProtocol

/// Schemes whose name follows from the client or the app at some services.
enum ServiceSchemes {
    static func findings(_ redirect: RedirectURI, _ app: AppleApp?, clientID: String) -> [Finding] {
        let scheme = redirect.uri.scheme
        guard let rule = rule(for: scheme, clientID, app) else { return [] }
        guard let expected = rule.expected else {
            return [
                Finding(
                    .unchecked, "redirect_client_scheme", "Whether the scheme is that of the client is not known",
                    "It has the form of \(rule.service), and \(rule.source) is not known.")
            ]
        }
        if scheme.equalsIgnoringASCIICase(expected) {
            return [
                Finding(
                    .passed, "redirect_client_scheme", "The scheme is that of the client",
                    "At \(rule.service) it follows from \(rule.source).")
            ]
        }
        return [
            Finding(
                rule.isCertain ? .failed : .note, "redirect_client_scheme", "The scheme is not that of the client",
                "At \(rule.service) it follows from \(rule.source).",
                fix: rule.isCertain ? "use the scheme that belongs to this client identifier" : nil,
                comparison: Shown.comparison("redirect", scheme, "belongs", expected))
        ]
    }

    private struct Rule {
        let service: String
        let source: String
        let expected: String?
        /// Whether the scheme or the client identifier can be of this service alone.
        var isCertain = true
    }

    private static func rule(for scheme: String, _ clientID: String, _ app: AppleApp?) -> Rule? {
        let lowered = scheme.asciiLowercased
        if lowered.hasPrefix("com.googleusercontent.apps.") {
            let suffix = ".apps.googleusercontent.com"
            let name = clientID.hasSuffix(suffix) ? clientID.dropLast(suffix.count) : Substring(clientID)
            return Rule(
                service: "Google", source: "the client identifier, reversed",
                expected: "com.googleusercontent.apps.\(name)")
        }
        if lowered.hasPrefix("msauth.") {
            return Rule(
                service: "Microsoft", source: "the bundle identifier",
                expected: app?.bundleIdentifier.map { "msauth.\($0)" })
        }
        if lowered.hasPrefix("vk"), scheme.dropFirst(2).allSatisfy(\.isNumber), scheme.count > 2 {
            return Rule(service: "VK", source: "the number of the client", expected: "vk\(clientID)")
        }
        // A client identifier that is an address may be of AT Protocol, which wants its host in reverse order.
        if let host = URI(clientID)?.host, clientID.hasPrefix("https://") {
            return Rule(
                service: "AT Protocol", source: "the host of the client identifier, reversed",
                expected: host.split(separator: ".").reversed().joined(separator: "."), isCertain: false)
        }
        return nil
    }
}
