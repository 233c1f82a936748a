import Foundation
import Tern
import TernTesting
import Testing

/// Runs the built `tern` beside the test bundle.
struct CommandRun: Sendable {
    let store: String
    /// Variables of the environment, besides those of the tests.
    var variables: [String: String] = [:]

    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String

        /// The last line of standard error, where it is JSON.
        var lastError: JSON? {
            errors.split(separator: "\n").last.flatMap { try? JSON(parsing: String($0)) }
        }
    }

    /// Runs a call without anything on standard input.
    func callAsFunction(_ words: String...) async throws -> Outcome {
        try await run(words) { _ in nil }
    }

    /// Runs a call; when it shows an address to open, `visit` opens it, and what it returns is pasted.
    func callAsFunction(
        _ words: String..., visit: @escaping @Sendable (URI) async -> String?
    ) async throws -> Outcome {
        try await run(words, visit)
    }

    /// Runs a call whose words are a list.
    func callAsFunction(
        words: [String], visit: @escaping @Sendable (URI) async -> String?
    ) async throws -> Outcome {
        try await run(words, visit)
    }

    /// Starts a call that goes on until somebody ends it.
    func start(_ words: String...) throws -> RunningCommand { try start(words: words) }

    func start(words: [String]) throws -> RunningCommand {
        try RunningCommand(words, variables: variables.merging(["TERN_STORE": store]) { mine, _ in mine })
    }

    private func run(
        _ words: [String], _ visit: @escaping @Sendable (URI) async -> String?
    ) async throws -> Outcome {
        let command = try start(words: words)
        async let said = command.errors.reduce(into: "") { all, line in
            all += line
            guard let page = CommandRun.page(in: line), let answer = await visit(page) else { return }
            command.type(answer)
        }
        async let printed = command.output.reduce(into: "") { $0 += $1 }
        let outcome = (output: await printed, errors: await said)
        return Outcome(status: command.status(), output: outcome.output, errors: outcome.errors)
    }

    /// Signs the test user in at a server of this process.
    func login(at server: TestServer, _ options: String...) async throws {
        let words = ["login", "--issuer", server.issuer.text, "--client-id", TestClient.app.clientID, "--no-browser"]
        let login = try await run(words + options) { page in
            _ = try? await RobotBrowser(transport: SystemTransport()).signIn(at: page, stoppingAt: nil)
            return nil
        }
        try #require(login.status == 0, "\(login.errors)")
    }

    /// Runs lines of the shell in which `tern` is the command and `$TERN` its path, and waits without holding a thread.
    func shell(_ script: String) async throws -> (status: Int32, output: String) {
        let process = Foundation.Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "tern() { \"$TERN\" \"$@\"; }; \(script)"]
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TERN_STORE": store, "TERN": RunningCommand.executable.path]) { $1 }
            .merging(variables) { $1 }
        let printed = store + "/printed"
        _ = FileManager.default.createFile(atPath: printed, contents: nil)
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: printed))
        process.standardInput = FileHandle.nullDevice
        await withCheckedContinuation { continuation in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume() }
        }
        return (process.terminationStatus, try String(contentsOfFile: printed, encoding: .utf8))
    }

    /// The address that a line asks to open.
    static func page(in line: String) -> URI? {
        line.range(of: "Open this address: ")
            .flatMap { URI(line[$0.upperBound...].trimmingCharacters(in: .newlines)) }
    }
}

/// A folder that goes away with the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "tern-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
