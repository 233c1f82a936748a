/// How a version of the code divides its room between data and error correction.
struct QRLayout {
    let version: Int
    let correction: QRCode.Correction
    /// How many codewords of error correction each block has.
    private let correctionCount: Int
    /// How many codewords of data each block has, the shorter blocks first.
    private let blocks: [Int]

    var size: Int { 17 + 4 * version }

    private var dataCount: Int { blocks.reduce(0, +) }

    /// Error correction per block, blocks, and the data of all blocks, by version; ISO/IEC 18004, table 9.
    private static let low = [
        (7, 1, 19), (10, 1, 34), (15, 1, 55), (20, 1, 80), (26, 1, 108), (18, 2, 136), (20, 2, 156), (24, 2, 194),
        (30, 2, 232), (18, 4, 274),
    ]
    private static let medium = [
        (10, 1, 16), (16, 1, 28), (26, 1, 44), (18, 2, 64), (24, 2, 86), (16, 4, 108), (18, 4, 124), (22, 4, 154),
        (22, 5, 182), (26, 5, 216),
    ]

    /// The smallest version that takes so many bytes.
    static func smallest(for count: Int, _ correction: QRCode.Correction) -> QRLayout? {
        (1...10).lazy.map { QRLayout($0, correction) }.first { $0.capacity >= count }
    }

    private init(_ version: Int, _ correction: QRCode.Correction) {
        let table =
            switch correction {
            case .low: Self.low
            case .medium: Self.medium
            }
        let (perBlock, blockCount, data) = table[version - 1]
        self.version = version
        self.correction = correction
        correctionCount = perBlock
        let (short, longer) = (data / blockCount, data % blockCount)
        blocks = (0..<blockCount).map { $0 < blockCount - longer ? short : short + 1 }
    }

    /// How many bits say how many bytes there are.
    private var lengthBits: Int { version < 10 ? 8 : 16 }

    /// How many bytes fit: the mode takes four bits.
    private var capacity: Int { (8 * dataCount - 4 - lengthBits) / 8 }

    /// Data and error correction, in the order in which they are placed.
    func codewords(of bytes: [UInt8]) -> [UInt8] {
        let data = padded(bytes)
        var rest = data[...]
        var dataBlocks: [[UInt8]] = []
        for count in blocks {
            dataBlocks.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        let corrections = dataBlocks.map { ReedSolomon.remainder(of: $0, count: correctionCount) }
        return Self.interleaved(dataBlocks) + Self.interleaved(corrections)
    }

    private func padded(_ bytes: [UInt8]) -> [UInt8] {
        var bits = BitWriter()
        bits.append(0b0100, count: 4)
        bits.append(bytes.count, count: lengthBits)
        for byte in bytes { bits.append(Int(byte), count: 8) }
        bits.append(0, count: min(4, 8 * dataCount - bits.count))
        bits.fillByte()
        var data = bits.bytes
        var pad: UInt8 = 0xEC
        while data.count < dataCount {
            data.append(pad)
            pad = pad == 0xEC ? 0x11 : 0xEC
        }
        return data
    }

    private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
        let longest = blocks.map(\.count).max() ?? 0
        return (0..<longest).flatMap { index in blocks.compactMap { $0.indices.contains(index) ? $0[index] : nil } }
    }
}

/// Collects bits, the highest first.
private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    mutating func append(_ value: Int, count bits: Int) {
        for bit in (0..<bits).reversed() {
            if count % 8 == 0 { bytes.append(0) }
            if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 0x80 >> UInt8(count % 8) }
            count += 1
        }
    }

    mutating func fillByte() { count = bytes.count * 8 }
}

/// Error correction over the field of 256 elements with the polynomial x^8 + x^4 + x^3 + x^2 + 1.
enum ReedSolomon {
    /// The remainder that is sent behind the data.
    static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
        let divisor = generator(count)
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder[0]
            remainder = Array(remainder.dropFirst()) + [0]
            for index in 0..<count { remainder[index] ^= multiply(divisor[index], factor) }
        }
        return remainder
    }

    /// The product of (x - 2^i) for so many i, without its leading one.
    private static func generator(_ count: Int) -> [UInt8] {
        var polynomial = [UInt8](repeating: 0, count: count - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<count {
            for index in 0..<count {
                polynomial[index] = multiply(polynomial[index], root)
                if index + 1 < count { polynomial[index] ^= polynomial[index + 1] }
            }
            root = multiply(root, 2)
        }
        return polynomial
    }

    private static func multiply(_ one: UInt8, _ other: UInt8) -> UInt8 {
        var product = 0
        for bit in (0..<8).reversed() {
            product = product << 1 ^ (product >> 7) * 0x11D
            if other >> UInt8(bit) & 1 == 1 { product ^= Int(one) }
        }
        return UInt8(product & 0xFF)
    }
}
