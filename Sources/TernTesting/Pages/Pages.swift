internal import TernCrypto
internal import TernProtocol

/// The pages that a user sees. They load nothing, and only the one that posts an answer holds a script.
enum Pages {
    static func login(
        interaction: String, action: String, client: String, username: String, hasFailed: Bool, users: [TestUser]
    ) -> HTTPResponse {
        let alarm: HTML =
            hasFailed ? #"<p class="alarm" role="alert" id="alarm">The user name or the password is wrong.</p>"# : ""
        let described: HTML = hasFailed ? #" aria-invalid="true" aria-describedby="alarm""# : ""
        let focusName: HTML = username.isEmpty ? " autofocus" : ""
        let focusPassword: HTML = username.isEmpty ? "" : " autofocus"
        let people = HTML(
            joining: users.map { user -> HTML in
                "<li><code>\(user.username)</code> with the password <code>\(user.password.exposedText)</code></li>"
            })
        let hint: HTML =
            users.isEmpty ? "" : #"<p class="soft">Test users:</p><ul class="soft">\#(people)</ul>"#
        return page(
            "Log in", status: 200,
            """
            <h1>Log in</h1>
            <p class="soft">to go on to <strong>\(client)</strong></p>
            \(alarm)
            <form method="post" action="\(action)">
            <input type="hidden" name="interaction" value="\(interaction)">
            <label for="username">User name or email address</label>
            <input id="username" name="username" type="text" value="\(username)" autocomplete="username" \
            autocapitalize="none" spellcheck="false" required\(focusName)\(described)>
            <label for="password">Password</label>
            <input id="password" name="password" type="password" autocomplete="current-password" \
            required\(focusPassword)\(described)>
            <button class="main" name="decision" value="log-in">Log in</button>
            <button name="decision" value="deny" formnovalidate>Cancel</button>
            </form>
            \(hint)
            """)
    }

    /// - Parameter scopes: what is asked for; `nil` with OAuth 1.0a, where a client gets everything.
    static func consent(
        interaction: String, action: String, client: String, user: TestUser, scopes: [String]?
    ) -> HTTPResponse {
        let items = HTML(joining: (scopes ?? []).map { scope -> HTML in "<li>\(meaning(of: scope))</li>" })
        let list: HTML =
            scopes == nil
            ? "<p>\(client) will be able to do here what you can do.</p>"
            : scopes == []
                ? "<p>\(client) learns that you were here, and nothing else.</p>"
                : "<p>\(client) will be able to:</p><ul>\(items)</ul>"
        return page(
            "Allow access", status: 200,
            """
            <h1>Allow \(client) to sign you in?</h1>
            <p class="soft">You are logged in as <strong>\(user.username)</strong>.</p>
            \(list)
            <form method="post" action="\(action)">
            <input type="hidden" name="interaction" value="\(interaction)">
            <button class="main" name="decision" value="allow">Allow</button>
            <button name="decision" value="deny">Deny</button>
            </form>
            """)
    }

    static func accounts(_ users: [TestUser], interaction: String, action: String, client: String) -> HTTPResponse {
        let forms = HTML(
            joining: users.map { user -> HTML in
                accountForm(interaction, action, account: user.subject, label: user.username, isMain: true)
            })
        return page(
            "Choose an account", status: 200,
            """
            <h1>Choose an account</h1>
            <p class="soft">to go on to <strong>\(client)</strong></p>
            \(forms)
            \(accountForm(interaction, action, account: "", label: "Use another account", isMain: false))
            """)
    }

    private static func accountForm(
        _ interaction: String, _ action: String, account: String, label: String, isMain: Bool
    ) -> HTML {
        let style: HTML = isMain ? #" class="main""# : ""
        return """
            <form method="post" action="\(action)">
            <input type="hidden" name="interaction" value="\(interaction)">
            <input type="hidden" name="account" value="\(account)">
            <button\(style) name="decision" value="choose">\(label)</button>
            </form>
            """
    }

    static func confirmSignOut(_ id: String, action: String, user: TestUser?) -> HTTPResponse {
        page(
            "Sign out", status: 200,
            """
            <h1>Sign out?</h1>
            <p class="soft">You are logged in here as <strong>\(user?.username ?? "nobody")</strong>.</p>
            <form method="post" action="\(action)">
            <input type="hidden" name="sign_out" value="\(id)">
            <button class="main" name="decision" value="sign-out">Sign out</button>
            <button name="decision" value="stay">Stay signed in</button>
            </form>
            """)
    }

    static func signedOut() -> HTTPResponse {
        page("Signed out", status: 200, "<h1>You are signed out.</h1><p>You can close this page.</p>")
    }

    /// The PIN that the user types into the application.
    static func pin(_ pin: String) -> HTTPResponse {
        page(
            "Your PIN", status: 200,
            "<h1>Your PIN</h1>\n<p>Type it into the application:</p>\n<p><output>\(pin)</output></p>")
    }

    static func stillSignedIn() -> HTTPResponse {
        page("Signed in", status: 200, "<h1>You are still signed in.</h1><p>You can close this page.</p>")
    }

    /// For what must not go back to the client.
    static func problem(_ text: String, status: Int = 400) -> HTTPResponse {
        page(
            "Sign-in failed", status: status,
            """
            <h1>This sign-in cannot go on</h1>
            <p class="alarm" role="alert">\(text)</p>
            <p class="soft">Nothing was sent to the application. You can close this page.</p>
            """)
    }

    /// The answer as a form (OAuth 2.0 Form Post Response Mode); without a script it needs a click.
    static func answerForm(to address: String, _ parameters: FormParameters) -> HTTPResponse {
        let fields = HTML(
            joining: parameters.parameters.map { parameter -> HTML in
                #"<input type="hidden" name="\#(parameter.name)" value="\#(parameter.value)">"#
            })
        return page(
            "Back to the application", status: 200, script: "document.forms[0].submit();",
            """
            <h1>Back to the application</h1>
            <form method="post" action="\(address)">
            \(fields)
            <button class="main" autofocus>Continue</button>
            </form>
            """)
    }

    private static func meaning(of scope: String) -> String {
        switch scope {
        case "openid": "know who you are at this server"
        case "profile": "see your name and profile"
        case "email": "see your email address"
        case "address": "see your postal address"
        case "phone": "see your phone number"
        case "offline_access": "stay signed in while you are away"
        default: "use the scope \u{201C}\(scope)\u{201D}"
        }
    }

    private static let styleDigest = Base64.encode(HashFunction.sha256.digest(Array(Stylesheet.text.utf8)))

    /// `form-action` is left out on purpose: browsers apply it to the redirect that follows a form as well, which here
    /// leads to the client.
    private static let policy =
        "default-src 'none'; style-src 'sha256-\(styleDigest)'; base-uri 'none'; frame-ancestors 'none'"

    static func page(_ title: String, status: Int, script: String? = nil, _ content: HTML) -> HTTPResponse {
        let style = HTML(stringLiteral: Stylesheet.text)
        let policy =
            policy
            + (script.map { "; script-src 'sha256-\(Base64.encode(HashFunction.sha256.digest(Array($0.utf8))))'" } ?? "")
        let script = HTML(stringLiteral: script.map { "<script>\($0)</script>\n" } ?? "")
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title) \u{00B7} test server</title>
            <style>\(style)</style>
            </head>
            <body>
            <main>
            \(content)
            </main>
            <footer>A server for tests. No real account is used here.</footer>
            \(script)</body>
            </html>

            """
        let fields: HTTPFields = [
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
            "Content-Security-Policy": policy, "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
        ]
        return HTTPResponse(status: status, fields: fields, body: Array(page.text.utf8))
    }
}
