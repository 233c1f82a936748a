internal import TernProtocol

/// What is looked at in a redirect with a scheme of the application's own.
enum SchemeChecks {
    static func findings(_ redirect: RedirectURI, _ app: AppleApp?, clientID: String?) -> [Finding] {
        let scheme = redirect.uri.scheme
        if let reserved = reserved(scheme) { return [reserved] }
        var findings = [dot(scheme)]
        if scheme != scheme.asciiLowercased { findings.append(capitals(redirect)) }
        if let host = redirect.uri.host { findings.append(host, of: redirect) }
        if let clientID { findings += ServiceSchemes.findings(redirect, app, clientID: clientID) }
        if let app { findings += registration(scheme, app) }
        return findings
    }

    private static func reserved(_ scheme: String) -> Finding? {
        guard systemSchemes.contains(scheme.asciiLowercased) else { return nil }
        return Finding(
            .failed, "redirect_scheme_reserved", "The scheme of the redirect belongs to the system",
            "Addresses of \(Shown.text(scheme)): go to another program, whatever an app registers.",
            fix: "use a domain of yours in reverse order, such as com.example.app")
    }

    /// Schemes that systems and browsers open by themselves. Those that run or read something are refused before.
    private static let systemSchemes: Set = [
        "mailto", "tel", "telprompt", "sms", "facetime", "facetime-audio", "facetime-prompt", "itms", "itmss",
        "itms-apps", "itms-appss", "itms-services", "maps", "map", "webcal", "prefs", "app-settings", "x-apple-health",
        "shortcuts", "music", "musics", "videos", "photos-redirect", "calshow", "message", "ftp", "ftps", "sftp", "ws",
        "wss", "ssh", "smb", "afp", "vnc", "news", "nntp", "ldap", "ldaps", "urn", "chrome", "view-source", "intent",
    ]

    private static func dot(_ scheme: String) -> Finding {
        guard !scheme.contains(".") else {
            return Finding(.passed, "redirect_scheme_dot", "The scheme is a domain name in reverse order")
        }
        return Finding(
            .warning, "redirect_scheme_dot", "The scheme has no dot",
            "Another app may claim \(Shown.text(scheme)) as well and receive the answer (RFC 8252 §7.1).",
            fix: "use a domain of yours in reverse order, such as com.example.app")
    }

    private static func capitals(_ redirect: RedirectURI) -> Finding {
        let scheme = redirect.uri.scheme
        return Finding(
            .warning, "redirect_scheme_case", "The scheme has capital letters",
            "Browsers put a scheme in lower case before they hand it over, and servers compare letter by letter.",
            fix: "write it in lower case, here, at the server and in the app",
            comparison: Shown.comparison("redirect", scheme, "arrives as", scheme.asciiLowercased))
    }

    private static func registration(_ scheme: String, _ app: AppleApp) -> [Finding] {
        guard app.hasInfoPropertyList else {
            return [
                Finding(
                    .unchecked, "redirect_scheme_registered", "Whether the app registers the scheme is not known",
                    "Its property list was not given.", fix: "give the property list (--info-plist)")
            ]
        }
        let same = app.schemes.filter { $0.text.equalsIgnoringASCIICase(scheme) }
        guard !same.isEmpty else { return [unregistered(scheme, app)] }
        var findings = [
            Finding(
                .passed, "redirect_scheme_registered", "The app registers the scheme",
                same[0].name.map { "In the URL type \(Shown.text($0))." })
        ]
        if same.count > 1 {
            findings.append(
                Finding(
                    .warning, "redirect_scheme_twice", "The app registers the scheme more than once",
                    "\(same.count) times in CFBundleURLTypes.", fix: "leave one of the entries"))
        }
        return findings
    }

    private static func unregistered(_ scheme: String, _ app: AppleApp) -> Finding {
        let variables = app.schemes.compactMap { BuildVariables.first(in: $0.text) }
        if let variable = variables.first {
            return Finding(
                .unchecked, "redirect_scheme_registered", "Whether the app registers the scheme is not known",
                "A build variable stands in CFBundleURLTypes: \(Shown.text(variable)).",
                fix: "name the app identifier, or give the property list of the built app")
        }
        let nearest = Nearest.text(to: scheme, among: app.schemes.map(\.text))
        var detail =
            nearest == nil
            ? "CFBundleURLTypes has no scheme, so no browser can open the app with the answer."
            : "No browser can open the app with the answer."
        if let nearest, nearest.asciiLowercased.hasPrefix(scheme.asciiLowercased + ":") {
            detail = "The entry is an address, and only the part before the colon belongs there."
        }
        return Finding(
            .failed, "redirect_scheme_registered", "The app does not register the scheme of the redirect",
            detail
                + " The system's own sign-in sheet works without that; the hub, and an app that was ended meanwhile, "
                + "do not.",
            fix: "add \(Shown.text(scheme)) to CFBundleURLSchemes of an entry of CFBundleURLTypes",
            comparison: nearest.map { Shown.comparison("redirect", scheme, "registered", $0) })
    }
}

extension [Finding] {
    fileprivate mutating func append(_ host: String, of redirect: RedirectURI) {
        append(
            Finding(
                .warning, "redirect_scheme_slashes", "After two slashes a host begins",
                "\(Shown.text(host)) is a host to browsers, and no path, and some put it in lower case "
                    + "(RFC 8252 §7.1).",
                fix: "write one slash, such as \(Shown.text(redirect.uri.scheme)):/\(Shown.text(host))"))
    }
}
