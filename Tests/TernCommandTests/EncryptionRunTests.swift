import Foundation
import Tern
import TernTesting
import Testing

@testable import TernCommand

/// A store that the command encrypts.
@Suite("The encrypted store of the command", .timeLimit(.minutes(3)))
struct EncryptionRunTests {
    private static let keyText = Base64URL.encode(SystemRandomSource().bytes(32))

    private func fileOfRecord(in folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/credentials"
        let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }
        return try names.map { name in
            String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")), as: UTF8.self)
        }.joined()
    }

    @Test("With a key nothing readable is on the disk, and without it the account is told of and not lost")
    func key() async throws {
        let server = try TestServer.start()
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path, variables: ["TERN_STORE_KEY": Self.keyText])
        try await run.login(at: server, "--account", "work")
        let token = try await run("token").output.trimmingCharacters(in: .newlines)
        #expect(!token.isEmpty)
        let text = try fileOfRecord(in: folder)
        #expect(!text.isEmpty && !text.contains(token) && !text.contains("access_token"))

        let without = CommandRun(store: folder.path)
        #expect(try await without("accounts", "--names").output == "work\n")
        let refused = try await without("token", "--json")
        #expect(refused.status == 5 && refused.lastError?["error"]?["code"]?.string == "unknown_record_key")
        let other = CommandRun(
            store: folder.path, variables: ["TERN_STORE_KEY": Base64URL.encode(SystemRandomSource().bytes(32))])
        #expect(try await other("token").status == 5)
        #expect(try await run("token").output.trimmingCharacters(in: .newlines) == token)
        await server.stop()
    }

    @Test("With a passphrase a plain record is read, and encrypted when it is saved next")
    func passphrase() async throws {
        let server = try TestServer.start()
        let folder = try TemporaryFolder()
        try await CommandRun(store: folder.path).login(at: server, "--account", "work")
        #expect(try fileOfRecord(in: folder).contains("access_token"))
        let run = CommandRun(store: folder.path, variables: ["TERN_STORE_PASSPHRASE": "a long and quiet winter"])
        let first = try await run("token").output
        #expect(try await run("token", "--refresh").status == 0)
        #expect(try await run("token").output != first)
        #expect(try !fileOfRecord(in: folder).contains("access_token"))
        await server.stop()
    }

    @Test(
        "A variable that cannot be used is named, and its value is not shown",
        arguments: [
            (["TERN_STORE_KEY": "too-short-a-key"], "TERN_STORE_KEY"),
            (["TERN_STORE_KEY": ""], "TERN_STORE_KEY"),
            (["TERN_STORE_PASSPHRASE": ""], "TERN_STORE_PASSPHRASE"),
            (["TERN_STORE_PASSPHRASE": "a-word", "TERN_STORE_KEY": keyText], "TERN_STORE_PASSPHRASE"),
        ])
    func unusable(variables: [String: String], name: String) async throws {
        let folder = try TemporaryFolder()
        let outcome = try await CommandRun(store: folder.path, variables: variables)("token", "--json")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(name))
        for value in variables.values where !value.isEmpty { #expect(!outcome.errors.contains(value)) }
    }
}
