internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

extension Trace {
    /// The trace as a page that needs nothing else: no script, and a content security policy that lets nothing be loaded.
    ///
    /// Long values are cut at 300 characters, lists at 100 lines; ``json`` has everything.
    public var html: String {
        let tags = TraceTags(self)
        let style = TraceStylesheet.text
        let hash = Base64.encode(HashFunction.sha256.digest(Array(style.utf8)))
        let steps = Markup(joining: entries.indices.map { step($0, tags) })
        let title = title.cut(to: Self.longestValue)
        let page: Markup = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta name="color-scheme" content="light dark"/>
            <title>\(title)</title>
            <style>\(Markup(known: style))</style>
            </head>
            <body>
            <main>
            <h1><bdi>\(title)</bdi></h1>
            <p class="\(hasFailed ? "verdict bad" : "verdict")"><span aria-hidden="true">\(hasFailed ? "✕" : "✓")</span> \(outcome)</p>
            <p class="soft">Began \(startedAt.description). A secret is shown as a tag; the same tag is the same secret.</p>
            \(participants)<h2>Steps</h2>
            \(head)<ol class="steps" role="list">
            \(steps)</ol>
            \(legend(tags))</main>
            </body>
            </html>

            """
        return page.text
    }

    static let longestValue = 300
    private static let longestList = 100

    private var hasFailed: Bool { entries.contains { $0.failure != nil } }

    private var participants: Markup {
        let rows = parties.map { party -> Markup in
            let origins = origins(of: party)
            let some = origins.prefix(5).map { $0.cut(to: Self.longestValue) }.joined(separator: ", ")
            return
                "<tr><th scope=\"row\">\(party.name)</th><td><bdi>\(some)</bdi>\(origins.count > 5 ? " …" : "")</td></tr>\n"
        }
        return rows.isEmpty
            ? ""
            : "<h2>Who takes part</h2>\n<table aria-label=\"Who takes part, and where\">\n\(Markup(joining: rows))</table>\n"
    }

    private var head: Markup {
        let names = parties.map { party -> Markup in "<span>\(party.name)</span>" }
        return "<div class=\"head\" aria-hidden=\"true\"><div>\(Markup(joining: names))</div></div>\n"
    }

    private func step(_ index: Int, _ tags: TraceTags) -> Markup {
        let entry = entries[index]
        let number = index + 1
        let title = words(entry.title, tags)
        let origin: Markup = entry.origin.map { " <code><bdi>\($0.cut(to: Self.longestValue))</bdi></code>" } ?? ""
        return """
            <li id="step-\(number)"\(entry.failure == nil ? "" : Markup(known: " class=\"failed\""))>\(lanes(entry))<div class="words">
            <h3>\(number). \(title)</h3>
            <p class="soft">\(entry.way)\(origin), \(entry.circumstances)</p>
            \(facts(entry, number, tags))\(checks(entry, tags))\(failure(entry))</div></li>

            """
    }

    /// Lifelines and one arrow, in percentages, so that the row may have any size.
    private func lanes(_ entry: Entry) -> Markup {
        let parties = parties
        func place(_ party: Party) -> String {
            let tenths = (2 * (parties.firstIndex(of: party) ?? 0) + 1) * 1_000 / (2 * max(1, parties.count))
            return "\(tenths / 10).\(tenths % 10)%"
        }
        let lines = parties.map { party -> Markup in
            "<line class=\"life\" x1=\"\(place(party))\" x2=\"\(place(party))\" y1=\"0\" y2=\"100%\"/>"
        }
        let from = place(entry.from)
        let to = place(entry.to)
        let isRightward = (parties.firstIndex(of: entry.from) ?? 0) < (parties.firstIndex(of: entry.to) ?? 0)
        let tip: Markup = isRightward ? "M-11-6L0 0L-11 6Z" : "M11-6L0 0L11 6Z"
        let cross: Markup = entry.failure == nil ? "" : "<path class=\"cross\" d=\"M-7 9L7 23M7 9L-7 23\"/>"
        let sign: Markup =
            entry.isNote
            ? "<svg x=\"\(from)\" y=\"28\" overflow=\"visible\"><circle class=\"dot\" r=\"6\"/>\(cross)</svg>"
            : """
            <line class="arrow" x1="\(from)" x2="\(to)" y1="28" y2="28"/><svg x="\(from)" y="28" overflow="visible"><circle class="dot" r="4"/></svg><svg x="\(to)" y="28" overflow="visible"><path class="tip" d="\(tip)"/>\(cross)</svg>
            """
        return "<div class=\"lanes\" aria-hidden=\"true\"><svg>\(Markup(joining: lines))\(sign)</svg></div>"
    }

    private func facts(_ entry: Entry, _ number: Int, _ tags: TraceTags) -> Markup {
        if entry.facts.isEmpty { return "" }
        let rows = entry.facts.prefix(Self.longestList).map { fact -> Markup in
            "<tr><th scope=\"row\"><bdi>\(fact.name.cut(to: 80))</bdi></th><td>\(words(fact.value, tags))</td></tr>\n"
        }
        return
            "<table aria-label=\"What went along in step \(number)\">\n\(Markup(joining: rows))</table>\n\(rest(entry.facts.count))"
    }

    private func checks(_ entry: Entry, _ tags: TraceTags) -> Markup {
        if entry.checks.isEmpty { return "" }
        let lines = entry.checks.prefix(Self.longestList).map { check -> Markup in
            "<li><b aria-hidden=\"true\">✓</b>\(words(check, tags))</li>\n"
        }
        return
            "<ul class=\"checks\" role=\"list\" aria-label=\"Checked\">\n\(Markup(joining: lines))</ul>\n\(rest(entry.checks.count))"
    }

    private func rest(_ count: Int) -> Markup {
        count > Self.longestList ? "<p class=\"soft\">and \(count - Self.longestList) more</p>\n" : ""
    }

    private func failure(_ entry: Entry) -> Markup {
        guard let failure = entry.failure else { return "" }
        func list(_ title: String, _ texts: [String]) -> Markup {
            let lines = texts.prefix(Self.longestList).map { text -> Markup in
                "<li><bdi>\(text.cut(to: 600))</bdi></li>"
            }
            return lines.isEmpty ? "" : "<h4>\(title)</h4>\n<ol>\(Markup(joining: lines))</ol>\n"
        }
        let comparisons = failure.comparisons.prefix(Self.longestList).map { comparison -> Markup in
            func row(_ label: String, _ text: String) -> Markup {
                let same = String(text.prefix(comparison.commonLength)).cut(to: Self.longestValue)
                let rest = String(text.dropFirst(comparison.commonLength)).cut(to: Self.longestValue)
                let mark: Markup = comparison.difference == nil ? "" : "<mark>\(rest.isEmpty ? "⟨end⟩" : rest)</mark>"
                return "<tr><th scope=\"row\">\(label.cut(to: 80))</th><td><bdi>\(same)\(mark)</bdi></td></tr>\n"
            }
            let difference = comparison.difference?.description ?? "they are the same"
            return
                "<table aria-label=\"Two texts side by side\">\n\(row(comparison.firstLabel, comparison.first))\(row(comparison.secondLabel, comparison.second))</table>\n<p class=\"soft\">\(difference)</p>\n"
        }
        return """
            <div class="failure">
            <p><strong><span aria-hidden="true">✕</span> Failed here</strong> <code>\(failure.code)</code></p>
            <h4>What happened</h4>
            <p><bdi>\(failure.whatHappened.cut(to: 1_200))</bdi></p>
            \(Markup(joining: comparisons))\(list("Likely causes", failure.likelyCauses))\(list("What to do", failure.whatToDo))</div>

            """
    }

    private func words(_ text: String, _ tags: TraceTags) -> Markup {
        let pieces = TraceTags.pieces(of: text.cut(to: Self.longestValue)).map { piece -> Markup in
            switch piece {
            case .plain(let words): "<bdi>\(words)</bdi>"
            case .tag(let tag): "<span class=\"tag t\(tags.tint(of: tag))\">\(tag)</span>"
            }
        }
        return Markup(joining: pieces)
    }

    private func legend(_ tags: TraceTags) -> Markup {
        let rows = tags.steps.map { tag, steps -> Markup in
            let links = steps.map { step -> Markup in "<a href=\"#step-\(step)\">\(step)</a> " }
            return
                "<tr><th scope=\"row\"><span class=\"tag t\(tags.tint(of: tag))\">\(tag)</span></th><td>step \(Markup(joining: links))</td></tr>\n"
        }
        return rows.isEmpty
            ? ""
            : "<h2>Secrets, by their tags</h2>\n<table aria-label=\"Where each secret occurs\">\n\(Markup(joining: rows))</table>\n"
    }
}
