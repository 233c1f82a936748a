internal import TernJOSE

/// What may come once: proofs and assertions, each until the time at which it would not be taken any more.
struct UsedOnce: Sendable {
    private var ends: [String: NumericDate] = [:]

    /// Uses a thing up.
    ///
    /// - Returns: whether it had not been used before.
    mutating func use(_ name: String, until end: NumericDate) -> Bool { ends.updateValue(end, forKey: name) == nil }

    mutating func forget(before now: NumericDate) { ends = ends.filter { $0.value > now } }
}
