/// What was known when an error arose. It makes the explanation better and changes nothing else: it holds no secret, and
/// errors that differ in it alone are equal.
public struct Evidence: Sendable, Hashable {
    /// What speaks for one cause or against another.
    public var clues: Set<Clue>
    /// Texts that should have been the same.
    public var comparisons: [Comparison]

    /// Collects what is known.
    public init(_ clues: Set<Clue> = [], comparisons: [Comparison] = []) {
        self.clues = clues
        self.comparisons = comparisons
    }

    /// Adds what somebody else knows.
    public mutating func formUnion(_ other: Evidence) {
        clues.formUnion(other.clues)
        for comparison in other.comparisons where !comparisons.contains(comparison) { comparisons.append(comparison) }
    }
}

extension TernError {
    /// The same error with more that is known about it.
    public func with(_ more: Evidence) -> TernError {
        var error = self
        error.evidence.formUnion(more)
        return error
    }

    /// The same error with one more comparison, and the clue that follows from it.
    public func comparing(_ comparison: Comparison, as clue: (Difference) -> Clue) -> TernError {
        guard let difference = comparison.difference else { return self }
        return with(Evidence([clue(difference)], comparisons: [comparison]))
    }
}
