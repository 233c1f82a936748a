internal import Tern
internal import TernTesting

/// `tern demo`: a whole sign-in, without any account anywhere.
struct DemoCommand: Command {
    static let specification = CommandSpecification(
        "demo", "show a complete sign-in, from the first request to the sign-out",
        discussion: """
            Starts an authorization server of its own on this machine and makes the whole round trip with it. A robot
            plays the user unless --browser is given. The status is 0 only when every step held.
            """,
        options: [OptionSpecification("--browser", "log in by yourself in the system's browser")],
        examples: [("tern demo --browser", "see the pages yourself")])

    private let usesBrowser: Bool

    init(_ arguments: Arguments) { usesBrowser = arguments.has("--browser") }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let story = DemoStory(context.console)
        let clock = DemoClock()
        var authorizationServer = AuthorizationServer()
        authorizationServer.settings.showsUsersOnLoginPage = usesBrowser
        let server = try TestServer.start(authorizationServer, clock: clock)
        let transport = SystemTransport()
        let robot = RobotBrowser(transport: transport)
        let opener: any BrowserOpener = usesBrowser ? SystemBrowser() : RobotOpener(robot)
        let demo = RoundTripDemo(
            story: story, server: server, clock: clock, transport: transport,
            agent: LoopbackUserAgent(application: "tern demo", browser: opener), robot: robot)
        do throws(TernError) {
            try await demo.run()
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        return story.end() ? .success : .refused
    }
}
