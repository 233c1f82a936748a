internal import TernProtocol

/// The checks of `tern doctor` about a redirect.
public enum RedirectChecks {
    /// Looks at a redirect: whether it is well formed, fits the platform, and can arrive at the app.
    ///
    /// - Parameters:
    ///   - redirect: the address as it was given.
    ///   - app: the app that receives it, where it is one for Apple's systems and its files are known.
    ///   - clientID: the client identifier, to which the schemes of some services belong.
    public static func findings(redirect: String, app: AppleApp? = nil, clientID: String? = nil) -> [Finding] {
        do throws(TernError) {
            let redirect = try RedirectURI(redirect)
            let kind = kind(of: redirect)
            switch redirect.kind {
            case .outOfBand: return [kind]
            case .loopback: return [kind, form(redirect), loopbackHost(redirect)] + loopback(redirect, app)
            case .claimedHTTPS:
                return [kind, form(redirect)] + (app.map { AssociatedDomainChecks.findings(redirect, $0) } ?? [])
            case .privateUseScheme:
                return [kind, form(redirect)] + SchemeChecks.findings(redirect, app, clientID: clientID)
            }
        } catch {
            return [malformed(redirect, error)]
        }
    }

    private static func form(_ redirect: RedirectURI) -> Finding {
        Finding(.passed, "redirect_form", "The redirect is well formed")
    }

    private static func malformed(_ redirect: String, _ error: TernError) -> Finding {
        var problem = error.description
        if case .invalidConfiguration(_, let words) = error.reason { problem = words }
        let uri = URI(redirect)
        let fix: String =
            if uri == nil {
                "write it with a scheme, such as https://app.example.com/callback"
            } else if uri?.normalizedScheme == "http" {
                "use https, or http://127.0.0.1/callback for an app that listens by itself"
            } else if uri?.encodedFragment != nil {
                "leave the number sign and what follows it out, here and at the server"
            } else {
                "register another address, such as https://app.example.com/callback"
            }
        return Finding(
            .failed, "redirect_form", "The redirect cannot be used", "\(Shown.address(redirect)): \(problem).", fix: fix
        )
    }

    private static func kind(of redirect: RedirectURI) -> Finding {
        let words: String =
            switch redirect.kind {
            case .privateUseScheme: "a scheme of the application's own (RFC 8252 §7.1)"
            case .claimedHTTPS: "an https address that an app or a server owns (RFC 8252 §7.2)"
            case .loopback: "an address of this machine, where the application listens (RFC 8252 §7.3)"
            case .outOfBand: "no address: the user types a text that the page shows (RFC 5849 §2.1)"
            }
        return Finding(.note, "redirect_kind", "The kind of the redirect", words)
    }

    private static func loopbackHost(_ redirect: RedirectURI) -> Finding {
        guard redirect.uri.host?.asciiLowercased == "localhost" else {
            return Finding(.passed, "redirect_loopback_host", "The redirect names the loopback address itself")
        }
        return Finding(
            .warning, "redirect_loopback_host", "The redirect names localhost",
            "The name may lead to another interface, and servers take it for another address than 127.0.0.1 "
                + "(RFC 8252 §8.3).",
            fix: "register and use 127.0.0.1",
            comparison: Comparison(
                "redirect", Shown.text(redirect.uri.withoutQueryAndFragment), "better",
                Shown.text(redirect.uri.replacingHost(with: "127.0.0.1"))))
    }

    private static func loopback(_ redirect: RedirectURI, _ app: AppleApp?) -> [Finding] {
        guard let app else { return [] }
        switch app.platform {
        case .mobile:
            return [
                Finding(
                    .warning, "redirect_platform", "A loopback redirect does not fit a mobile app",
                    "The system may suspend the app while the browser is in front, and then nothing listens; some "
                        + "services refuse such redirects for mobile apps.",
                    fix: "use an https address of an associated domain, or a scheme of your own")
            ]
        case .mac:
            let fits = Finding(.passed, "redirect_platform", "A loopback redirect fits an app for macOS")
            guard app.isSandboxed else { return [fits] }
            guard app.isEntitled("com.apple.security.network.server") else {
                return [
                    fits,
                    Finding(
                        .failed, "sandbox_network_server", "The sandbox does not let the app listen",
                        "The answer would arrive at the app itself, and the sandbox forbids that.",
                        fix: "set com.apple.security.network.server to true in the entitlements"),
                ]
            }
            return [fits, Finding(.passed, "sandbox_network_server", "The sandbox lets the app listen")]
        case nil:
            return [
                Finding(
                    .note, "redirect_platform", "Which systems the app is for is not told",
                    "A loopback redirect fits macOS, and not mobile systems, which may suspend the app.")
            ]
        }
    }
}

extension URI {
    /// The address without query and fragment, and with another host.
    fileprivate func replacingHost(with host: String) -> String {
        "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")\(encodedPath)"
    }
}
