import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("The user's pages") struct InteractionTests {
    @Test func aLoggedInUserIsNotAskedAgain() async throws {
        let rig = Rig()
        _ = try await rig.answer()
        let pagesBefore = rig.served.count(of: .interaction)
        #expect(try await rig.answer()["code"] != nil)
        #expect(rig.served.count(of: .interaction) == pagesBefore)
        #expect(try await rig.answer(["prompt": "none"])["code"] != nil)
    }

    @Test func consentIsAskedForNewScopesAndOnDemand() async throws {
        let rig = Rig()
        _ = try await rig.answer(["scope": "openid"])
        #expect(try await rig.answer(["scope": "openid email", "prompt": "none"])["error"] == "consent_required")
        let before = rig.served.count(of: .interaction)
        _ = try await rig.answer(["scope": "openid email"])
        #expect(rig.served.count(of: .interaction) > before)
        let between = rig.served.count(of: .interaction)
        _ = try await rig.answer(["scope": "openid", "prompt": "consent"])
        #expect(rig.served.count(of: .interaction) > between)
    }

    @Test func denialIsAccessDenied() async throws {
        let answer = try await Rig(consent: .deny).answer()
        #expect(answer["error"] == "access_denied")
        #expect(answer["state"] == "st-1")
    }

    @Test func theLoginCanBeCancelled() async throws {
        let answer = try await Rig(user: nil, consent: .deny).answer()
        #expect(answer["error"] == "access_denied")
    }

    @Test func aWrongPasswordShowsThePageAgain() async throws {
        let rig = Rig(user: TestUser("ada", password: "byron"))
        let error = await #expect(throws: TernError.self) { try await rig.answer() }
        #expect(error?.code == "browser_unavailable")
        let page = try #require(await rig.browser.open(rig.authorization()).page)
        var form = try #require(page.forms.first)
        form.fill("username", "<ada>")
        form.fill("password", "wrong")
        let again = try #require(await rig.browser.submit(form, on: page).page)
        #expect(again.response.text.contains("role=\"alert\""))
        #expect(again.response.text.contains("value=\"&lt;ada&gt;\""))
        #expect(!again.response.text.contains("<ada>"))
        #expect(again.forms.first?.field(ofType: "text")?.value == "<ada>")
    }

    @Test func theEmailAddressWorksAsName() async throws {
        let rig = Rig(user: TestUser("ada@example.com", password: "lovelace"))
        #expect(try await rig.answer()["code"] != nil)
    }

    @Test func maxAgeAndPromptLoginAskForThePasswordAgain() async throws {
        let rig = Rig()
        let start = rig.clock.now
        _ = try await rig.tokens()
        rig.clock.advance(by: .seconds(100))
        let kept = try await rig.claims(of: rig.tokens(["max_age": "100"]).id)
        #expect(kept["auth_time"] == .number(JSONNumber(start.secondsSince1970) ?? JSONNumber(0)))
        rig.clock.advance(by: .seconds(1))
        #expect(try await rig.answer(["max_age": "100", "prompt": "none"])["error"] == "login_required")
        let renewed = try await rig.claims(of: rig.tokens(["max_age": "100"]).id)
        #expect(renewed["auth_time"]?.double == start.secondsSince1970 + 101)
        rig.clock.advance(by: .seconds(5))
        let forced = try await rig.claims(of: rig.tokens(["prompt": "login"]).id)
        #expect(forced["auth_time"]?.double == start.secondsSince1970 + 106)
    }

    @Test func accountsCanBeChosen() async throws {
        let grace = TestUser("grace", password: "hopper")
        let rig = Rig(Rig.server { $0.users.append(grace) })
        #expect(try await rig.claims(of: rig.tokens().id)["sub"] == "user-ada")
        await rig.browser.become(grace)
        #expect(try await rig.claims(of: rig.tokens().id)["sub"] == "user-ada")
        #expect(try await rig.claims(of: rig.tokens(["prompt": "select_account"]).id)["sub"] == "user-grace")
        await rig.browser.become(.ada)
        let before = rig.served.requests(to: .interaction).filter { $0.parameters["password"] != nil }.count
        #expect(try await rig.claims(of: rig.tokens(["prompt": "select_account"]).id)["sub"] == "user-ada")
        let after = rig.served.requests(to: .interaction).filter { $0.parameters["password"] != nil }.count
        #expect(after == before)
    }

    @Test func loginHintFillsTheName() async throws {
        let rig = Rig()
        let page = try #require(await rig.browser.open(rig.authorization(["login_hint": "ada"])).page)
        #expect(page.forms.first?.field(ofType: "text")?.value == "ada")
    }

    @Test func anotherBrowserCannotUseThePage() async throws {
        let rig = Rig()
        let page = try #require(await rig.browser.open(rig.authorization()).page)
        var form = try #require(page.forms.first)
        form.fill("username", "ada")
        form.fill("password", "lovelace")
        let stranger = RobotBrowser(transport: rig.transport)
        let refused = try #require(await stranger.submit(form, on: page).page)
        #expect(refused.response.status == 403)
    }

    @Test func theLoginChangesTheCookie() async throws {
        let rig = Rig()
        _ = try await rig.answer()
        let cookies = rig.served.requests(to: .interaction).map { $0.request.fields["Cookie"] }
        #expect(Set(cookies).count == 2)
        #expect(!cookies.contains(nil))
    }

    @Test func thePagesLoadNothingAndRunNothing() async throws {
        let rig = Rig(Rig.server { $0.settings.showsUsersOnLoginPage = true })
        let login = try await rig.send(.get, rig.authorization())
        let policy = try #require(login.fields["Content-Security-Policy"])
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(!login.text.contains("<script"))
        #expect(login.text.contains("<html lang=\"en\">"))
        #expect(login.text.contains("<label for=\"username\">"))
        #expect(login.text.contains("lovelace"))
        #expect(login.fields["Cache-Control"] == "no-store")
        #expect(login.fields["Set-Cookie"]?.contains("; HttpOnly; SameSite=Lax; Secure") == true)
    }
}
