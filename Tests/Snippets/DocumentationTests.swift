import Foundation
import Testing

/// Every Swift example of the documentation stands in a file of this folder, so that it is compiled, and run where it can
/// be. White space and `import` lines do not count, since an example lies inside a function here.
@Suite("Examples of the documentation")
struct DocumentationTests {
    struct Page: Sendable, CustomTestStringConvertible {
        let name: String
        let examples: [String]
        var testDescription: String { name }
    }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let pages: [Page] = {
        let papers = ["README.md", "CONTRIBUTING.md"].map { root.appendingPathComponent($0) }
        return (papers + files(below: "Sources", endingIn: ["md", "swift"])).compactMap { file in
            let found = text(of: file).map(examples) ?? []
            let name = file.path.dropFirst(root.path.count + 1)
            return found.isEmpty ? nil : Page(name: String(name), examples: found)
        }
    }()

    static let compiled: [String] = files(below: "Tests/Snippets", endingIn: ["swift"]).compactMap { file in
        text(of: file).map { bare($0.split(separator: "\n")) }
    }

    @Test("Examples are found at all")
    func examplesAreFound() {
        #expect(Self.pages.first { $0.name == "README.md" }?.examples.count == 2)
        #expect(Self.pages.count > 5)
    }

    @Test("An example is compiled as it is written", arguments: pages)
    func exampleIsCompiled(_ page: Page) {
        for example in page.examples {
            let lines = example.split(separator: "\n").filter { !$0.hasPrefix("import ") }
            let isCompiled = Self.compiled.contains { $0.contains(Self.bare(lines)) }
            #expect(isCompiled, "not found in Tests/Snippets:\n\(example)")
        }
    }

    private static func files(below folder: String, endingIn suffixes: Set<String>) -> [URL] {
        let files = FileManager.default.enumerator(
            at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
        return (files?.allObjects as? [URL] ?? []).filter { suffixes.contains($0.pathExtension) }
    }

    private static func text(of file: URL) -> String? { try? String(contentsOf: file, encoding: .utf8) }

    /// The blocks between fences, in documentation comments too.
    private static func examples(in text: String) -> [String] {
        var examples: [String] = []
        var current: [Substring]?
        for line in text.split(separator: "\n") {
            var line = line.drop { $0 == " " }
            if line.hasPrefix("///") { line = line.dropFirst(3).drop { $0 == " " } }
            guard line.hasPrefix("```") else {
                current?.append(line)
                continue
            }
            if let current { examples.append(current.joined(separator: "\n")) }
            current = current == nil && line == "```swift" ? [] : nil
        }
        return examples
    }

    private static func bare(_ lines: [Substring]) -> String {
        lines.joined().filter { !$0.isWhitespace }
    }
}
