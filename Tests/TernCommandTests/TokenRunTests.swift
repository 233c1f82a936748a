import Foundation
import Tern
import TernTesting
import Testing

@testable import TernCommand

/// `tern jwt`, `tern introspect` and `tern revoke` with the built command.
@Suite("Tokens of the command", .serialized, .timeLimit(.minutes(4)))
struct TokenRunTests {
    private static let key = try? JWK.generate(for: .es256, keyID: "k-1")

    private func server() throws -> TestServer {
        var api = TestClient("api", authentication: .basic("api-secret"), redirectURIs: [])
        api.isProtectedResource = true
        var server = AuthorizationServer(clients: [.app, api])
        server.settings.accessTokenFormat = .jwt(audience: "https://api.example")
        return try TestServer.start(server)
    }

    /// A token with these claims, and a file with the key set for it.
    private func signed(_ claims: JSONObject, _ folder: TemporaryFolder) throws -> (token: String, keys: String) {
        let key = try #require(Self.key)
        let file = folder.path + "/jwks.json"
        try Data(JSON.object(JWKSet([key]).publicJSON()).serialized()).write(to: URL(fileURLWithPath: file))
        let header = JWSHeader(algorithm: .es256, keyID: "k-1", type: "at+jwt")
        return (try JWT.sign(JWTClaims(claims), header: header, key: key), file)
    }

    private func number(_ offset: Double) -> JSON {
        .number(JSONNumber(Int64(Date().timeIntervalSince1970 + offset)))
    }

    @Test("The first words say whether the token was verified; token and signature are never shown")
    func account() async throws {
        let (server, folder) = (try server(), try TemporaryFolder())
        let run = CommandRun(store: folder.path)
        try await run.login(at: server)
        let token = try await run("token").output.trimmingCharacters(in: .newlines)
        let signature = try #require(token.split(separator: ".").last.map(String.init))

        let decoded = try await run("jwt", "decode", "--id-token")
        #expect(decoded.status == 0 && decoded.output.hasPrefix("NOT VERIFIED: nothing was checked"))
        #expect(
            decoded.output.contains("sub: \(TestUser.ada.subject)") && decoded.output.contains("probably an ID token"))
        let verified = try await run("jwt", "verify", "--id-token")
        #expect(verified.status == 0 && verified.output.hasPrefix("VERIFIED by the key \"rs256-1\", RS256\n"))
        let access = try await run("jwt", "verify", "--access-token", "--audience", "https://api.example")
        #expect(access.status == 0 && access.output.hasPrefix("VERIFIED"))
        #expect(access.output.contains("It is an access token (RFC 9068)."))
        #expect(!access.output.contains(signature) && !access.errors.contains(signature))
        #expect(access.output.contains("signature: 256 bytes, not shown"))
        let foreign = try await run("jwt", "verify", "--access-token", "--audience", "https://other.example")
        #expect(
            foreign.status == 1 && foreign.output.hasPrefix("NOT VERIFIED: the signature is good, but it is not for"))

        let piped = try await run.shell("tern token | tern jwt verify --issuer \(server.issuer) --json")
        let json = try JSON(parsing: piped.output)
        #expect(piped.status == 0 && json["verified"] == true && json["claims"]?["client_id"] == "test-app")
        #expect(!piped.output.contains(signature))
        server.served.change { $0.rotateKeys(keepingPrevious: false) }
        let rotated = try await run("jwt", "verify", "--access-token")
        #expect(rotated.status == 1 && rotated.output.hasPrefix("NOT VERIFIED: no usable key"))
        await server.stop()
    }

    @Test("A token from standard input, with a key set in a file")
    func file() async throws {
        let folder = try TemporaryFolder()
        let nested = "eyJhbGciOiJub25lIn0.e30."
        let (good, keys) = try signed(
            ["iss": "x", "exp": number(300), "refresh_token": "rt-secret", "inner": ["jwt": .string(nested)]], folder)
        func verify(_ token: String, _ options: String = "") async throws -> (status: Int32, output: String) {
            try await CommandRun(store: folder.path, variables: ["TOKEN": token])
                .shell("printf '%s\\n' \"$TOKEN\" | tern jwt verify --jwks '\(keys)' \(options) 2>&1")
        }
        let verified = try await verify(good)
        #expect(verified.status == 0 && verified.output.hasPrefix("VERIFIED by the key \"k-1\", ES256"))
        #expect(!verified.output.contains("rt-secret") && !verified.output.contains(nested))
        #expect(verified.output.contains("refresh_token: <not shown>"))

        let old = try await verify(try signed(["exp": number(-300)], folder).token)
        #expect(old.status == 1 && old.output.hasPrefix("NOT VERIFIED: the signature is good, but it ended at"))
        let early = try await verify(try signed(["nbf": number(300)], folder).token, "--json")
        #expect(early.status == 1 && early.output.hasPrefix(#"{"verified":false,"reason":"the signature is good"#))
        let late = try await verify(try signed(["iat": number(300)], folder).token)
        #expect(late.status == 1 && late.output.contains("it comes from the future"))
        let changed = try await verify(String(good.dropLast(4)) + "AAAA")
        #expect(changed.status == 1 && changed.output.hasPrefix("NOT VERIFIED: the signature is not valid"))
        let unsigned = try await verify(nested)
        #expect(unsigned.status == 1 && unsigned.output.hasPrefix("NOT VERIFIED"))
        let encrypted = try await verify("eyJhbGciOiJkaXIifQ.e30.e30.e30.e30")
        #expect(encrypted.status == 1 && encrypted.output.contains("Its claims are encrypted."))
        #expect(try await verify("opaque").status == 2)
        #expect(try await verify("").status == 2)
    }

    @Test("Calls that say too little or too much")
    func usage() async throws {
        let run = CommandRun(store: try TemporaryFolder().path)
        let wrong: [[String]] = [
            ["jwt"], ["jwt", "explain"], ["jwt", "verify"], ["jwt", "decode", "--jwks", "f"],
            ["jwt", "verify", "--jwks", "f", "--issuer", "https://a.example"],
            ["jwt", "decode", "--id-token", "--access-token"], ["jwt", "decode", "--account", "a"],
            ["introspect", "--type", "id"], ["introspect", "--client-id", "a"],
            ["revoke", "--issuer", "https://a.example"], ["revoke", "--issuer", "https://a.example", "--account", "a"],
            ["introspect", "--issuer", "https://a.example", "--client-id", "a", "--client-auth", "basic"],
        ]
        for words in wrong {
            let outcome = try await run(words: words) { _ in nil }
            #expect(outcome.status == 2, "\(words)")
        }
        let helped = try await run("jwt", "--help")
        #expect(helped.status == 0 && helped.output.contains("NOT VERIFIED"))
    }

    @Test("An API's client learns what a token is worth; revoked, it is worth nothing")
    func introspectAndRevoke() async throws {
        let (server, folder) = (try server(), try TemporaryFolder())
        let run = CommandRun(store: folder.path, variables: ["API_SECRET": "api-secret"])
        try await run.login(at: server, "--account", "work")
        let asking = "--issuer \(server.issuer) --client-id api --client-secret-env API_SECRET"
        let active = try await run.shell("tern token | tern introspect \(asking)")
        #expect(active.status == 0 && active.output.hasPrefix("active\n"))
        #expect(active.output.contains("client_id: test-app") && active.output.contains("username: ada"))
        let signed = try await run.shell("tern token | tern introspect \(asking) --signed --json")
        #expect(try JSON(parsing: signed.output)["active"] == true)
        #expect(signed.status == 0)

        // A public client may not ask.
        let own = try await run("introspect", "--json")
        #expect(own.status == 1 && own.lastError?["error"]?["code"] == "invalid_client")

        let token = try await run("token").output.trimmingCharacters(in: .newlines)
        let revoked = try await run("revoke", "--account", "work")
        #expect(revoked.status == 0 && revoked.output == "Revoked the refresh token of work.\n")
        #expect(!revoked.output.contains(token) && revoked.errors.contains("tern logout"))
        let over = try await run.shell("tern token | tern introspect \(asking)")
        #expect(over.status == 1 && over.output.hasPrefix("not active"))
        #expect(try await run("accounts", "--names").output == "work\n")

        let stranger = try await run.shell("echo unknown-token | tern revoke --stdin --type access --json")
        #expect(stranger.status == 0 && stranger.output == "{\"revoked\":\"access token\"}\n")
        await server.stop()
        let away = try await run("revoke", "--type", "access")
        #expect(away.status == 4)
    }
}
