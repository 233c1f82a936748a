internal import Tern
internal import TernTesting

/// `tern serve`: the authorization server of the test library, for hand tests.
struct ServeCommand: Command {
    static let specification = CommandSpecification(
        "serve", "run an authorization server for tests on this machine until Ctrl-C",
        discussion: """
            It has one user and one public client, and lets clients register (`tern register`), with secrets or keys. It offers
            the code flow with PKCE, also in its hybrid forms and with every response mode, codes for devices (`tern login
            --device`), tokens of a client's own (`tern token --client-credentials`), token exchange, users asked on their
            devices, introspection, revocation, sign-out, tokens bound to keys, and the three legs of OAuth 1.0a. Only this
            machine reaches it, and nothing outlives it.
            """,
        options: [OptionSpecification("--port", value: "PORT", "the port; any free one by default")],
        examples: [
            (
                "tern serve --port 9080",
                "then, elsewhere: tern login --issuer http://127.0.0.1:9080 --client-id \(TestClient.app.clientID)"
            ),
            (
                "tern register --issuer http://127.0.0.1:9080 --name \"My client\"",
                "register a client at it; then: tern login --issuer http://127.0.0.1:9080"
            ),
        ])

    private let port: Int

    init(_ arguments: Arguments) throws(UsageError) {
        port = try arguments.number("--port", in: 0...65_535) ?? 0
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let clock = SystemWallClock()
        var authorizationServer = AuthorizationServer(clients: [.app, .oauth1App])
        authorizationServer.settings.responseTypes = Set(ResponseType.all.filter(\.hasCode))
        authorizationServer.settings.showsUsersOnLoginPage = true
        authorizationServer.settings.registration = .open
        let server = try TestServer.start(authorizationServer, port: port, clock: clock)
        let user = TestUser.ada
        if context.console.isJSON {
            context.console.print([
                "issuer": .string(server.issuer.text), "client_id": .string(TestClient.app.clientID),
                "username": .string(user.username), "registration": "open",
            ])
        } else {
            context.console.print("issuer:    \(server.issuer)")
            context.console.print("client ID: \(TestClient.app.clientID) (public; any loopback port, or a scheme)")
            context.console.print(
                "OAuth 1.0a: /oauth1/request_token, /authorize and /access_token below; key \(TestClient.oauth1App.clientID), "
                    + "secret test-secret")
            context.console.print("clients:   anybody on this machine may register more (tern register)")
            context.console.print("user:      \(user.username), whose password the login page shows")
            context.console.note("Ctrl-C ends the server.")
        }
        while !Task.isCancelled { try? await clock.sleep(for: .seconds(3_600)) }
        await server.stop()
        return .success
    }
}
