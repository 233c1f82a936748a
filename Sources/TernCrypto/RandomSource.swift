/// Where random bytes come from. Tests put in a source that repeats itself; everybody else uses ``SystemRandomSource``.
public protocol RandomSource: Sendable {
    /// Returns `count` bytes that nobody can predict.
    func bytes(_ count: Int) -> [UInt8]
}

/// The operating system's random numbers, fit for keys.
public struct SystemRandomSource: RandomSource {
    /// Makes the source; it has no state.
    public init() {}

    /// Returns `count` random bytes.
    public func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            var index = 0
            while index < count {
                var word = generator.next() as UInt64
                let end = min(count, index + 8)
                while index < end {
                    buffer[index] = UInt8(truncatingIfNeeded: word)
                    word >>= 8
                    index += 1
                }
            }
            filled = max(0, count)
        }
    }
}
