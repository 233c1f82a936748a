import Foundation
import Testing

/// README.zh-CN.md says what README.md says: who changes the one sees here what the other lacks.
@Suite("The README in two languages")
struct TranslationTests {
    let english: ReadmePage
    let chinese: ReadmePage

    init() throws {
        english = try Self.page("README.md")
        chinese = try Self.page("README.zh-CN.md")
    }

    @Test("Both have the same sections")
    func sections() {
        #expect(english.headingLevels.count > 5)
        #expect(english.headingLevels == chinese.headingLevels)
    }

    @Test("Both show the same code and the same commands, but for comments")
    func code() {
        #expect(english.blocks.count > 3)
        #expect(english.blocks == chinese.blocks)
    }

    @Test("Both lead to the same places, and to each other at the top")
    func links() {
        #expect(english.links.first == "README.zh-CN.md")
        #expect(chinese.links.first == "README.md")
        #expect(english.links.count > 3)
        #expect(english.links.dropFirst() == chinese.links.dropFirst())
    }

    @Test("The sentences of a section name the same commands, types and figures")
    func terms() {
        #expect(english.terms == chinese.terms)
    }

    @Test("The tables have the same rows, with the same names and the same verdicts")
    func tables() {
        #expect(english.rows.count > 30)
        #expect(english.rows.count == chinese.rows.count)
        for (row, translated) in zip(english.rows, chinese.rows) {
            #expect(row.count == translated.count, "\(row) and \(translated)")
            for (cell, other) in zip(row, translated) {
                #expect(ReadmePage.codeSpans(in: cell) == ReadmePage.codeSpans(in: other), "\(cell) and \(other)")
                #expect(ReadmePage.figures(in: cell) == ReadmePage.figures(in: other), "\(cell) and \(other)")
                let known = Set(ReadmePage.words(in: cell).map { $0.lowercased() })
                let foreign = ReadmePage.words(in: other).filter { !known.contains($0.lowercased()) }
                #expect(foreign == [], "not in the English cell: \(cell)")
                let missing = Set(ReadmePage.names(in: cell)).subtracting(ReadmePage.words(in: other))
                #expect(missing == [], "not in the Chinese cell: \(other)")
                #expect(cell.isEmpty == other.isEmpty, "\(cell) and \(other)")
            }
            #expect(Self.verdicts(of: row.last, Self.english) == Self.verdicts(of: translated.last, Self.chinese))
        }
    }

    @Test("A comment is taken off, and no part of a command or an address")
    func comments() {
        #expect(ReadmePage.withoutComment("tern logout      # or --all") == "tern logout")
        #expect(ReadmePage.withoutComment("let a = 1   // one") == "let a = 1")
        #expect(ReadmePage.withoutComment("# all of it") == "")
        #expect(ReadmePage.withoutComment("curl https://a.example/#b") == "curl https://a.example/#b")
    }

    @Test("A change of one alone is seen")
    func differences() {
        let page = ReadmePage("# A\n\nIt has `b` and 2.\n\n| C | RFC 1 |\n| --- | --- |\n\n```sh\nd # e\n```\n[f](g)\n")
        let other = ReadmePage("# A\n\n2 和 `b`。\n\n| C | RFC 1 |\n| --- | --- |\n\n```sh\nd # 五\n```\n[六](g)\n")
        #expect(page.headingLevels == other.headingLevels && page.blocks == other.blocks && page.links == other.links)
        #expect(page.terms == other.terms && page.rows == other.rows)
        #expect(page.blocks == ["```sh\nd"] && page.links == ["g"] && page.terms == [[], ["2", "`b`"]])
        #expect(ReadmePage("## A").headingLevels != page.headingLevels)
        #expect(ReadmePage("```sh\nd -x\n```").blocks != page.blocks)
        #expect(ReadmePage("```sh\nd").blocks != page.blocks)
        #expect(ReadmePage("# A\n\n`b` and 3").terms != page.terms)
        #expect(ReadmePage.names(in: "works with RFC 9207 and at_hash") == ["RFC", "9207", "at_hash"])
    }

    /// The words of the last column that tell what there is; a translator must not miss that one has changed.
    private static let english = ["works", "not yet"]
    private static let chinese = ["可用", "尚未"]

    private static func verdicts(of cell: String?, _ words: [String]) -> [Bool] {
        words.map { cell?.contains($0) == true }
    }

    private static func page(_ name: String) throws -> ReadmePage {
        let file = DocumentationTests.root.appendingPathComponent(name)
        return ReadmePage(try String(contentsOf: file, encoding: .utf8))
    }
}
