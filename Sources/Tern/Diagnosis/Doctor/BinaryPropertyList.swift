/// Reads a binary property list: `bplist00`, objects, a table of their offsets, and a trailer of 32 bytes that says
/// where the table is.
struct BinaryPropertyList {
    static let magic: [UInt8] = Array("bplist0".utf8)

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let table: Int
    private var valueCount = 0

    private static let trailerByteCount = 32

    static func read(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyListValue {
        let trailer = bytes.count - trailerByteCount
        guard trailer >= 8 else { throw PropertyListError("it ends too early", at: bytes.count) }
        func number(_ offset: Int) -> Int? { integer(bytes[(trailer + offset)..<(trailer + offset + 8)]) }
        let sizes = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard (1...8).contains(sizes.0), (1...8).contains(sizes.1), let count = number(8), let top = number(16),
            let table = number(24), table <= trailer, count <= (trailer - table) / sizes.0
        else { throw PropertyListError("its trailer is damaged", at: trailer) }
        var reader = BinaryPropertyList(
            bytes: bytes, offsetSize: sizes.0, referenceSize: sizes.1, objectCount: count, table: table)
        return try reader.value(top, depth: 0)
    }

    private init(bytes: [UInt8], offsetSize: Int, referenceSize: Int, objectCount: Int, table: Int) {
        self.bytes = bytes
        self.offsetSize = offsetSize
        self.referenceSize = referenceSize
        self.objectCount = objectCount
        self.table = table
    }

    private mutating func value(_ index: Int, depth: Int) throws(PropertyListError) -> PropertyListValue {
        valueCount += 1
        // Objects may be used more than once, so the count of values is not that of objects.
        guard depth < PropertyListValue.maximumDepth else { throw PropertyListError("it is nested too deeply", at: 0) }
        guard valueCount <= PropertyListValue.maximumValueCount else {
            throw PropertyListError("it holds too many values", at: 0)
        }
        guard index < objectCount,
            let offset = Self.integer(bytes[(table + index * offsetSize)..<(table + (index + 1) * offsetSize)]),
            offset < table
        else { throw PropertyListError("an object is outside of it", at: table) }
        let marker = bytes[offset]
        switch marker >> 4 {
        case 0x0:
            if marker == 0x08 || marker == 0x09 { return .bool(marker == 0x09) }
            return .other
        case 0x1: return .number(try wholeNumber(at: offset).value)
        case 0x2: return try real(at: offset)
        case 0x3, 0x4, 0x8: return .other
        case 0x5, 0x6:
            let (count, start) = try length(at: offset)
            let isWide = marker >> 4 == 0x6
            let range = try slice(start, count, of: isWide ? 2 : 1)
            return .string(isWide ? Self.wideText(bytes[range]) : String(decoding: bytes[range], as: UTF8.self))
        case 0xA, 0xB, 0xC:
            let (count, start) = try length(at: offset)
            return .array(try values(try references(start, count), depth: depth))
        case 0xD:
            let (count, start) = try length(at: offset)
            let keys = try references(start, count)
            let values = try values(try references(start + count * referenceSize, count), depth: depth)
            return .dictionary(try dictionary(keys, values, depth: depth, at: offset))
        default: throw PropertyListError("an object is of an unknown kind", at: offset)
        }
    }

    private mutating func values(
        _ indexes: [Int], depth: Int
    ) throws(PropertyListError) -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        for index in indexes { values.append(try value(index, depth: depth + 1)) }
        return values
    }

    private mutating func dictionary(
        _ keys: [Int], _ values: [PropertyListValue], depth: Int, at offset: Int
    ) throws(PropertyListError) -> [String: PropertyListValue] {
        var dictionary: [String: PropertyListValue] = [:]
        for (key, value) in zip(keys, values) {
            guard let name = try self.value(key, depth: depth + 1).string else {
                throw PropertyListError("a key is no text", at: offset)
            }
            guard dictionary.updateValue(value, forKey: name) == nil else {
                throw PropertyListError("the key \"\(Shown.text(name))\" occurs twice", at: offset)
            }
        }
        return dictionary
    }

    private func references(_ start: Int, _ count: Int) throws(PropertyListError) -> [Int] {
        let range = try slice(start, count, of: referenceSize)
        var indexes: [Int] = []
        for at in stride(from: range.lowerBound, to: range.upperBound, by: referenceSize) {
            guard let index = Self.integer(bytes[at..<(at + referenceSize)]) else {
                throw PropertyListError("an object is outside of it", at: at)
            }
            indexes.append(index)
        }
        return indexes
    }

    /// How many parts an object has, and where they begin.
    private func length(at offset: Int) throws(PropertyListError) -> (count: Int, start: Int) {
        let short = Int(bytes[offset] & 0x0F)
        guard short == 0x0F else { return (short, offset + 1) }
        guard offset + 1 < table, bytes[offset + 1] >> 4 == 0x1 else {
            throw PropertyListError("a length is missing", at: offset)
        }
        let (value, end) = try wholeNumber(at: offset + 1)
        guard value >= 0, value <= Double(bytes.count) else { throw PropertyListError("a length is wrong", at: offset) }
        return (Int(value), end)
    }

    /// A whole number, which is negative only in the form of eight bytes.
    private func wholeNumber(at offset: Int) throws(PropertyListError) -> (value: Double, end: Int) {
        let range = try slice(offset + 1, 1, of: 1 << Int(bytes[offset] & 0x0F))
        let bits = bytes[range].suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let value = range.count >= 8 ? Double(Int64(bitPattern: bits)) : Double(bits)
        return (value, range.upperBound)
    }

    private func real(at offset: Int) throws(PropertyListError) -> PropertyListValue {
        let range = try slice(offset + 1, 1, of: 1 << Int(bytes[offset] & 0x0F))
        let bits = bytes[range].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch range.count {
        case 4: return .number(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
        case 8: return .number(Double(bitPattern: bits))
        default: throw PropertyListError("a number cannot be read", at: offset)
        }
    }

    /// The bytes of parts of one size, which must lie before the table.
    private func slice(_ start: Int, _ count: Int, of size: Int) throws(PropertyListError) -> Range<Int> {
        guard start <= table, count >= 0, size <= 16 || count == 0, count <= (table - start) / max(size, 1) else {
            throw PropertyListError("an object ends outside of it", at: start)
        }
        return start..<(start + count * size)
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int? {
        Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private static func wideText(_ bytes: ArraySlice<UInt8>) -> String {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }
}
