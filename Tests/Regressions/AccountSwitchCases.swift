import Tern
import TernProtocol
import TernTesting
import Testing

@Suite("Switching accounts")
struct AccountSwitchCases {
    private let bob = TestUser("bob", password: "builder")

    private func world() throws -> World {
        let bob = bob
        return try World { $0.users.append(bob) }
    }

    @Test("The same user goes on in the same session, with new tokens")
    func sameUser() async throws {
        let world = try world()
        let session = try await world.client.signIn(with: world.robot)
        let before = try await session.credential()
        guard case .sameUser = try await session.switchAccount(with: world.robot) else {
            Issue.record("another user")
            return
        }
        let after = try await session.credential()
        #expect(after.accessToken != before.accessToken && after.subject == before.subject)
        #expect(try await world.stored()?.accessToken == after.accessToken)
        #expect(try await world.store.keys() == [session.account])
        #expect(world.server.requests(to: .authorization).last?.parameters["prompt"] == "login")
    }

    @Test(
        "Another user gets an account of its own, and the one before stays or goes as it was said",
        arguments: [false, true])
    func otherUser(signingOut: Bool) async throws {
        let world = try world()
        let session = try await world.client.signIn(with: world.robot)
        let robot = RobotUserAgent(transport: world.transport, user: bob)
        guard
            case .otherUser(let other, let report) = try await world.client.switchAccount(
                signingOut: false, with: robot)
        else {
            Issue.record("the same user")
            return
        }
        #expect(report == nil)
        #expect(try await other.credential().subject == bob.subject)
        #expect(other.account != session.account)
        #expect(try await session.credential().subject == TestUser.ada.subject)
        #expect(try await world.store.keys() == [session.account, other.account].sorted())
        guard signingOut else { return }
        let ada = world.robot
        guard case .otherUser(let third, let ended) = try await other.switchAccount(signingOut: true, with: ada) else {
            Issue.record("the same user")
            return
        }
        #expect(ended?.revocation == .done)
        #expect(try await world.store.keys() == [session.account, third.account].sorted())
    }

    @Test("A page that the user closes changes nothing")
    func cancelled() async throws {
        let world = try world()
        let session = try await world.client.signIn(with: world.robot)
        let before = try await session.credential()
        let agent = HandAgent()
        let switching = Task { try await session.switchAccount(asking: .selectAccount, with: agent) }
        let page = try await agent.page()
        #expect(page.encodedQuery?.contains("prompt=select_account") == true)
        agent.close()
        await #expect(throws: TernError.self) { try await switching.value }
        #expect(try await session.credential() == before)
        #expect(try await world.stored() == before)
        #expect(try await world.store.keys() == [session.account])
    }

    @Test("An account in use is refused before a page is shown")
    func takenName() async throws {
        let world = try world()
        let session = try await world.client.signIn(with: world.robot)
        var options = SignInOptions()
        options.account = session.account
        let pages = world.server.count(of: .authorization)
        let taken = options
        let refusal = try await asyncReason { try await session.switchAccount(taken, with: world.robot) }
        #expect(refusal?.code == "invalid_configuration")
        #expect(world.server.count(of: .authorization) == pages)
    }
}
