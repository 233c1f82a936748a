public import TernCrypto

/// Random bytes that are the same in every run: for tests alone, since anybody can predict them.
///
/// Copies share their state, so that two holders of one source do not get the same bytes.
public struct SeededRandomSource: RandomSource {
    private let state: Locked<UInt64>

    /// Makes a source; the same seed gives the same bytes.
    public init(seed: UInt64 = 1) { state = Locked(seed) }

    /// The next bytes of the sequence (SplitMix64 by Steele, Lea and Flood).
    public func bytes(_ count: Int) -> [UInt8] {
        state.withLock { state in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(max(0, count) + 8)
            while bytes.count < count {
                state &+= 0x9E37_79B9_7F4A_7C15
                var word = state
                word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
                word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
                word ^= word >> 31
                for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
            }
            return Array(bytes.prefix(max(0, count)))
        }
    }
}
