/// The tags that stand for secrets in a trace, such as `‹code 3f9a›`: where each occurs, and its tint.
struct TraceTags: Sendable {
    /// A part of a text: plain words or a tag.
    enum Piece: Sendable, Hashable {
        case plain(String)
        case tag(String)
    }

    /// The tags in the order of their first step, with the numbers of their steps.
    private(set) var steps: [(tag: String, steps: [Int])] = []
    private var tints: [String: Int] = [:]

    init(_ trace: Trace) {
        var places: [String: Int] = [:]
        var taken: Set<Int> = []
        for (index, entry) in trace.entries.enumerated() {
            for text in [entry.title] + entry.facts.map(\.value) + entry.checks {
                for case .tag(let tag) in Self.pieces(of: text) {
                    if let place = places[tag] {
                        if steps[place].steps.last != index + 1 { steps[place].steps.append(index + 1) }
                        continue
                    }
                    places[tag] = steps.count
                    steps.append((tag, [index + 1]))
                    if taken.count == TracePalette.tintCount { taken = [] }
                    // From the tag itself, so that it looks the same in two traces; the next one where that is taken.
                    let wanted = tag.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
                    let first = Int(wanted % UInt32(TracePalette.tintCount))
                    let tint = (0..<TracePalette.tintCount).lazy.map { ($0 + first) % TracePalette.tintCount }
                        .first { !taken.contains($0) }
                    taken.insert(tint ?? first)
                    tints[tag] = tint ?? first
                }
            }
        }
    }

    func tint(of tag: String) -> Int { tints[tag] ?? 0 }

    /// The longest text that counts as a tag, in code points.
    private static let longestTag = 48

    /// Takes a text apart. What opens and does not close soon is no tag.
    static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var plain = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == "‹", let end = rest.prefix(longestTag).firstIndex(of: "›"),
                !rest[rest.index(after: rest.startIndex)..<end].contains("‹")
            {
                if !plain.isEmpty { pieces.append(.plain(String(plain))) }
                plain = .init()
                pieces.append(.tag(String(rest[...end])))
                rest = rest[rest.index(after: end)...]
            } else {
                plain.append(scalar)
                rest = rest.dropFirst()
            }
        }
        if !plain.isEmpty { pieces.append(.plain(String(plain))) }
        return pieces
    }
}
