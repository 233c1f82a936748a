import Foundation
import Tern
import Testing

/// The article about the security model says nothing that is not there: each error code, type and test that it names exists,
/// and no threat of the two standards is left out.
@Suite("The security model")
struct SecurityModelTests {
    private static let page = DocumentationTests.root.appendingPathComponent(
        "Sources/Tern/Tern.docc/Security-model.md")

    private let text: String

    init() throws { text = try String(contentsOf: Self.page, encoding: .utf8) }

    /// The words between single backticks; links to symbols are checked when the documentation is built.
    private var spans: [String] {
        let parts = text.replacingOccurrences(of: "``", with: "\u{0}").split(
            separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    private static func swiftFiles(below folder: String) -> [URL] {
        let files = FileManager.default.enumerator(
            at: DocumentationTests.root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        return (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }
    }

    @Test("Each error code is one of the library's")
    func codes() {
        let names: Set<String> = ["iss", "none", "subject", "typ"]
        let codes = spans.filter { $0.allSatisfy { $0.isLowercase || $0 == "_" } && $0.contains("_") }
        #expect(codes.count > 25)
        for code in Set(codes).subtracting(names) {
            let findings = Specimen(code).findings(in: ExplanationContext(now: NumericDate(0)))
            #expect(findings.contains { $0.name == "tern_error" }, "\(code)")
        }
    }

    @Test("Each test is there")
    func tests() {
        let there = Set(Self.swiftFiles(below: "Tests").map(\.lastPathComponent))
        let named = Set(spans.filter { $0.hasSuffix(".swift") })
        #expect(named.count > 40)
        #expect(named.subtracting(there) == [])
    }

    @Test("Each type and each member is declared")
    func symbols() throws {
        var declared: Set<String> = []
        let declaration = #/\b(?:struct|class|enum|protocol|actor|typealias|func|var|let|case)\s+`?([A-Za-z0-9_]+)/#
        for file in Self.swiftFiles(below: "Sources") {
            let source = try String(contentsOf: file, encoding: .utf8)
            for match in source.matches(of: declaration) { declared.insert(String(match.1)) }
        }
        // Names that others have given, to fields and products.
        let foreign: Set<String> = [
            "Authorization", "Date", "Referer", "Retry-After", "SECURITY.md", "Tests", "TernTesting",
        ]
        let named = spans.filter { !$0.hasSuffix(".swift") && !foreign.contains($0) && !$0.contains("_") }
        let words = named.flatMap { name in
            name.prefix { $0 != "(" }.split(separator: ".").map(String.init)
        }
        #expect(words.count > 40)
        for word in Set(words).subtracting(["iss", "none", "typ"]) { #expect(declared.contains(word), "\(word)") }
    }

    @Test("Each threat of RFC 6819 §4 and each attack of RFC 9700 §4 has its row, in order")
    func threats() {
        func numbers(_ prefix: String, _ last: Int) -> [String] { (1...last).map { "\(prefix).\($0)" } }
        let rfc6819 =
            numbers("4.1", 5) + numbers("4.2", 4) + numbers("4.3", 5) + numbers("4.4.1", 13) + numbers("4.4.2", 6)
            + numbers("4.4.3", 6) + ["4.4.4"] + numbers("4.5", 4) + numbers("4.6", 7)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| 4.") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        #expect(rows.map { $0[0] } == rfc6819 + numbers("4", 17))
        for row in rows {
            #expect(row.count == 4 && row[1].count > 8, "\(row)")
            // What is Tern's own work is shown by a test.
            #expect(row[3].contains(".swift") || row[2].contains("*Server"), "\(row)")
        }
    }
}
