import Foundation
import Tern
import TernTesting
import Testing

/// The examples of the article about `tern explain` are real calls, and print what stands there.
@Suite("The article about tern explain", .serialized, .timeLimit(.minutes(2)))
struct ExplainArticleTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let call: String
        let lines: [String]
        let status: Int32
        var testDescription: String { call }
    }

    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/Tern/Tern.docc/Explain.md")

    static let examples: [Example] = {
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "```text\n").dropFirst().compactMap { part in
            var lines = part.prefix(upTo: part.range(of: "\n```")?.lowerBound ?? part.endIndex)
                .components(separatedBy: "\n")
            guard lines.count > 2, lines[0].hasPrefix("$ "), let last = lines.popLast(),
                let status = Int32(last.dropFirst("status ".count))
            else { return nil }
            return Example(call: String(lines.removeFirst().dropFirst(2)), lines: lines, status: status)
        }
    }()

    private let folder: TemporaryFolder
    private let run: CommandRun

    init() throws {
        folder = try TemporaryFolder()
        run = CommandRun(store: folder.path)
        let key = try JWK.generate(for: .es256, keyID: "k1")
        let now = SystemWallClock().now.secondsSince1970.rounded()
        let claims: JSONObject = [
            "iss": "https://id.example.com", "sub": "u1", "aud": "app", "nonce": "n-0123456789",
            "exp": .number(JSONNumber(Int64(now) + 600)), "iat": .number(JSONNumber(Int64(now))),
        ]
        let token = try JWT.sign(JWTClaims(claims), header: JWSHeader(algorithm: .es256, keyID: "k1"), key: key)
        let base =
            "GET&https%3A%2F%2Fapi.example.com%2Fnotes&oauth_consumer_key%3Dck%26oauth_nonce%3Dn1"
            + "%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D170000000"
        let files = [
            "id-token.txt": token, "keys.json": JSON.object(JWKSet([key]).publicJSON()).text, "mine.txt": base + "0",
            "theirs.txt": base + "9",
        ]
        for (name, text) in files {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
        }
    }

    @Test("Every kind has an example")
    func kinds() async throws {
        let printed = Set(Self.examples.compactMap(\.lines.first))
        for kind in Specimen.Kind.allCases where kind != .jwt && kind != .jwe {
            #expect(printed.contains("It is \(kind.words)."), "\(kind)")
        }
        #expect(Self.examples.count > Specimen.Kind.allCases.count)
    }

    @Test("A call prints what stands in the article", arguments: examples)
    func prints(example: Example) async throws {
        let outcome = try await run.shell("cd '\(folder.path)' && \(example.call)")
        #expect(outcome.status == example.status)
        var rest = outcome.output.components(separatedBy: "\n")[...]
        if rest.last == "" { rest.removeLast() }
        var mayLeaveOut = false
        for line in example.lines {
            if line == "…" {
                mayLeaveOut = true
                continue
            }
            let beginning = line.hasSuffix("…") ? String(line.dropLast()) : nil
            func fits(_ printed: String) -> Bool { beginning.map(printed.hasPrefix) ?? (printed == line) }
            guard let place = rest.firstIndex(where: fits), mayLeaveOut || place == rest.startIndex else {
                Issue.record("not printed here: \(line)\n\(outcome.output)")
                return
            }
            rest = rest[(place + 1)...]
            mayLeaveOut = false
        }
        #expect(rest.isEmpty || mayLeaveOut, "not in the article: \(rest)")
    }
}
