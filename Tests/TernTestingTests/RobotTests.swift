import Tern
import TernProtocol
import TernTesting
import Testing

@Suite("Reading forms") struct WebFormTests {
    func forms(_ html: String) -> [WebForm] { WebForm.forms(in: Array(html.utf8)) }

    @Test func fieldsButtonsAndEntities() throws {
        let form = try #require(
            forms(
                """
                <!doctype html><!-- <form action=no> --><script>"<form action='no'>"</script>
                <FORM Action='/go?a=1&amp;b=2' METHOD=post novalidate>
                <input type=hidden name=t value="&quot;x&#39; &#x26;&lt;"><input name=user disabled><INPUT NAME=u>
                <input type=checkbox name=c1><input type=checkbox name=c2 checked>
                <select name=s><option value=1>One<option value=2 selected>Two</select>
                <select name=d><option> first one </option><option>second</option></select>
                <textarea name=area>a &lt;b</textarea>
                <button type=button name=x>No</button>
                <button name="go" value="yes"><b>Go</b> on</button>
                <input type=submit value="Send">
                </form>
                """
            ).first)
        #expect(form.action == "/go?a=1&b=2")
        #expect(form.isPost)
        #expect(form.buttons.map(\.label) == ["Go on", "Send"])
        let sent = form.parameters(pressing: form.buttons.first).parameters.map { "\($0.name)=\($0.value)" }
        #expect(sent == ["t=\"x' &<", "u=", "c2=on", "s=2", "d=first one", "area=a <b", "go=yes"])
    }

    @Test(arguments: [
        "", "<", "<form", "<form action=\"x", "<form><input", "</", "<!--", "<a b=", "<script>", "&#xFFFFFFFF; &;",
        "<form><select><option", "<form><textarea name=x>", "< form>", "<form a='", "\u{0}<\u{0}>",
    ])
    func brokenPagesAreReadToTheEnd(html: String) {
        #expect(forms(html).count <= 1)
    }

    @Test func severalForms() {
        #expect(forms("<form action=1><form action=2></form><form action=3>").map(\.action) == ["1", "2", "3"])
    }
}

@Suite("The robot browser") struct RobotBrowserTests {
    static let site = URI("https://site.example/start")

    /// A browser before a site that answers by path.
    func browser(_ answers: [String: HTTPResponse]) throws -> RobotBrowser {
        let origin = try #require(Self.site?.origin)
        let transport = TestTransport(clock: FakeClock()).answering(origin) { request, _ in
            let key =
                request.method == .get
                ? request.url.encodedPath : "\(request.method.rawValue) \(request.url.encodedPath)"
            var response = answers[key] ?? HTTPResponse(status: 404)
            response.fields.append("X-Cookie", request.fields["Cookie"] ?? "none")
            return Delivery(.answer(response))
        }
        return RobotBrowser(transport: transport)
    }

    func page(_ arrival: RobotBrowser.Arrival) throws -> RobotBrowser.Page {
        try #require(arrival.page)
    }

    @Test func fragmentsSurviveRedirects() async throws {
        let browser = try browser([
            "/start": HTTPResponse(status: 302, fields: ["Location": "a/../b?x=1"]),
            "/b": HTTPResponse(status: 303, fields: ["Location": "//site.example/c"]),
            "/c": HTTPResponse(status: 200),
        ])
        let start = try #require(URI("https://site.example/start#part"))
        #expect(try await page(browser.open(start)).url.text == "https://site.example/c#part")
    }

    @Test func ownFragmentsWin() async throws {
        let browser = try browser([
            "/start": HTTPResponse(status: 302, fields: ["Location": "/b#new"]), "/b": HTTPResponse(status: 200),
        ])
        let start = try #require(URI("https://site.example/start#old"))
        #expect(try await page(browser.open(start)).url.encodedFragment == "new")
    }

    @Test func redirectsAreBounded() async throws {
        let browser = try browser(["/start": HTTPResponse(status: 302, fields: ["Location": "/start"])])
        let start = try #require(Self.site)
        let error = await #expect(throws: TernError.self) { try await browser.open(start) }
        #expect(error?.code == "browser_unavailable")
    }

    @Test(arguments: [(302, 404), (303, 404), (307, 201), (308, 201)])
    func methodsAfterRedirects(status: Int, outcome: Int) async throws {
        let browser = try browser([
            "/start": HTTPResponse(
                status: 200, body: Array("<form method=post action=/go><button>Go</button></form>".utf8)),
            "POST /go": HTTPResponse(status: status, fields: ["Location": "/end"]),
            "POST /end": HTTPResponse(status: 201),
        ])
        let first = try await page(browser.open(#require(Self.site)))
        let form = try #require(first.forms.first)
        #expect(try await page(browser.submit(form, on: first)).response.status == outcome)
    }

    @Test func cookiesKeepToPathAndHost() async throws {
        var set = HTTPResponse(status: 200)
        set.fields.append("Set-Cookie", "a=1; Path=/; HttpOnly")
        set.fields.append("Set-Cookie", "b=2; path=/deep; Secure")
        var gone = HTTPResponse(status: 200)
        gone.fields.append("Set-Cookie", "a=; Max-Age=0; Path=/")
        let browser = try browser(["/start": set, "/deep/x": HTTPResponse(status: 200), "/out": gone])
        func cookie(_ path: String) async throws -> String? {
            try await page(browser.open(#require(URI("https://site.example\(path)")))).response.fields["X-Cookie"]
        }
        #expect(try await cookie("/start") == "none")
        #expect(try await cookie("/start") == "a=1")
        #expect(try await cookie("/deep/x") == "b=2; a=1")
        #expect(try await cookie("/deeper") == "a=1")
        #expect(try await cookie("/out") == "a=1")
        #expect(try await cookie("/other") == "none")
    }

    @Test func aPageWithoutWayOnIsNamed() async throws {
        let browser = try browser(["/start": HTTPResponse(status: 200, body: Array("<title>Maintenance</title>".utf8))])
        let start = try #require(Self.site)
        let error = await #expect(throws: TernError.self) {
            try await browser.signIn(at: start, stoppingAt: RedirectURI(Rig.redirect))
        }
        #expect(error?.description.contains("Maintenance") == true)
    }

    @Test func theUserAgentHandsTheCallbackOver() async throws {
        let rig = Rig()
        let agent = RobotUserAgent(transport: rig.transport)
        let visit = try await agent.prepare(for: RedirectURI(Rig.redirect))
        #expect(visit.delivery == .system)
        let callback = try await visit.open(rig.authorization()) { _ in .success }
        #expect(callback.text.hasPrefix(Rig.redirect + "?code="))
        await visit.dismiss()
        let refused = await #expect(throws: TernError.self) {
            try await visit.open(rig.authorization()) { _ in .refused("state") }
        }
        #expect(refused?.reason == .flowExpired(refused: ["state"]))
        let loopback = try await agent.prepare(for: RedirectURI("http://127.0.0.1:0/callback"))
        #expect(loopback.redirectURI.text == "http://127.0.0.1:49152/callback")
    }
}
