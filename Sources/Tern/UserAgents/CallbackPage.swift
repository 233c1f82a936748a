public import TernProtocol

/// The page that the user sees in the browser when the callback has arrived. The texts can be replaced; they are plain
/// text and are escaped.
public struct CallbackPage: Sendable, Hashable {
    /// The language of the texts, as in the `lang` attribute of HTML (BCP 47).
    public var language = "en"
    /// The heading and title after a good answer.
    public var successTitle: String
    /// What the user may do then.
    public var successText = "You can close this window."
    /// The heading and title after a logout.
    public var signedOutTitle: String
    /// The heading and title after a bad answer.
    public var failureTitle = "This did not work"
    /// What the user may do then; the reason stands below.
    public var failureText = "You can close this window and go back to the application."
    /// The reason where the answer is in the fragment of the address, which only a script can hand over, and scripts are
    /// turned off.
    public var scriptText = "Allow scripts for this page and load it again: they bring the answer to the application."
    /// The reason where the address holds no answer at all.
    public var emptyText = "The address holds no answer."

    /// Makes a page.
    ///
    /// - Parameter application: the name of the application, as the user knows it.
    public init(application: String? = nil) {
        successTitle = "You are signed in" + (application.map { " to \($0)" } ?? "")
        signedOutTitle = "You are signed out" + (application.map { " of \($0)" } ?? "")
        if let application { failureText = "You can close this window and go back to \(application)." }
    }

    /// The answer after a good callback, with status 200.
    public var success: HTTPResponse {
        response(status: 200, mark: "✓", title: successTitle, text: successText, reason: nil, isGood: true)
    }

    /// The answer after a logout, with status 200.
    public var signedOut: HTTPResponse {
        response(status: 200, mark: "✓", title: signedOutTitle, text: successText, reason: nil, isGood: true)
    }

    /// The answer after a bad callback, with status 400.
    ///
    /// - Parameter reason: what went wrong, in words; cut to 400 characters and cleaned of control characters.
    public func failure(_ reason: String?) -> HTTPResponse {
        response(status: 400, mark: "✕", title: failureTitle, text: failureText, reason: reason, isGood: false)
    }

    /// A short answer to what is no callback.
    static func plain(status: Int, _ text: String, fields: HTTPFields = [:]) -> HTTPResponse {
        var all = protection
        all.append("Content-Type", "text/plain; charset=utf-8")
        for field in fields.fields { all.append(field.name, field.value) }
        return HTTPResponse(status: status, fields: all, body: Array((text + "\n").utf8))
    }

    /// Nothing is kept, nothing is loaded, nothing is told to others: the address of the page holds the code.
    static let protection: HTTPFields = [
        "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Content-Security-Policy":
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ]

    private static let longestReason = 400

    private func response(
        status: Int, mark: String, title: String, text: String, reason: String?, isGood: Bool
    ) -> HTTPResponse {
        let reason = reason.map(Self.cleaned).flatMap { $0.isEmpty ? nil : $0 }
        let detail = reason.map { "\n<p class=\"reason\">\(Self.escaped($0))</p>" } ?? ""
        let html = """
            <!DOCTYPE html>
            <html lang="\(Self.escaped(language))">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(Self.escaped(title))</title>
            <link rel="icon" href="data:,">
            <style>
            :root { --ink: #1c2430; --paper: #f4f6f9; --card: #fff; --soft: #57606e; --line: #d9dee6;
              --accent: \(isGood ? "#1b6e3c" : "#b3261e"); }
            @media (prefers-color-scheme: dark) {
              :root { --ink: #e9edf3; --paper: #12161c; --card: #1b2129; --soft: #a9b3c1; --line: #323b47;
                --accent: \(isGood ? "#6fd39a" : "#ff8a80"); }
            }
            body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--paper);
              color: var(--ink); font: 1.0625rem/1.5 system-ui, sans-serif; }
            main { box-sizing: border-box; width: min(30rem, calc(100% - 2rem)); margin: 1rem; padding: 2.5rem 2rem;
              border: 1px solid var(--line); border-radius: 1rem; background: var(--card); text-align: center; }
            .mark { font-size: 2.5rem; line-height: 1; color: var(--accent); }
            h1 { margin: 1rem 0 .5rem; font-size: 1.4rem; line-height: 1.25; overflow-wrap: anywhere; }
            p { margin: 0; color: var(--soft); overflow-wrap: anywhere; }
            .reason { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); color: var(--ink); }
            </style>
            </head>
            <body>
            <main role="\(isGood ? "status" : "alert")">
            <div class="mark" aria-hidden="true">\(mark)</div>
            <h1>\(Self.escaped(title))</h1>
            <p>\(Self.escaped(text))</p>\(detail)
            </main>
            </body>
            </html>

            """
        var fields = Self.protection
        fields.append("Content-Type", "text/html; charset=utf-8")
        return HTTPResponse(status: status, fields: fields, body: Array(html.utf8))
    }

    private static func cleaned(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(longestReason).filter { scalar in
                    scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
                }))
    }

    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
