/// How much JSON is read before a text is refused, so that hostile input costs little.
public struct JSONLimits: Sendable, Hashable {
    /// The longest text, in bytes. Longer ones are refused before a byte is read.
    public var maximumByteCount: Int

    /// How deep arrays and objects may lie in each other; `[]` is one deep. Values above ``greatestDepth`` count as that.
    public var maximumDepth: Int

    /// How many values the whole text may hold, those inside arrays and objects included.
    public var maximumValueCount: Int

    /// Whether a byte-order mark (EF BB BF) may come first. RFC 8259 §8.1 lets readers ignore it.
    public var allowsByteOrderMark: Bool

    /// The limits for what comes from a server: 1 MiB, 64 deep, 100,000 values, a byte-order mark allowed.
    public static let standard = JSONLimits()

    /// The standard for ``maximumByteCount``: 1 MiB.
    public static let standardByteCount = 1_048_576

    /// The standard for ``maximumDepth``: 64.
    public static let standardDepth = 64

    /// The standard for ``maximumValueCount``: 100,000.
    public static let standardValueCount = 100_000

    /// The depth that no limit exceeds, so that reading never runs out of stack: 256.
    public static let greatestDepth = 256

    /// Makes limits; whatever is left out has its standard value.
    public init(
        maximumByteCount: Int = JSONLimits.standardByteCount,
        maximumDepth: Int = JSONLimits.standardDepth,
        maximumValueCount: Int = JSONLimits.standardValueCount,
        allowsByteOrderMark: Bool = true
    ) {
        self.maximumByteCount = maximumByteCount
        self.maximumDepth = maximumDepth
        self.maximumValueCount = maximumValueCount
        self.allowsByteOrderMark = allowsByteOrderMark
    }
}
