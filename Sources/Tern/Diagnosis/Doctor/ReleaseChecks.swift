public import TernProtocol

/// The release check-list of `tern doctor`: what works while an app is made and must not be shipped.
public enum ReleaseChecks {
    /// Goes through the list.
    ///
    /// - Parameters:
    ///   - redirect: the redirect as it was given.
    ///   - issuer: the authorization server.
    ///   - app: what the app says about itself, where its files are known.
    ///   - appHasSecret: whether the client that the app is has a secret.
    public static func findings(
        redirect: String? = nil, issuer: URI? = nil, app: AppleApp? = nil, appHasSecret: Bool = false
    ) -> [Finding] {
        var findings: [Finding] = []
        if let issuer { findings.append(self.issuer(issuer)) }
        if let redirect { findings.append(self.redirect(redirect)) }
        guard let app else {
            if appHasSecret { findings.append(secret(true)) }
            return findings
        }
        findings.append(secret(appHasSecret))
        return findings + ReleaseAppChecks.findings(app, issuer: issuer)
    }

    private static func issuer(_ issuer: URI) -> Finding {
        let name = "release_issuer"
        let shown = Shown.address(issuer.text)
        if issuer.isLoopback {
            return Finding(
                .warning, name, "The authorization server is on this machine",
                "\(shown) is another machine on each device.", fix: "name the server that users sign in at")
        }
        guard issuer.isSecure else {
            return Finding(
                .failed, name, "The authorization server is not reached by https", shown,
                fix: "use its https address")
        }
        let host = issuer.host?.asciiLowercased ?? ""
        if let ending = privateEndings.first(where: { host.hasSuffix($0) }) {
            return Finding(
                .warning, name, "The authorization server has a name for tests",
                "Names that end in \(ending) are known in one network at most.",
                fix: "name the server that users sign in at")
        }
        return Finding(.passed, name, "The authorization server is one that users can reach by https")
    }

    /// The endings that no public name has (RFC 6761, RFC 6762, RFC 8375).
    private static let privateEndings = [".test", ".local", ".localhost", ".invalid", ".home.arpa", ".internal"]

    private static func redirect(_ text: String) -> Finding {
        let name = "release_redirect"
        guard let redirect = try? RedirectURI(text) else {
            return Finding(
                .failed, name, "The redirect cannot be used", Shown.address(text),
                fix: "see what is said about the redirect itself")
        }
        switch redirect.kind {
        case .loopback where redirect.uri.host?.asciiLowercased == "localhost":
            return Finding(
                .warning, name, "The redirect names localhost", "The name may lead elsewhere on some machines.",
                fix: "register and use 127.0.0.1")
        case .privateUseScheme:
            return Finding(
                .note, name, "The redirect has a scheme of the application's own",
                "Any app can claim a scheme; an https address of an associated domain belongs to one app alone "
                    + "(RFC 8252 §7.2).")
        case .claimedHTTPS, .loopback, .outOfBand:
            return Finding(.passed, name, "The redirect is one for users")
        }
    }

    private static func secret(_ hasSecret: Bool) -> Finding {
        guard hasSecret else {
            return Finding(.passed, "release_secret", "The app has no client secret")
        }
        return Finding(
            .warning, "release_secret", "The app has a client secret",
            "Whoever has the app has the secret too, so it proves nothing (RFC 8252 §8.5).",
            fix: "register a public client, or keep the secret on a server of yours that asks for tokens")
    }
}
