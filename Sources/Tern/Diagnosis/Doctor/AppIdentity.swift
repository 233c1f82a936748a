/// Who an app is: the two parts of its identifier, from whatever tells them.
struct AppIdentity {
    private(set) var prefix: String?
    private(set) var bundleIdentifier: String?
    private(set) var findings: [Finding] = []

    init(_ info: PropertyListValue?, _ entitlements: PropertyListValue?, given: String?) {
        (prefix, bundleIdentifier) = given.map(Self.parts) ?? (nil, nil)
        let team = entitlements?["com.apple.developer.team-identifier"]?.string
        let variables = BuildVariables(prefix: prefix, bundleIdentifier: bundleIdentifier)
        let entitled = ["application-identifier", "com.apple.application-identifier"]
            .lazy.compactMap { entitlements?[$0]?.string }.first.map(variables.expanding)
        if let entitled, BuildVariables.first(in: entitled) == nil {
            compareWhole(with: entitled)
            let parts = Self.parts(entitled)
            // A profile may be for every app of a team, which the star says.
            prefix = prefix ?? parts.prefix
            if parts.bundleIdentifier?.hasSuffix("*") == false {
                bundleIdentifier = bundleIdentifier ?? parts.bundleIdentifier
            }
        }
        if prefix == nil, let team, BuildVariables.first(in: team) == nil { prefix = team }
        readBundleIdentifier(info, variables)
    }

    private mutating func readBundleIdentifier(_ info: PropertyListValue?, _ variables: BuildVariables) {
        guard let written = info?["CFBundleIdentifier"]?.string else { return }
        let text = variables.expanding(written)
        if let variable = BuildVariables.first(in: text) {
            // Another place may have told it.
            guard bundleIdentifier == nil else { return }
            findings.append(
                Finding(
                    .unchecked, "bundle_identifier", "The bundle identifier is not known",
                    "A build variable stands in its place: \(Shown.text(variable)).",
                    fix: "name the app identifier, or give the property list of the built app"))
        } else if let known = bundleIdentifier, !known.equalsIgnoringASCIICase(text) {
            findings.append(
                Finding(
                    .failed, "bundle_identifier", "The bundle identifier is not that of the app identifier",
                    "The two files are not of the same app.",
                    fix: "give the files of one app, or correct the app identifier",
                    comparison: Shown.comparison("property list", text, "app identifier", known)))
        } else {
            bundleIdentifier = text
            findings.append(
                Finding(.passed, "bundle_identifier", "The bundle identifier is known", Shown.text(text)))
        }
    }

    private mutating func compareWhole(with entitled: String) {
        guard let prefix, let bundleIdentifier, !entitled.hasSuffix("*") else { return }
        let given = "\(prefix).\(bundleIdentifier)"
        guard given != entitled else { return }
        findings.append(
            Finding(
                .failed, "app_identifier", "The app identifier is not that of the entitlements",
                fix: "give the entitlements of this app, or correct the app identifier",
                comparison: Shown.comparison("named", given, "entitlements", entitled)))
    }

    /// The two parts of an app identifier; a text without a dot is the first one.
    private static func parts(_ text: String) -> (prefix: String?, bundleIdentifier: String?) {
        guard let dot = text.firstIndex(of: ".") else { return (text.isEmpty ? nil : text, nil) }
        let rest = text[text.index(after: dot)...]
        return (String(text[..<dot]), rest.isEmpty ? nil : String(rest))
    }
}
