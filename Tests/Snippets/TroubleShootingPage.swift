import Foundation
import Tern
import Testing

/// The trouble-shooting page, which is made of the causes that errors explain themselves with.
@Suite("The trouble-shooting page")
struct TroubleShootingPage {
    private static let file = DocumentationTests.root.appendingPathComponent(
        "Sources/Tern/Tern.docc/Trouble-shooting.md")

    static let text: String = {
        var lines = [
            "# Trouble-shooting", "",
            "What may be behind an error, and what to do about it.", "", "## Overview", "",
            "Errors name the likely causes themselves, in the order that fits what is known: `error.explanation` in a program, and",
            "every failure of the command `tern`. This page lists all that they know. The name of a cause is stable, and",
            "`likeliestCause` of an error gives it. What something in hand is, and what is wrong with it, says `tern explain`.",
            "",
        ]
        for (title, causes) in Cause.topics {
            lines += ["## \(title)", ""]
            for cause in causes {
                lines.append("- `\(cause.id)`: \(plain(cause.text)).")
                lines += cause.whatToDo.map { "  - \(plain($0))" }
            }
            lines.append("")
        }
        return lines.dropLast().joined(separator: "\n") + "\n"
    }()

    /// Without what the format would take for its own.
    private static func plain(_ text: String) -> String {
        text.replacingOccurrences(of: "<", with: "\\<").replacingOccurrences(of: "*", with: "\\*")
    }

    /// Run with TERN_WRITE_PAGES set after a change of the causes.
    @Test("It says what the causes say")
    func isInStep() throws {
        if ProcessInfo.processInfo.environment["TERN_WRITE_PAGES"] != nil {
            try Self.text.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == Self.text, "TERN_WRITE_PAGES=1 writes it anew")
    }
}
