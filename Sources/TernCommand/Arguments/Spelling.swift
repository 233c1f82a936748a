/// Finds what a misspelt word was probably meant to be.
enum Spelling {
    /// The known word with the fewest changes, where these are few enough.
    static func nearest(to word: String, among known: [String]) -> String? {
        guard word.count <= 64 else { return nil }
        let best = known.map { (word: $0, changes: distance(word, $0)) }.min { $0.changes < $1.changes }
        guard let best, best.changes <= max(1, word.count / 3) else {
            return known.first { word.count >= 4 && $0.hasPrefix(word) }
        }
        return best.word
    }

    /// How many letters must be changed, added, left out or swapped with their neighbour.
    static func distance(_ one: String, _ other: String) -> Int {
        let one = Array(one)
        let other = Array(other)
        var rows = [Array(0...other.count)]
        for row in one.indices {
            var current = [row + 1]
            for column in other.indices {
                let same = one[row] == other[column]
                var best = min(current[column] + 1, rows[row][column + 1] + 1, rows[row][column] + (same ? 0 : 1))
                if row > 0, column > 0, one[row] == other[column - 1], one[row - 1] == other[column] {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[one.count][other.count]
    }
}
