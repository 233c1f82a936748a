import Foundation
import Tern
import Testing

/// The built `tern`, beside the test bundle, while it runs.
final class RunningCommand: Sendable {
    /// What it prints, line by line as it comes, to standard output and to standard error.
    let output: AsyncStream<String>
    let errors: AsyncStream<String>
    private let process: Foundation.Process
    private let input: FileHandle
    private let outputHandle: FileHandle
    private let errorHandle: FileHandle

    static var executable: URL {
        let bundle = CommandLine.arguments.first ?? ""
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("tern")
    }

    init(_ words: [String], variables: [String: String]) throws {
        let process = Foundation.Process()
        process.executableURL = Self.executable
        process.arguments = words
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        let (output, errors, input) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = input
        try process.run()
        (outputHandle, errorHandle) = (output.fileHandleForReading, errors.fileHandleForReading)
        (self.output, self.errors) = (Self.lines(of: outputHandle), Self.lines(of: errorHandle))
        self.input = input.fileHandleForWriting
        self.process = process
    }

    /// Types a line.
    func type(_ line: String) { input.write(Data((line + "\n").utf8)) }

    /// Sends a signal.
    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the end.
    ///
    /// - Returns: the exit status, or the number of the signal that ended it.
    func status() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Reads to the end on a thread of its own.
    private static func lines(of handle: FileHandle) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let descriptor = handle.fileDescriptor
        Thread.detachNewThread {
            let reader = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            var rest = Data()
            while true {
                let data = reader.availableData
                if data.isEmpty { break }
                rest += data
                while let end = rest.firstIndex(of: 10) {
                    continuation.yield(String(decoding: rest[..<end], as: UTF8.self) + "\n")
                    rest = Data(rest[(end + 1)...])
                }
            }
            if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
            continuation.finish()
        }
        return stream
    }
}
