import Foundation
import Tern
import TernTesting
import Testing

@Suite("tern explain", .serialized, .timeLimit(.minutes(2)))
struct ExplainRunTests {
    private let folder: TemporaryFolder
    private let run: CommandRun

    init() throws {
        folder = try TemporaryFolder()
        run = CommandRun(store: folder.path)
    }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = folder.path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("A callback against redirect and state: 0 where it is taken, 1 where not")
    func callback() async throws {
        let options = ["explain", "--redirect-uri", "com.example.app:/cb", "--state", "af0ifjsldkj-0123456789"]
        let text = "com.example.app:/cb?code=SplxlOBeZQQYbYS6WxSbIA&state="
        let good = try await run(words: options + [text + "af0ifjsldkj-0123456789"]) { _ in nil }
        #expect(good.status == 0)
        #expect(good.output.hasPrefix("It is a callback URL.\n"))
        #expect(good.output.contains("Tern would take it"))
        let bad = try await run(words: options + [text + "other-state-1234567890"]) { _ in nil }
        #expect(bad.status == 1)
        #expect(bad.output.contains("[state_mismatch]"))
        for secret in ["SplxlOBeZQQYbYS6WxSbIA", "af0ifjsldkj-0123456789", "other-state-1234567890"] {
            #expect(!(good.output + good.errors + bad.output + bad.errors).contains(secret))
        }
    }

    @Test("VERIFIED and NOT VERIFIED are the first words about a token")
    func token() async throws {
        let key = try JWK.generate(for: .es256, keyID: "k1")
        let now = SystemWallClock().now.secondsSince1970.rounded()
        let claims: JSONObject = [
            "iss": "https://id.example.com", "sub": "u1", "aud": "app", "nonce": "n-0123456789",
            "exp": .number(JSONNumber(Int64(now) + 600)), "iat": .number(JSONNumber(Int64(now))),
        ]
        let token = try JWT.sign(JWTClaims(claims), header: JWSHeader(algorithm: .es256, keyID: "k1"), key: key)
        let path = try file("token.txt", token)
        let keys = try file("keys.json", JSON.object(JWKSet([key]).publicJSON()).text)
        let without = try await run("explain", "--file", path)
        #expect(without.output.hasPrefix("NOT VERIFIED: no keys were given"))
        #expect(without.status == 0)
        let good = try await run(
            "explain", "--file", path, "--jwks", keys, "--issuer", "https://id.example.com", "--client-id", "app")
        #expect(good.output.hasPrefix("VERIFIED by the key \"k1\", ES256\n"))
        #expect(good.output.contains("Tern would take it"))
        #expect(good.status == 0)
        let bad = try await run("explain", "--file", path, "--jwks", keys, "--client-id", "other", "--json")
        #expect(bad.status == 1)
        let json = try JSON(parsing: bad.output)
        #expect(json["kind"]?.string == "jwt")
        #expect(json["verified"]?.bool == false)
        #expect(
            json["findings"]?.array?.contains { $0["name"]?.string == "audience" && $0["level"]?.string == "failed" }
                == true)
        for printed in [without, good, bad] {
            #expect(!printed.output.contains(token.split(separator: ".")[2]))
            #expect(!printed.output.contains("n-0123456789"))
        }
    }

    @Test("From standard input, with control characters made harmless")
    func input() async throws {
        let outcome = try await run.shell(
            #"printf '{"error":"invalid_grant","error_description":"\033[31m"}' | tern explain"#)
        #expect(outcome.status == 1)
        let escaped = try await run.shell(
            #"printf '%s' '{"error":"invalid_grant","error_description":"a\u001b[31mred\u202e"}' | tern explain -"#)
        #expect(escaped.status == 1)
        #expect(escaped.output.contains("The server refused: invalid_grant"))
        #expect(!escaped.output.contains("\u{1B}"))
        #expect(!escaped.output.contains("\u{202E}"))
        let json = try await run.shell("printf '\\377\\376' | tern explain --json")
        #expect(json.status == 1)
        #expect(try JSON(parsing: json.output)["kind"]?.isNull == true)
    }

    @Test("More than a megabyte is not looked at")
    func long() async throws {
        let outcome = try await run.shell("head -c 1100000 /dev/zero | tr '\\0' a | tern explain")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("more than 1048576 bytes"))
    }

    @Test("Two texts of OAuth 1.0a, from the call and from a file")
    func against() async throws {
        let base =
            "GET&https%3A%2F%2Fapi.example.com%2Fnotes&oauth_consumer_key%3Dck%26oauth_nonce%3Dn1"
            + "%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1700000000"
        let path = try file("other.txt", base + "\n")
        let same = try await run("explain", base, "--against", path)
        #expect(same.status == 0)
        #expect(same.output.contains("Both say the same"))
        let differing = try await run("explain", base, "--against", base + "1")
        #expect(differing.status == 1)
        #expect(differing.output.contains("They begin to differ at the parameter oauth_timestamp"))
        let wrong = try await run("explain", "invalid_grant", "--against", path)
        #expect(wrong.status == 2)
    }

    @Test("The kind can be named, and a call that cannot be understood says why")
    func usage() async throws {
        let forced = try await run("explain", "--as", "error-code", "hello")
        #expect(forced.status == 0)
        #expect(forced.output.hasPrefix("It is an error code.\n"))
        let unknown = try await run("explain", "--as", "error-kode", "x")
        #expect(unknown.status == 2)
        #expect(unknown.errors.contains("did you mean \"error-code\"?"))
        let both = try await run("explain", "x", "--file", "y")
        #expect(both.status == 2)
        let missing = try await run("explain", "--file", folder.path + "/none")
        #expect(missing.status == 2)
        let mode = try await run("explain", "x", "--response-mode", "letter")
        #expect(mode.status == 2)
        let empty = try await run.shell("printf '' | tern explain")
        #expect(empty.status == 2)
        let nothing = try await run("explain", "hello")
        #expect(nothing.status == 1)
        #expect(nothing.output.contains("It is nothing that is known here"))
    }
}
