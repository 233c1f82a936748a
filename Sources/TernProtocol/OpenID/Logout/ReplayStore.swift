internal import TernCrypto
public import TernJOSE

/// Remembers the names of tokens that may be taken once, until they are over.
///
/// A service of several processes needs one that they share, such as a table with a unique column.
public protocol ReplayStore: Sendable {
    /// Remembers a name, as one step against every other caller.
    ///
    /// - Parameters:
    ///   - name: the name; whoever else makes names for the same store begins them otherwise.
    ///   - end: until when it must be remembered.
    ///   - now: the time.
    /// - Returns: whether it is new; `false` when it is remembered already.
    /// - Throws: ``TernError`` with `storeUnavailable` when that cannot be told now.
    func note(_ name: String, until end: NumericDate, now: NumericDate) async throws(TernError) -> Bool
}

/// A replay store in memory, for a service of one process. It forgets with the process.
///
/// It is bounded: when it is full and nothing in it is over, the name that would be over first makes room.
public final class MemoryReplayStore: ReplayStore {
    /// How many names it holds at most.
    public let capacity: Int
    private let names = Locked<[String: NumericDate]>([:])

    /// The capacity where nothing is said: 10,000 names.
    public static let standardCapacity = 10_000

    /// Makes an empty store for so many names, one at least.
    public init(capacity: Int = MemoryReplayStore.standardCapacity) { self.capacity = max(1, capacity) }

    /// How many names it holds.
    public var count: Int { names.withLock { $0.count } }

    /// Remembers a name; it never throws.
    public func note(_ name: String, until end: NumericDate, now: NumericDate) async throws(TernError) -> Bool {
        names.withLock { names in
            if let known = names[name], known > now { return false }
            names[name] = nil
            if names.count >= capacity {
                names = names.filter { $0.value > now }
                if names.count >= capacity, let first = names.min(by: { $0.value < $1.value })?.key {
                    names[first] = nil
                }
            }
            names[name] = end
            return true
        }
    }
}
