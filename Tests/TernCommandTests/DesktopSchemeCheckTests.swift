import Foundation
import Tern
import Testing

@testable import TernCommand

#if os(Linux)
    @Suite("Whether a desktop knows a scheme")
    struct DesktopSchemeCheckTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func findings(_ redirect: String = "com.example.app:/callback") -> [Finding] {
            let environment = ["HOME": folder.path, "XDG_DATA_DIRS": folder.path + "/system"]
            return DesktopSchemeCheck.findings(redirect: redirect) { environment[$0] }
        }

        private func handler() throws -> SchemeHandler {
            try SchemeHandler(scheme: "com.example.app", store: nil) { ["HOME": folder.path][$0] }
        }

        @Test("Nothing is said about other redirects")
        func others() {
            for redirect in ["https://app.example.com/cb", "http://127.0.0.1/cb", "oob", "nonsense"] {
                #expect(findings(redirect).isEmpty)
            }
        }

        @Test("Tern's own entry passes")
        func installed() throws {
            _ = try handler().install()
            let findings = findings()
            #expect(findings.map(\.name) == ["redirect_desktop_entry"])
            #expect(findings[0].level == .passed)
        }

        @Test("No entry is a warning that says how to make one")
        func missing() {
            let finding = findings()[0]
            #expect(finding.level == .warning)
            #expect(finding.fix == "for sign-ins with tern: tern scheme install com.example.app")
            #expect(findings("myapp:/callback")[0].level == .warning)
            #expect(findings("myapp:/callback")[0].fix?.contains("scheme install") == false)
        }

        @Test("An entry whose program has moved")
        func moved() throws {
            let handler = try handler()
            _ = try handler.install()
            let entry = "[Desktop Entry]\nType=Application\nExec=/nowhere/tern callback -- %u\n"
            try entry.write(toFile: handler.entryPath, atomically: false, encoding: .utf8)
            #expect(findings()[0].level == .warning)
            #expect(findings()[0].detail?.contains("/nowhere/tern") == true)
        }

        @Test("Another program, which is there or not")
        func another() throws {
            let list = folder.path + "/.config/mimeapps.list"
            let applications = folder.path + "/system/applications"
            for path in [folder.path + "/.config", applications] {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            }
            try "[Default Applications]\nx-scheme-handler/com.example.app=other.desktop;\n"
                .write(toFile: list, atomically: false, encoding: .utf8)
            #expect(findings()[0].level == .warning)
            #expect(findings()[0].detail?.contains("other.desktop") == true)
            try "[Desktop Entry]\n".write(toFile: applications + "/other.desktop", atomically: false, encoding: .utf8)
            #expect(findings()[0].level == .note)
            #expect(findings()[0].detail == "other.desktop")
        }

        @Test("Without a home it cannot be checked")
        func homeless() {
            let findings = DesktopSchemeCheck.findings(redirect: "com.example.app:/cb") { _ in nil }
            #expect(findings.map(\.level) == [.unchecked])
        }
    }
#endif
