internal import TernCrypto
internal import TernProtocol

extension CallbackPage {
    /// The names of the fields in which ``handOver(to:key:)`` posts the fragment, and what proves that it is its form.
    static let (fragmentField, keyField) = ("fragment", "key")

    /// Browsers do not send the fragment of an address, so this page posts it to the listener. It takes the fragment out of
    /// the address first, so that it does not stay in the history.
    ///
    /// - Parameters:
    ///   - path: where it is posted: the page's own path, so that it stays in the address bar.
    ///   - key: what nobody guesses, so that no other page posts such a form.
    func handOver(to path: String, key: String) -> HTTPResponse {
        let html = """
            <!DOCTYPE html>
            <html lang="\(Self.escaped(language))">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\u{2026}</title>
            <link rel="icon" href="data:,">
            <style>body { font: 1.0625rem/1.5 system-ui, sans-serif; margin: 3rem 2rem; text-align: center; }</style>
            </head>
            <body>
            <noscript><h1>\(Self.escaped(failureTitle))</h1><p>\(Self.escaped(scriptText))</p></noscript>
            <p id="empty" hidden>\(Self.escaped(emptyText))</p>
            <form method="post" action="\(Self.escaped(path))">
            <input type="hidden" name="\(Self.keyField)" value="\(Self.escaped(key))">
            <input type="hidden" name="\(Self.fragmentField)">
            </form>
            <script>\(Self.script)</script>
            </body>
            </html>

            """
        var fields = Self.protection
        fields["Content-Security-Policy"] =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-\(Self.scriptDigest)'; "
            + "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        fields.append("Content-Type", "text/html; charset=utf-8")
        return HTTPResponse(status: 200, fields: fields, body: Array(html.utf8))
    }

    private static let script = """
        (function () {
          var fragment = location.hash.slice(1);
          if (!fragment) { document.getElementById("empty").hidden = false; return; }
          history.replaceState(null, "", location.pathname);
          document.forms[0].elements["\(fragmentField)"].value = fragment;
          document.forms[0].submit();
        })();
        """

    private static let scriptDigest = Base64.encode(HashFunction.sha256.digest(Array(script.utf8)))
}
