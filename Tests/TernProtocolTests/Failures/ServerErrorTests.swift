import TernCrypto
import TernJOSE
import TernProtocol
import Testing

@Suite("What a server says in an error")
struct ServerErrorTests {
    @Test("Control characters go, everything else stays")
    func cleaning() {
        let error = ServerError(code: "a\u{1B}[31mb\r\nc", detail: "é\u{0}\u{9B}x\t\u{1F600}", uri: "https://h/\u{7F}")
        #expect(error.code == "a[31mbc")
        #expect(error.detail == "éx\u{1F600}")
        #expect(error.uri == "https://h/")
    }

    @Test("Text is cut to its limit")
    func cutting() {
        let long = String(repeating: "ä", count: 1_000_000)
        let error = ServerError(code: long, detail: long, uri: long)
        for text in [error.code, error.detail ?? "", error.uri ?? ""] {
            #expect(text.unicodeScalars.count == ServerError.maximumLength)
        }
    }

    @Test("Secrets that the server repeats are taken out everywhere")
    func scrubbing() {
        let error = ServerError(
            code: "x rt-1", detail: "rt-1 and rt-1rt-1, not RT-1", uri: "https://h/rt-1", status: 400,
            members: ["error_description": "rt-1", "deep": ["list": ["rt-1"]]]
        ).scrubbed(of: ["rt-1", ""])
        #expect(error.code == "x <secret>")
        #expect(error.detail == "<secret> and <secret><secret>, not RT-1")
        #expect(error.uri == "https://h/<secret>")
        #expect(error.status == 400)
        #expect(!String(describing: error.members["deep"]).contains("rt-1"))
        #expect(error.scrubbed(of: []) == error)
    }

    @Test("A secret is taken out in its encoded form, and whole when it begins with another one")
    func scrubbingForms() {
        let error = ServerError(code: "x", detail: "code=4%2F0Ab%2Bd or 4/0Ab+d, and tokens tok-1 tok-12345")
        #expect(
            error.scrubbed(of: ["4/0Ab+d", "tok-1", "tok-12345"]).detail
                == "code=<secret> or <secret>, and tokens <secret> <secret>")
    }

    @Test("A secret at the place where a text is cut leaves nothing either", arguments: 0..<45)
    func scrubbingTheEnd(shift: Int) {
        let secret = "rt-LG-o-0123456789-abcdefghijklmnopqrstuvwxyz"
        let padding = String(repeating: ".", count: ServerError.maximumLength - shift)
        let detail = ServerError(code: "x", detail: padding + secret + secret).scrubbed(of: [secret]).detail ?? ""
        #expect(!detail.contains("rt-LG"))
        #expect(detail.hasPrefix(padding.prefix(ServerError.maximumLength - 50)))
    }

    @Test("LG-01: an error shows the server's words without what was sent")
    func errors() {
        let sent = "rt-LG-o"
        let error = TernError(.serverError(ServerError(code: "x", detail: "bad \(sent)")), at: .refresh).scrubbed(of: [
            sent
        ])
        var dumped = ""
        dump(error, to: &dumped)
        for text in ["\(error)", String(reflecting: error), dumped, error.explanation.whatHappened] {
            #expect(!text.contains(sent))
        }
        #expect(error.code == "x")
        #expect("\(error)".contains("while renewing the tokens"))
        #expect(error.serverError?.detail == "bad <secret>")
        let dead = TernError(.reauthenticationRequired(ServerError(code: "invalid_grant", detail: sent)), at: .refresh)
        #expect(dead.scrubbed(of: [sent]).serverError?.detail == "<secret>")
        #expect(dead.at(.storage).step == .storage)
    }
}

@Suite("Secrets inside other values")
struct SecretPrintingTests {
    private enum Purpose {}

    private struct Holder {
        let name = "ada"
        let secret: Secret<Purpose>
        let maybe: Secret<Purpose>?
        let list: [String: [Secret<Purpose>]]
    }

    @Test("LG-01: no text form, mirror or dump of what holds a secret shows it")
    func printing() {
        let secret = Secret<Purpose>("at-LG-o")
        let holder = Holder(secret: secret, maybe: secret, list: ["k": [secret]])
        var texts = ["\(holder)", String(reflecting: holder), "\([holder])", "\(Optional(holder) as Any)", "\(secret)"]
        texts += [
            String(describing: Optional(secret)), String(reflecting: secret), "\((secret, 1))", "\(["k": secret])",
        ]
        for value in [holder, secret, Optional(secret) as Any, [secret], ["k": secret]] as [Any] {
            var dumped = ""
            dump(value, to: &dumped)
            texts.append(dumped)
            texts += Mirror(reflecting: value).children.map { "\($0)" }
        }
        for text in texts { #expect(!text.contains("at-LG")) }
        #expect(Mirror(reflecting: secret).children.isEmpty)
        #expect("\(secret)" == "<secret>")
    }
}
