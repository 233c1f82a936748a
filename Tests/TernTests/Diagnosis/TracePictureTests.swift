import Foundation
import TernJOSE
import TernProtocol
import Testing

@testable import Tern

@Suite("The picture of a trace")
struct TracePictureTests {
    @Test("A trace read back from its JSON is the same", arguments: SampleTraces.all)
    func roundTrip(trace: Trace) throws {
        #expect(try Trace(parsing: trace.json.serialized()) == trace)
    }

    @Test("A fault in the JSON is told with its place, and a later version as such")
    func wrongJSON() throws {
        var json = SampleTraces.good.json
        json["entries"] = [["offset_ms": 1, "from": "app", "to": "moon", "title": ""]]
        let error = #expect(throws: TernError.self) { try Trace(json: .object(json)) }
        guard case .invalidConfiguration(let field, _)? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(field == "trace.entries[0].to")
        json["tern_trace"] = 2
        let later = #expect(throws: TernError.self) { try Trace(json: .object(json)) }
        #expect(later?.code == "newer_record")
        json["tern_trace"] = 1
        json["entries"] = [["offset_ms": 1e300, "from": "app", "to": "app", "title": ""]]
        #expect(throws: TernError.self) { try Trace(json: .object(json)) }
    }

    @Test("Page and diagram are well-formed, name each id once, and hold each step", arguments: SampleTraces.all)
    func wellFormed(trace: Trace) throws {
        let page = trace.html
        for text in [page, trace.svg(), trace.svg(theme: .light), trace.svg(theme: .dark)] {
            let fault = Self.fault(in: text)
            #expect(fault == nil)
            let ids = text.components(separatedBy: " id=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
            #expect(Set(ids).count == ids.count)
            for number in trace.entries.indices { #expect(text.contains("step-\(number + 1)\"")) }
            #expect(text.contains("Failed here") == trace.entries.contains { $0.failure != nil })
        }
        #expect(page.contains("default-src 'none'; style-src 'sha256-"))
        #expect(!page.contains("<script") && !page.contains("style=\"") && !page.contains("src=\""))
    }

    @Test("Hostile text is escaped, made visible and cut")
    func hostile() {
        for text in [SampleTraces.hostile.html, SampleTraces.hostile.svg()] {
            #expect(!text.contains("<script"))
            #expect(text.contains("⟨U+202E⟩"))
            #expect(!text.unicodeScalars.contains { [0, 0x1B, 0x202E, 0xFEFF, 0xFFFE].contains($0.value) })
            #expect(text.utf8.count < 40_000)
        }
        #expect(Markup.escaped("<a b=\"c\" d='e'>&") == "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;")
        #expect("a\u{0}\tb\u{7F}".visible == "a␀␉b␡")
    }

    @Test("The failing step is marked with what happened, why, what to do and the difference")
    func failure() {
        for text in [SampleTraces.failed.html, SampleTraces.failed.svg()] {
            #expect(text.contains("class=\"failed\""))
            #expect(text.contains("Failed at step 7"))
            #expect(text.contains("The server refused the code (invalid_grant)."))
            #expect(text.contains("the code was used before"))
            #expect(text.contains("start a new sign-in"))
            #expect(text.contains("only one of them ends in a slash"))
        }
        #expect(SampleTraces.failed.html.contains("<mark>/</mark>"))
        #expect(SampleTraces.failed.html.contains("<mark>⟨end⟩</mark>"))
    }

    @Test("The steps stand below each other and inside of the picture", arguments: SampleTraces.all)
    func layout(trace: Trace) {
        let layout = TraceLayout(trace)
        #expect(layout.steps.count == trace.entries.count)
        #expect(layout.lanes.map(\.party) == trace.parties)
        var bottom = 0
        for step in layout.steps {
            #expect(step.y > bottom)
            bottom = max(step.lines.map(\.y).max() ?? step.y, step.failure?.upperBound ?? 0)
            #expect(step.lines.allSatisfy { $0.x >= TraceLayout.margin && $0.x < TraceLayout.width })
        }
        #expect(layout.height > bottom)
        #expect(Set(layout.lanes.map(\.x)).count == layout.lanes.count)
    }

    @Test("Lines break at spaces, leave tags whole and end in an ellipsis")
    func wrapping() {
        #expect(TraceLayout.wrapped("one two three", to: 8, most: 3) == ["one two", "three"])
        #expect(TraceLayout.wrapped("value ‹code 3f9a›", to: 12, most: 3) == ["value ", "‹code 3f9a›"])
        #expect(TraceLayout.wrapped("abcdefghijklmnopqrstuvwxyz", to: 8, most: 2) == ["abcdefgh", "ijklmno…"])
    }

    @Test("A text that is cut keeps its tags whole or leaves them out")
    func cutting() {
        for padding in 220...260 {
            let text =
                String(repeating: "a", count: padding) + "‹code 3f9a›" + String(repeating: "b", count: 300)
                + "‹state 77›" + String(repeating: "c", count: padding - 200)
            let pieces = TraceTags.pieces(of: text.cut(to: 300))
            #expect(
                !pieces.contains {
                    if case .plain(let words) = $0 { words.contains { "‹›".contains($0) } } else { false }
                })
        }
    }

    @Test("The browser has no address, and the others have theirs")
    func origins() {
        #expect(SampleTraces.good.origins(of: .browser).isEmpty)
        #expect(SampleTraces.good.origins(of: .authorizationServer) == [SampleTraces.server])
    }

    @Test("Who hears the picture hears the checks, the causes and what to do")
    func description() throws {
        let trace = SampleTraces.failed
        let text = trace.svg()
        let start = try #require(text.firstRange(of: "<desc id=\"trace-desc\">")).upperBound
        let end = try #require(text.firstRange(of: "</desc>")).lowerBound
        let words = text[start..<end]
        for check in trace.entries.flatMap(\.checks) { #expect(words.contains(Markup.escaped(check))) }
        #expect(words.contains("Likely: ") && words.contains("To do: ") && words.contains("start a new sign-in"))
    }

    @Test("A tag has one tint wherever it occurs, and up to twelve tags have different ones")
    func tags() {
        let tags = TraceTags(SampleTraces.good)
        #expect(tags.steps.first { $0.tag == "‹code 3f9a›" }?.steps == [6, 7])
        #expect(Set(tags.steps.map { tags.tint(of: $0.tag) }).count == tags.steps.count)
        #expect(TraceTags.pieces(of: "Bearer ‹a 1›!") == [.plain("Bearer "), .tag("‹a 1›"), .plain("!")])
        #expect(TraceTags.pieces(of: "‹open") == [.plain("‹open")])
    }

    @Test("Every ink has a contrast of 4.5 to 1 on every ground it stands on")
    func contrast() {
        for palette in [TracePalette.light, .dark, .print] {
            #expect(palette.tints.count == TracePalette.tintCount)
            for ground in [palette.paper, palette.card] {
                for ink in [palette.ink, palette.soft, palette.accent, palette.good, palette.alarm] {
                    #expect(Self.contrast(ink, ground) >= 4.5, "\(ink) on \(ground)")
                }
            }
            for ink in [palette.ink, palette.soft, palette.alarm] {
                #expect(Self.contrast(ink, palette.alarmGround) >= 4.5, "\(ink) on \(palette.alarmGround)")
            }
            for tint in palette.tints { #expect(Self.contrast(palette.ink, tint) >= 4.5, "ink on \(tint)") }
        }
    }

    @Test(
        "Writes the samples to be looked at",
        .enabled(if: ProcessInfo.processInfo.environment["TERN_PICTURES"] != nil, "TERN_PICTURES names no folder"))
    func samples() throws {
        let folder = try #require(ProcessInfo.processInfo.environment["TERN_PICTURES"])
        for (name, trace) in zip(["good", "failed", "long", "hostile", "empty"], SampleTraces.all) {
            let pictures: [(String, String)] = [
                ("html", trace.html), ("svg", trace.svg()), ("dark.svg", trace.svg(theme: Trace.Theme.dark)),
                ("json", JSON.object(trace.json).text),
            ]
            for (ending, text) in pictures {
                try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name).\(ending)"))
            }
        }
    }

    /// The first end tag that ends something else, or the first bare character; `nil` in well-formed text.
    static func fault(in text: String) -> String? {
        var open: [Substring] = []
        var rest = text.replacingOccurrences(of: "<!DOCTYPE html>", with: "")[...]
        while let start = rest.firstIndex(of: "<") {
            guard let end = rest[start...].firstIndex(of: ">") else { return "an open <" }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasSuffix("/") { continue }
            if tag.hasPrefix("/") {
                if open.popLast() != tag.dropFirst() { return "</\(tag.dropFirst())>" }
            } else {
                if tag.filter({ $0 == "\"" }).count % 2 != 0 || tag.contains("<") { return "<\(tag)>" }
                open.append(tag.prefix { $0 != " " })
            }
        }
        return open.last.map(String.init)
    }

    /// The contrast of WCAG 2.2.
    private static func contrast(_ one: String, _ other: String) -> Double {
        func luminance(_ colour: String) -> Double {
            let value: Int = Int(colour.dropFirst(), radix: 16) ?? 0
            let parts = [value >> 16, value >> 8 & 255, value & 255].map { part -> Double in
                let part = Double(part) / 255
                return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
        }
        let (a, b) = (luminance(one), luminance(other))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }
}
