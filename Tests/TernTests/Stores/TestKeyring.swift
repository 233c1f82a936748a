#if SecretService && os(Linux)
    import Foundation
    import TernProtocol
    import Testing

    @testable import Tern

    /// A session bus and a gnome-keyring of one test's own, without a desktop and far from the user's.
    final class TestKeyring: Sendable {
        let folder: String
        /// Of the bus, in D-Bus's form.
        let address: String
        private let bus: Companion
        private let daemon = Daemon()

        private actor Daemon {
            var process: Companion?
            func replace(_ next: Companion?) {
                process?.end()
                process = next
            }
        }

        /// What the machine lacks for these tests.
        static let missingPrograms = ["dbus-daemon", "dbus-send", "gnome-keyring-daemon"].filter { name in
            !(ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains { folder in
                access("\(folder)/\(name)", X_OK) == 0
            }
        }

        static let isPossible = missingPrograms.isEmpty
        static var comment: Comment { "not installed: \(missingPrograms.joined(separator: ", "))" }

        /// Starts the bus, which starts nothing by itself.
        init(in scratch: ScratchFolder) throws {
            folder = scratch.path + "/user"
            address = "unix:path=\(folder)/bus"
            for name in ["", "/run", "/data"] {
                try FileManager.default.createDirectory(
                    atPath: folder + name, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            }
            scratch.create(
                folder + "/bus.conf",
                """
                <busconfig>
                <type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
                <policy context="default">
                <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
                </policy>
                </busconfig>
                """)
            bus = try Companion(["dbus-daemon", "--nofork", "--config-file=\(folder)/bus.conf"], [:], in: folder)
        }

        /// Starts the keyring's daemon, and waits until it answers.
        ///
        /// - Parameter password: `nil` leaves the keyring locked, or not made.
        func start(password: String? = "a test's words") async throws {
            let folder = folder
            try await eventually { access(folder + "/bus", F_OK) == 0 }
            let words = [
                "gnome-keyring-daemon", "--foreground", "--components=secrets", "--control-directory=\(folder)/run",
            ]
            let surroundings = [
                "HOME": folder, "XDG_RUNTIME_DIR": folder + "/run", "XDG_DATA_HOME": folder + "/data",
                "DBUS_SESSION_BUS_ADDRESS": address,
            ]
            await daemon.replace(
                try Companion(
                    words + (password == nil ? [] : ["--unlock"]), surroundings, in: folder, input: password ?? ""))
            try await eventually { problem(isUnlocked: password != nil) == nil }
        }

        /// Why the service cannot be used.
        private func problem(isUnlocked: Bool) -> TernError? {
            do throws(TernError) {
                try Keyring.use(at: address, for: "probe", Interruption()) { keyring throws(TernError) in
                    if isUnlocked { try keyring.checkThatItIsOpen() }
                }
                return nil
            } catch {
                return error
            }
        }

        func stop() async { await daemon.replace(nil) }

        /// Locks the login keyring, as a desktop does after a while.
        func lock() throws {
            try call("org.freedesktop.Secret.Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login")
        }

        private func call(_ method: String, _ arguments: String...) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments =
                ["dbus-send", "--bus=\(address)", "--print-reply", "--dest=org.freedesktop.secrets"]
                + ["/org/freedesktop/secrets", method] + arguments
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }

        /// Keeps the daemon from answering, and lets it go on.
        func signalDaemon(_ signal: Int32) async throws {
            let pid = try #require(await daemon.process?.pid)
            #expect(kill(pid, signal) == 0)
        }

        func endBus() { bus.end() }

        func store(
            _ application: String = "app", timeLimit: Duration = SecretServiceStore.defaultTimeLimit
        ) throws -> SecretServiceStore {
            try SecretServiceStore(
                application: application, lockFolder: folder + "/locks", timeLimit: timeLimit, address: address)
        }

        /// How many items there are of the application.
        func itemCount() throws -> Int {
            try Keyring.use(at: address, for: "app", Interruption()) { keyring throws(TernError) in
                try keyring.items().count
            }
        }
    }

    /// A program that runs for as long as this value, or this process, lives.
    final class Companion: Sendable {
        private let lifeline: Pipe
        private let pidFile: String
        private let shell: Process

        /// - Parameter input: what the program reads from its standard input.
        init(_ words: [String], _ surroundings: [String: String], in folder: String, input: String = "") throws {
            let mark = "\(folder)/\(words[0])-\(UUID().uuidString)"
            try Data(input.utf8).write(to: URL(fileURLWithPath: mark + ".in"))
            pidFile = mark + ".pid"
            shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            // The pipe is closed at the latest when the tests end, however they end.
            shell.arguments =
                [
                    "-c",
                    #"mark=$1; shift; "$@" <"$mark.in" >"$mark.out" 2>&1 & "#
                        + #"echo $! >"$mark.new"; mv "$mark.new" "$mark.pid"; cat >/dev/null; kill -KILL $!; wait"#,
                    "sh", mark,
                ] + words
            shell.environment = surroundings.merging(["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""]) { $1 }
            lifeline = Pipe()
            shell.standardInput = lifeline
            try shell.run()
        }

        deinit { end() }

        var pid: pid_t? {
            (try? String(contentsOfFile: pidFile, encoding: .utf8)).flatMap { pid_t($0.dropLast()) }
        }

        func end() {
            try? lifeline.fileHandleForWriting.close()
            shell.waitUntilExit()
        }
    }
#endif
