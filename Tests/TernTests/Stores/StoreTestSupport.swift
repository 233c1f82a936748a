import Foundation
import Tern
import TernProtocol
import Testing

/// A folder of its own for one test, removed with the value.
final class ScratchFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/tern-stores-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A folder inside that is not there yet.
    var store: String { path + "/state/app" }

    func create(_ path: String, _ text: String = "") {
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    }

    func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    func mode(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int) ?? -1
    }
}

extension StoreKey {
    static func named(_ name: String) throws -> StoreKey { try StoreKey(name) }
}

extension StoredRecord {
    init(_ text: String) { self.init(Array(text.utf8)) }

    var text: String { String(decoding: exposedBytes, as: UTF8.self) }
}

/// Runs a call that must fail with "store unavailable" and returns what it says.
func storeProblem(_ call: () async throws -> Void) async -> String {
    do {
        try await call()
        return "no error"
    } catch let error as TernError {
        guard case .storeUnavailable(let problem) = error.reason else { return "another error: \(error)" }
        return problem
    } catch {
        return "another error: \(error)"
    }
}

/// Waits for what another process or task does; there is no clock to move by hand for that.
func eventually(_ condition: () async throws -> Bool) async throws {
    for _ in 0..<5_000 {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(2))
    }
    Issue.record("it did not happen within ten seconds")
}
