internal import TernProtocol

/// The part of the release check-list that an app's own files tell.
enum ReleaseAppChecks {
    static func findings(_ app: AppleApp, issuer: URI?) -> [Finding] {
        var findings: [Finding] = []
        if app.hasInfoPropertyList {
            findings.append(transport(app))
            findings.append(exceptions(app, issuer))
        } else {
            findings.append(
                Finding(
                    .unchecked, "release_transport", "The app's rules for connections are not known",
                    "Its property list was not given.", fix: "give the property list (--info-plist)"))
        }
        guard app.hasEntitlements else {
            findings.append(
                Finding(
                    .unchecked, "release_entitlements", "What the app is entitled to is not known",
                    "Its entitlements were not given.", fix: "give the entitlements (--entitlements)"))
            return findings
        }
        return findings + [debugging(app), domains(app), keychain(app)] + sandbox(app)
    }

    private static func transport(_ app: AppleApp) -> Finding {
        guard app.info?["NSAppTransportSecurity"]?["NSAllowsArbitraryLoads"]?.bool == true else {
            return Finding(.passed, "release_transport", "The app connects by https")
        }
        return Finding(
            .warning, "release_transport", "The app may connect to every server without https",
            "NSAllowsArbitraryLoads is true.", fix: "take it out; name single hosts where there is no other way")
    }

    private static func exceptions(_ app: AppleApp, _ issuer: URI?) -> Finding {
        let name = "release_transport_exception"
        let domains = app.info?["NSAppTransportSecurity"]?["NSExceptionDomains"]?.dictionary ?? [:]
        let weak = domains.filter { isWeak($0.value) }.sorted { $0.key < $1.key }
        guard let first = weak.first else {
            return Finding(.passed, name, "No host is excepted from the rules for connections")
        }
        let host = issuer?.host?.asciiLowercased
        let own = weak.first { domain, rules in
            let domain = domain.asciiLowercased
            return host == domain
                || rules["NSIncludesSubdomains"]?.bool == true && host?.hasSuffix("." + domain) == true
        }
        if let own {
            return Finding(
                .warning, name, "The authorization server is excepted from the rules for connections",
                "NSExceptionDomains has \(Shown.text(own.key)).", fix: "take the exception out")
        }
        let more = weak.count > 1 ? " and \(weak.count - 1) more" : ""
        return Finding(
            .note, name, "Some hosts are excepted from the rules for connections", "\(Shown.text(first.key))\(more)")
    }

    /// Whether an exception lets plain connections or old TLS through.
    private static func isWeak(_ rules: PropertyListValue) -> Bool {
        let plain = ["NSExceptionAllowsInsecureHTTPLoads", "NSTemporaryExceptionAllowsInsecureHTTPLoads"]
        let versions = ["NSExceptionMinimumTLSVersion", "NSTemporaryExceptionMinimumTLSVersion"]
        return plain.contains { rules[$0]?.bool == true }
            || versions.contains { ["TLSv1.0", "TLSv1.1"].contains(rules[$0]?.string) }
    }

    private static func debugging(_ app: AppleApp) -> Finding {
        let keys = ["get-task-allow", "com.apple.security.get-task-allow"]
        guard let key = keys.first(where: app.isEntitled) else {
            return Finding(.passed, "release_debugging", "Nobody may attach a debugger to the app")
        }
        return Finding(
            .failed, "release_debugging", "A debugger may be attached to the app",
            "\(key) is true: these are the entitlements of a build for development, which is not taken for release.",
            fix: "sign the app for distribution")
    }

    private static func domains(_ app: AppleApp) -> Finding {
        guard let domain = app.associatedDomains.first(where: \.isForDevelopment) else {
            return Finding(.passed, "release_developer_mode", "No associated domain is for development alone")
        }
        return Finding(
            .warning, "release_developer_mode", "An associated domain is for development alone",
            "\(Shown.text(domain.text)) counts for nothing in an app that is signed for distribution.",
            fix: "add the same entry without ?mode=developer, or take that out",
            comparison: Shown.comparison(
                "entitled", domain.text, "for release", String(domain.text.prefix { $0 != "?" })))
    }

    private static func keychain(_ app: AppleApp) -> Finding {
        Finding(
            .note, "release_keychain",
            app.keychainGroups.isEmpty ? "The app names no keychain group" : "The app names keychain groups",
            app.keychainGroups.isEmpty
                ? "What it keeps there belongs to itself; extensions and other apps of yours cannot read it."
                : app.keychainGroups.prefix(maximumShownCount).map(Shown.text).joined(separator: ", "))
    }

    private static let maximumShownCount = 5

    private static func sandbox(_ app: AppleApp) -> [Finding] {
        if app.isSandboxed { return [Finding(.passed, "release_sandbox", "The app runs in the sandbox")] }
        guard app.platform == .mac else { return [] }
        return [
            Finding(
                .note, "release_sandbox", "The app does not run in the sandbox",
                "The Mac App Store wants that; an app that you notarize and spread by yourself need not.")
        ]
    }
}
