internal import Tern
internal import TernTesting

/// A whole round trip against an authorization server inside this process, over real connections.
struct RoundTripDemo: Sendable {
    let story: DemoStory
    let server: TestServer
    let clock: DemoClock
    let transport: any HTTPTransport
    let agent: any UserAgent
    let robot: RobotBrowser

    func run() async throws(TernError) {
        let store = MemoryStore()
        var environment = Environment(transport: transport, store: store, clock: clock)
        environment.events = TraceFile.events
        let client = try OAuthClient(
            issuer: server.issuer.text, clientID: TestClient.app.clientID, scope: ["openid", "profile", "email"],
            in: environment)
        let session = try await signIn(client)
        try await showUser(session)
        try await callAPI(session)
        try await letTokenExpire(session)
        // What fails on purpose does not belong into the trace of the round trip.
        environment.events = nil
        try await refuseStrangers(OAuthClient(client.configuration, in: environment))
        try await signOut(session, store)
    }

    private func signIn(_ client: OAuthClient) async throws(TernError) -> Session {
        story.chapter("Sign-in")
        let metadata = try await client.metadata()
        story.check(
            metadata.issuer == server.issuer.text,
            "The server says who it is, and is who was asked for: \(server.issuer)",
            protection: "a server that poses as another one")
        story.remark("PKCE, state and nonce are made anew; the page opens in the browser")
        let session = try await client.signIn(with: agent)
        let asked = server.requests(to: .authorization).first?.parameters ?? [:]
        story.check(
            asked["code_challenge_method"] == "S256" && asked["state"] != nil && asked["nonce"] != nil,
            "The browser brought the code home to a port of this machine, with the state that was sent",
            protection: "a foreign answer slipped in")
        let exchanged = server.requests(to: .token)
        story.check(
            exchanged.count == 1 && exchanged.first?.parameters["code_verifier"] != nil,
            "The code was exchanged together with the verifier, in one request",
            protection: "whoever steals the code on its way")
        story.check(
            server.count(of: .openIDConfiguration) == 1 && server.count(of: .keys) == 1,
            "Three requests in all: metadata, keys (while the user was at the page), tokens")
        return session
    }

    private func showUser(_ session: Session) async throws(TernError) {
        story.chapter("Who is it?")
        let credential = try await session.credential()
        guard let encoded = credential.idToken, let subject = credential.subject else {
            return story.check(false, "An ID token came")
        }
        story.check(
            credential.issuer == server.issuer.text,
            "The ID token's signature, issuer, audience, nonce, times and at_hash were checked",
            protection: "a forged, foreign, replayed or old token")
        if let jws = try? JWS(compact: encoded.exposedText), let claims = try? JWTClaims(parsing: jws.payload) {
            for (name, value) in claims.members where name != "nonce" {
                story.remark("\(name): \(value.string ?? value.text)")
            }
        }
        let info = try await session.userInfo()
        story.check(
            info.subject == subject, "The user info is about the same user: \(info.name ?? subject)",
            protection: "claims about somebody else")
    }

    private func callAPI(_ session: Session) async throws(TernError) {
        story.chapter("Call an API")
        let reply = try await session.send(try .get(server.apiAddress("notes")))
        story.check(reply.status == 200, "The API answered \(reply.status) to the access token")
        let bare = try await transport.send(try .get(server.apiAddress("notes")), step: .resourceRequest)
        story.check(bare.status == 401, "Without the token it answers \(bare.status)")
        var refused = false
        do throws(TernError) {
            _ = try await session.send(try .get("http://api.example.com/notes"))
        } catch {
            refused = error.code == "insecure_endpoint"
        }
        story.check(refused, "The token is not sent over plain http to another machine", protection: "eavesdroppers")
    }

    private func letTokenExpire(_ session: Session) async throws(TernError) {
        story.chapter("An hour later (the clock is moved)")
        let before = try await session.credential()
        let hitsBefore = server.count(of: .token)
        clock.moveAhead(by: .seconds(3_600))
        let statuses = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 {
                group.addTask { [server] in
                    guard let request = try? HTTPRequest.get(server.apiAddress("notes")) else { return nil }
                    return try? await session.send(request).status
                }
            }
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        let hits = server.count(of: .token) - hitsBefore
        story.check(
            statuses.allSatisfy { $0 == 200 } && hits == 1,
            "Twenty calls at once found the token expired: \(hits) refresh, twenty good answers",
            protection: "a rotated token used twice, which ends the sign-in")
        let after = try await session.credential()
        story.check(
            after.refreshToken != before.refreshToken, "The refresh token was rotated, and stored before it was used",
            protection: "a crash between the two")
    }

    private func refuseStrangers(_ client: OAuthClient) async throws(TernError) {
        story.chapter("What is refused")
        let redirect = try RedirectURI("com.example.app:/callback")
        var options = SignInOptions()
        options.keepsPending = false
        let signIn = try await client.begin(options, redirectURI: redirect)
        var code = ""
        do throws(TernError) {
            let callback = try URI.required(
                redirect.text + "?code=stolen&state=made-up", field: "callback", step: .authorizationResponse)
            try await client.finish(signIn, callback: callback)
        } catch {
            code = error.code
        }
        story.check(
            code == "state_mismatch", "A callback with another state was refused here: \(code)",
            protection: "a code of somebody else's session")

        let callback = try await robot.signIn(at: signIn.address, stoppingAt: redirect)
        guard let response = try AuthorizationResponse(callback: callback, expecting: signIn.expectation(.system))
        else {
            return story.check(false, "A second sign-in came back")
        }
        var theft = AuthorizationCodeGrant(
            endpoint: try await client.metadata().address(of: .token, for: .tokenRequest), code: response.code,
            redirectURI: redirect, codeVerifier: CodeVerifier())
        theft.additionalParameters = ["client_id": TestClient.app.clientID]
        var words = ""
        do throws(TernError) {
            let reply = try await transport.send(try theft.request(), step: .tokenRequest)
            _ = try theft.answer(from: reply)
        } catch {
            words = error.code
        }
        story.check(
            words == "invalid_grant", "A stolen code, without its verifier, was refused by the server: \(words)",
            protection: "another application that catches the callback")
    }

    private func signOut(_ session: Session, _ store: MemoryStore) async throws(TernError) {
        story.chapter("Sign-out")
        let token = try await session.accessToken()
        let report = try await session.signOut(.browserToo(agent))
        story.check(report.revocation == .done, "The tokens were revoked at the server")
        story.check(report.endSession == .done, "The session in the browser was ended")
        story.check(try await store.keys().isEmpty, "Nothing is left in the store")
        var request = try HTTPRequest.get(server.apiAddress("notes"))
        request.fields["Authorization"] = "Bearer " + token.exposedText
        let reply = try await transport.send(request, step: .resourceRequest)
        story.check(
            reply.status == 401, "The API refuses the old token: \(reply.status)", protection: "a token copied earlier")
    }
}
