extension Trace {
    /// For which surroundings a picture is made.
    public enum Theme: Sendable, Hashable, CaseIterable {
        /// Light or dark, as the reader's system wants it.
        case automatic
        /// Dark on light, always.
        case light
        /// Light on dark, always.
        case dark
    }

    /// The trace as a sequence diagram that needs nothing else.
    ///
    /// Each text has at most a few lines, and a step shows at most 12 facts and checks; ``json`` has everything.
    public func svg(theme: Theme = .automatic) -> String {
        let layout = TraceLayout(self)
        let tags = TraceTags(self)
        let style: String =
            switch theme {
            case .light: Self.style(.light)
            case .dark: Self.style(.dark)
            case .automatic:
                "\(Self.style(.light))@media(prefers-color-scheme:dark){\(Self.style(.dark))}"
                    + "@media print{\(Self.style(.print))}"
            }
        let sentences = [outcome] + entries.enumerated().map { $0.element.sentences($0.offset + 1).cut(to: 1_200) }
        let steps = zip(layout.steps, entries).map { Self.drawn($0, $1, tags) }
        let picture: Markup = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(TraceLayout.width) \(layout.height)" width="\(TraceLayout.width)" height="\(layout.height)" role="img" lang="en" aria-labelledby="trace-title trace-desc">
            <title id="trace-title">\(title.cut(to: Self.longestValue))</title>
            <desc id="trace-desc">\(sentences.joined(separator: " "))</desc>
            <style>\(Markup(known: style))</style>
            <rect class="paper" width="100%" height="100%"/>
            <text class="title" x="\(TraceLayout.margin)" y="28">\(title.cut(to: 90))</text>
            <text class="meta" x="\(TraceLayout.margin)" y="46">\(outcome.cut(to: 110))</text>
            \(Markup(joining: layout.lanes.map { drawn($0.party, $0.x, layout) }))\(Markup(joining: steps))</svg>

            """
        return picture.text
    }

    private func drawn(_ party: Party, _ x: Int, _ layout: TraceLayout) -> Markup {
        let origins = origins(of: party)
        let room = (TraceLayout.width - 2 * TraceLayout.margin) / max(1, layout.lanes.count)
        // A character of this size is about six units wide.
        let columns = max(8, room / 6 - 1)
        let origin = TraceLayout.wrapped(origins.joined(separator: ", ").visible, to: columns, most: 2)
        let lines = origin.enumerated().map { index, line -> Markup in
            "<text class=\"origin\" x=\"\(x)\" y=\"\(90 + 13 * index)\">\(line)</text>\n"
        }
        return """
            <line class="life" x1="\(x)" x2="\(x)" y1="112" y2="\(layout.height - 10)"/>
            <text class="name" x="\(x)" y="74">\(party.name)</text>
            \(Markup(joining: lines))
            """
    }

    private static func drawn(_ step: TraceLayout.Step, _ entry: Entry, _ tags: TraceTags) -> Markup {
        let direction = step.toX > step.fromX ? -1 : 1
        let arrow: Markup =
            entry.isNote
            ? "<circle class=\"dot\" cx=\"\(step.fromX)\" cy=\"\(step.y)\" r=\"6\"/>"
            : """
            <line class="arrow" x1="\(step.fromX)" x2="\(step.toX)" y1="\(step.y)" y2="\(step.y)"/><circle class="dot" cx="\(step.fromX)" cy="\(step.y)" r="4"/><path class="dot" d="M\(step.toX + 11 * direction) \(step.y - 6)L\(step.toX) \(step.y)L\(step.toX + 11 * direction) \(step.y + 6)Z"/>
            """
        let box: Markup =
            step.failure.map { range in
                """
                <rect class="box" x="\(TraceLayout.margin)" width="\(TraceLayout.width - 2 * TraceLayout.margin)" y="\(range.lowerBound)" height="\(range.upperBound - range.lowerBound)" rx="8"/><path class="cross" d="M\(step.toX - 8) \(step.y - 8)l16 16m0-16l-16 16"/>
                """
            } ?? ""
        let lines = step.lines.map { line -> Markup in
            let words = TraceTags.pieces(of: line.text).map { piece -> Markup in
                switch piece {
                case .plain(let text): "\(text)"
                case .tag(let tag): "<tspan class=\"t\(tags.tint(of: tag))\">\(tag)</tspan>"
                }
            }
            return
                "<text class=\"\(line.style.rawValue)\" x=\"\(line.x)\" y=\"\(line.y)\">\(Markup(joining: words))</text>\n"
        }
        return """
            <g id="trace-step-\(step.number)"\(entry.failure == nil ? "" : Markup(known: " class=\"failed\""))>
            \(arrow)\(box)
            \(Markup(joining: lines))</g>

            """
    }

    /// The rules of one palette. Text has a rim of the paper's colour, which keeps lifelines from striking it through; a tag
    /// has one of its tint.
    private static func style(_ palette: TracePalette) -> String {
        """
        text{font:13px system-ui,sans-serif;fill:\(palette.ink);stroke:\(palette.card);stroke-width:5px;\
        paint-order:stroke;stroke-linejoin:round;white-space:pre}.paper{fill:\(palette.card)}\
        .title{font-weight:600;font-size:14px}.meta,.origin{fill:\(palette.soft);font-size:12px}\
        .name{font-weight:600;text-anchor:middle}.origin{text-anchor:middle;font-size:11px}\
        .fact{font:12px ui-monospace,monospace}.check{fill:\(palette.good)}\
        .box~.alarm,.box~.plain,.box~.fact,.box~.meta{stroke:none}.alarm{fill:\(palette.alarm);font-weight:600}\
        .life{stroke:\(palette.line);stroke-width:1.5}.arrow{stroke:\(palette.accent);stroke-width:2}.dot{fill:\(palette.accent)}\
        .box{fill:\(palette.alarmGround);stroke:\(palette.alarm);stroke-width:2}\
        .cross{stroke:\(palette.alarm);stroke-width:3;fill:none}.failed .dot{fill:\(palette.alarm)}\
        .failed .arrow{stroke:\(palette.alarm);stroke-width:3;stroke-dasharray:7 4}
        """ + palette.tints.enumerated().map { ".t\($0.offset){stroke:\($0.element);font-weight:600}" }.joined()
    }
}
