internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// What tells an application's page whether its user is still logged in here (OpenID Connect Session Management 1.0): a
/// `session_state` with each answer, and a page for a frame, whose script compares it with a cookie.
extension AuthorizationServer {
    /// The `session_state` of an answer; `nil` where no page of the client's can ask about it: the client is no website.
    func sessionState(for input: AuthorizationInput, in browser: String) -> SessionState? {
        guard settings.managesSessions, input.scopes.contains("openid"),
            let origin = URI(input.target.redirectURI)?.origin
        else { return nil }
        return SessionState(
            clientID: input.clientID, origin: origin, browserState: browserState(of: browser),
            salt: Base64URL.encode(random.bytes(12)))
    }

    /// Changes whenever somebody logs in or out or another account is chosen, and tells nothing of the session's cookie.
    /// It is empty where nobody is logged in.
    private func browserState(of browser: String?) -> String {
        guard let browser, let account = state.sessions[browser]?.current else { return "" }
        return Base64URL.encode(HashFunction.sha256.digest(Array("\(browser) \(account.sessionID)".utf8)))
    }

    /// Brings the cookie that the script reads up to date.
    func tellBrowserState(in response: inout HTTPResponse, to request: HTTPRequest, at endpoint: Endpoint) {
        guard settings.managesSessions, [.authorization, .interaction, .endSession].contains(endpoint) else { return }
        let prefix = cookieName + "="
        let renewed = response.fields.values(of: "Set-Cookie").last { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count).prefix { $0 != ";" }) }
        let now = browserState(of: renewed ?? request.cookie(cookieName))
        guard now != request.cookie(browserStateCookieName) ?? "" else { return }
        // The frame is loaded from other sites, which takes a cookie for all sites, and such a one must be secure.
        response.fields.append(
            "Set-Cookie",
            "\(browserStateCookieName)=\(now); Path=\(pathPrefix.isEmpty ? "/" : pathPrefix)"
                + (now.isEmpty ? "; Max-Age=0" : "")
                + (issuer.isSecure ? "; SameSite=None; Secure" : "; SameSite=Lax"))
    }

    private var browserStateCookieName: String { "tern_browser_state" + (issuer.port.map { "_\($0)" } ?? "") }

    /// The page at `check_session_iframe` (§3.2).
    func sessionCheckPage() -> HTTPResponse {
        guard settings.managesSessions else { return HTTPResponse(status: 404) }
        let script = Self.sessionCheckScript(cookieName: browserStateCookieName)
        let digest = Base64.encode(HashFunction.sha256.digest(Array(script.utf8)))
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><title>Session check \u{00B7} test server</title></head>
            <body><script>\(HTML(stringLiteral: script))</script></body>
            </html>

            """
        let fields: HTTPFields = [
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Content-Security-Policy":
                "default-src 'none'; script-src 'sha256-\(digest)'; base-uri 'none'; frame-ancestors \(clientOrigins)",
        ]
        return HTTPResponse(status: 200, fields: fields, body: Array(page.text.utf8))
    }

    /// The websites of the clients, as a policy names them. On loopback any port is right; an address of IPv6 cannot be
    /// named.
    private var clientOrigins: String {
        let origins = clients.flatMap(\.redirectURIs).compactMap { URI($0) }.compactMap { uri -> String? in
            guard let origin = uri.origin, !origin.host.hasPrefix("[") else { return nil }
            return uri.isLoopback ? "\(origin.scheme)://\(origin.host):*" : origin.description
        }
        return origins.isEmpty ? "'none'" : Set(origins).sorted().joined(separator: " ")
    }

    /// Answers a page that posts `client_id session_state` with `unchanged`, `changed` or `error`.
    private static func sessionCheckScript(cookieName: String) -> String {
        """
        "use strict";
        addEventListener("message", async (event) => {
          if (event.origin === "null") return;
          const text = String(event.data);
          const blank = text.lastIndexOf(" ");
          const dot = text.lastIndexOf(".");
          let answer = "error";
          if (blank > 0 && dot > blank + 1) {
            const name = "\(cookieName)=";
            const cookie = document.cookie.split("; ").find((pair) => pair.startsWith(name)) ?? name;
            const salt = text.slice(dot + 1);
            const parts = [text.slice(0, blank), event.origin, cookie.slice(name.length), salt];
            const input = new TextEncoder().encode(parts.join(" "));
            const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", input));
            const digits = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
            answer = text.slice(blank + 1) === digits + "." + salt ? "unchanged" : "changed";
          }
          event.source?.postMessage(answer, event.origin);
        });
        """
    }

    /// What the metadata says of it.
    var metadataOfSessions: JSONObject {
        settings.managesSessions ? ["check_session_iframe": .string(address(of: .checkSession))] : [:]
    }
}
