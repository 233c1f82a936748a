import Tern

/// The first example of README.md, with no other import than its own.
enum ReadmeTenLines {
    /// It would open a browser, so it is compiled and not run.
    static func tenLines() async throws {
        let client = try OAuthClient(
            issuer: "https://id.example.com", clientID: "my-app", scope: ["openid", "email", "offline_access"],
            in: .standard(application: "my-app"))

        let session = try await client.signIn(with: LoopbackUserAgent(application: "My App"))
        let reply = try await session.send(.get("https://api.example.com/me"))
        // a fresh token, one refresh for all callers
        print(reply.status, try await session.userInfo().email ?? "no address")
        try await session.signOut()
    }
}
