/// Why bytes are not the property list that was asked for, and where. It holds nothing of the bytes.
public struct PropertyListError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in a few words.
    public let problem: String

    /// Where, in bytes from the start.
    public let offset: Int

    init(_ problem: String, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }

    /// What is wrong and where, in a sentence.
    public var description: String { "not a property list: \(problem), at offset \(offset)" }
}

extension PropertyListValue {
    /// The largest property list read, in bytes.
    public static let maximumByteCount = 1 << 20

    /// How deep lists and dictionaries may lie in each other.
    static let maximumDepth = 64

    /// How many values one property list may hold.
    static let maximumValueCount = 100_000

    /// Reads a property list, as XML in UTF-8 or binary. Those of the oldest form, with braces and equals signs, are
    /// not read.
    ///
    /// - Parameter bytes: the contents of the file.
    /// - Throws: ``PropertyListError`` with the first fault, or the limit that was passed.
    public init(parsing bytes: [UInt8]) throws(PropertyListError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw PropertyListError("it is larger than \(Self.maximumByteCount) bytes", at: Self.maximumByteCount)
        }
        if bytes.starts(with: BinaryPropertyList.magic) {
            self = try BinaryPropertyList.read(bytes)
        } else {
            self = try XMLPropertyList.read(bytes)
        }
    }
}
