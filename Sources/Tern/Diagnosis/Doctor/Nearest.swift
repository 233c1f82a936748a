/// Finds the text that a mistaken one was probably meant to be.
enum Nearest {
    /// The text with the fewest changes, in capitals or not; `nil` where there is none at all.
    static func text(to wanted: String, among texts: [String]) -> String? {
        texts.prefix(maximumCount).map { ($0, distance(wanted.asciiLowercased, $0.asciiLowercased)) }
            .min { $0.1 < $1.1 }?.0
    }

    private static let maximumCount = 1_000
    private static let maximumLength = 200

    /// How many letters must be changed, added or left out.
    private static func distance(_ one: String, _ other: String) -> Int {
        let one = Array(one.unicodeScalars.prefix(maximumLength))
        let other = Array(other.unicodeScalars.prefix(maximumLength))
        var row = Array(0...other.count)
        for (index, scalar) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in other.indices {
                let change = diagonal + (scalar == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, row[column] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }
}
