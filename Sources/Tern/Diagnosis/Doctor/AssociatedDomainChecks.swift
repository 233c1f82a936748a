internal import TernProtocol

/// What is looked at in an https redirect that an app receives: its associated domains, and the system it needs.
enum AssociatedDomainChecks {
    static func findings(_ redirect: RedirectURI, _ app: AppleApp) -> [Finding] {
        guard let host = redirect.uri.host else { return [] }
        let system = system(app).map { [$0] } ?? []
        guard app.hasEntitlements else {
            return system + [
                Finding(
                    .unchecked, "redirect_webcredentials", "Whether the app is associated with the host is not known",
                    "Its entitlements were not given.", fix: "give the entitlements (--entitlements)")
            ]
        }
        return system + [webCredentials(host, app), appLinks(host, app)]
    }

    private static func webCredentials(_ host: String, _ app: AppleApp) -> Finding {
        let name = "redirect_webcredentials"
        if let domain = app.domain(.webCredentials, host) {
            return Finding(.passed, name, "The sign-in sheet may take answers of the host", Shown.text(domain.text))
        }
        if let variable = app.firstVariableInDomains {
            return Finding(
                .unchecked, name, "Whether the app is associated with the host is not known",
                "A build variable stands in the associated domains: \(Shown.text(variable)).",
                fix: "give the entitlements of the built app")
        }
        let wanted = "webcredentials:\(host)"
        let nearest = Nearest.text(to: wanted, among: app.associatedDomains.map(\.text))
        return Finding(
            .failed, name, "The app is not associated with the host of the redirect",
            "The system's sign-in sheet takes https answers only of a webcredentials domain, and closes otherwise as "
                + "if the user had cancelled.",
            fix: "add \(Shown.text(wanted)) to com.apple.developer.associated-domains",
            comparison: nearest.map { Shown.comparison("wanted", wanted, "entitled", $0) })
    }

    private static func appLinks(_ host: String, _ app: AppleApp) -> Finding {
        if let domain = app.domain(.appLinks, host) {
            return Finding(
                .passed, "redirect_applinks", "Links of the host open the app from elsewhere", Shown.text(domain.text))
        }
        return Finding(
            .note, "redirect_applinks", "Links of the host do not open the app from elsewhere",
            "The sign-in sheet does not need that; a sign-in in the browser does: applinks:\(Shown.text(host)).")
    }

    /// https callbacks of the sheet came with certain versions of the systems.
    private static func system(_ app: AppleApp) -> Finding? {
        let rules: [(key: String, needed: [Int], name: String)] = [
            ("MinimumOSVersion", [17, 4], "iOS 17.4"), ("LSMinimumSystemVersion", [14, 4], "macOS 14.4"),
        ]
        for rule in rules {
            guard let text = app.info?[rule.key]?.string else { continue }
            let version = text.split(separator: ".").compactMap { Int($0) }
            guard !version.isEmpty, version.lexicographicallyPrecedes(rule.needed) else { continue }
            return Finding(
                .warning, "redirect_https_system",
                "The app also runs on systems whose sign-in sheet knows no https answers",
                "They came with \(rule.name).",
                fix: "raise \(rule.key), or use a scheme of your own on older systems",
                comparison: Comparison(
                    rule.key, Shown.text(text), "needed", rule.needed.map(String.init).joined(separator: ".")))
        }
        return nil
    }
}

extension AppleApp {
    /// The associated domain of a service that names a host; one that works in released apps first.
    func domain(_ service: AssociatedDomain.Service, _ host: String) -> AssociatedDomain? {
        let all = associatedDomains.filter { $0.service == service && $0.covers(host) }
        return all.first { !$0.isForDevelopment } ?? all.first
    }

    /// A build variable in the list of associated domains that is not known.
    var firstVariableInDomains: String? {
        let texts = entitlements?["com.apple.developer.associated-domains"]?.array ?? []
        let variables = BuildVariables(prefix: prefix, bundleIdentifier: bundleIdentifier)
        return texts.lazy.compactMap { $0.string.map(variables.expanding) }.compactMap(BuildVariables.first).first
    }
}
