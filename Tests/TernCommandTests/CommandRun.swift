import Foundation
import Tern
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

    private static var executable: URL {
        let bundle = CommandLine.arguments.first ?? ""
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("tern")
    }

    private func run(
        _ words: [String], _ visit: @escaping @Sendable (URI) async -> String?
    ) async throws -> Outcome {
        let process = Foundation.Process()
        process.executableURL = Self.executable
        process.arguments = words
        var environment = ProcessInfo.processInfo.environment
        environment["TERN_STORE"] = store
        environment.merge(variables) { $1 }
        process.environment = environment
        let (output, errors, input) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = input
        try process.run()
        async let said = Self.lines(of: errors.fileHandleForReading) { line in
            guard let range = line.range(of: "Open this address: "), let page = URI(String(line[range.upperBound...]))
            else { return }
            if let answer = await visit(page) {
                input.fileHandleForWriting.write(Data((answer + "\n").utf8))
            }
        }
        async let printed = Self.lines(of: output.fileHandleForReading) { _ in }
        let outcome = (output: try await printed, errors: try await said)
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: outcome.output, errors: outcome.errors)
    }

    /// Reads to the end, on a thread of its own, and shows each line as it comes.
    private static func lines(
        of handle: FileHandle, _ show: @escaping @Sendable (String) async -> Void
    ) async throws -> String {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        let descriptor = handle.fileDescriptor
        Thread.detachNewThread {
            let reader = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            while true {
                let data = reader.availableData
                if data.isEmpty { break }
                continuation.yield(data)
            }
            continuation.finish()
        }
        var all = ""
        var shown = all.startIndex
        for await data in stream {
            all += String(decoding: data, as: UTF8.self)
            shown = all.index(all.startIndex, offsetBy: all.distance(from: all.startIndex, to: shown))
            while let end = all[shown...].firstIndex(of: "\n") {
                let line = String(all[shown..<end])
                shown = all.index(after: end)
                await show(line)
            }
        }
        _ = handle
        return all
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
