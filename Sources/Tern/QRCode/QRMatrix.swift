/// The modules of a code while it is put together.
struct QRMatrix {
    let size: Int
    private(set) var dark: [Bool]
    /// The modules that are no data, and lie under no mask.
    private var isFixed: [Bool]
    private let correction: QRCode.Correction

    init(_ layout: QRLayout, _ codewords: [UInt8]) {
        size = layout.size
        dark = [Bool](repeating: false, count: layout.size * layout.size)
        isFixed = dark
        correction = layout.correction
        drawTiming()
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(x, y) }
        drawAlignments(layout.version)
        drawFormat(mask: 0)
        drawVersion(layout.version)
        place(codewords)
    }

    /// The same code with a mask over its data, and the mask's number beside it.
    func masked(_ mask: Int) -> QRMatrix {
        var copy = self
        for y in 0..<size {
            for x in 0..<size where !isFixed[y * size + x] && Self.inverts(mask, x, y) {
                copy.dark[y * size + x].toggle()
            }
        }
        copy.drawFormat(mask: mask)
        return copy
    }

    private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    private mutating func fix(_ x: Int, _ y: Int, _ isDark: Bool) {
        guard (0..<size).contains(x), (0..<size).contains(y) else { return }
        dark[y * size + x] = isDark
        isFixed[y * size + x] = true
    }

    private mutating func drawTiming() {
        for at in 0..<size {
            fix(6, at, at % 2 == 0)
            fix(at, 6, at % 2 == 0)
        }
    }

    /// Rings around a corner's middle, with the light edge.
    private mutating func drawFinder(_ x: Int, _ y: Int) {
        for dy in -4...4 {
            for dx in -4...4 {
                let distance = max(abs(dx), abs(dy))
                fix(x + dx, y + dy, distance != 2 && distance != 4)
            }
        }
    }

    private mutating func drawAlignments(_ version: Int) {
        guard version > 1 else { return }
        // Up to version 10 the marks stand at both ends and, from version 7 on, in the middle.
        let last = size - 7
        let places = version < 7 ? [6, last] : [6, (6 + last) / 2 / 2 * 2, last]
        for y in places {
            for x in places where !(x == 6 && y == 6) && !(x == 6 && y == last) && !(x == last && y == 6) {
                for dy in -2...2 {
                    for dx in -2...2 { fix(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) }
                }
            }
        }
    }

    /// Error correction and mask, twice, in a code of its own.
    private mutating func drawFormat(mask: Int) {
        let level =
            switch correction {
            case .low: 1
            case .medium: 0
            }
        let data = level << 3 | mask
        let bits = (data << 10 | Self.remainder(data, 10, 0x537)) ^ 0x5412
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { fix(8, index, bit(index)) }
        fix(8, 7, bit(6))
        fix(8, 8, bit(7))
        fix(7, 8, bit(8))
        for index in 9..<15 { fix(14 - index, 8, bit(index)) }
        for index in 0..<8 { fix(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { fix(8, size - 15 + index, bit(index)) }
        fix(8, size - 8, true)
    }

    private mutating func drawVersion(_ version: Int) {
        guard version >= 7 else { return }
        let bits = version << 12 | Self.remainder(version, 12, 0x1F25)
        for index in 0..<18 {
            let (far, near) = (size - 11 + index % 3, index / 3)
            fix(far, near, bits >> index & 1 == 1)
            fix(near, far, bits >> index & 1 == 1)
        }
    }

    private static func remainder(_ data: Int, _ count: Int, _ divisor: Int) -> Int {
        var rest = data
        for _ in 0..<count { rest = rest << 1 ^ (rest >> (count - 1)) * divisor }
        return rest
    }

    /// Two columns at a time, from the right, up and down in turn; the column of the timing is left out.
    private mutating func place(_ codewords: [UInt8]) {
        var index = 0
        var right = size - 1
        while right >= 1 {
            if right == 6 { right = 5 }
            let goesUp = (right + 1) & 2 == 0
            for step in 0..<size {
                let y = goesUp ? size - 1 - step : step
                for x in [right, right - 1] where !isFixed[y * size + x] && index < codewords.count * 8 {
                    dark[y * size + x] = codewords[index >> 3] >> UInt8(7 - index & 7) & 1 == 1
                    index += 1
                }
            }
            right -= 2
        }
    }

    /// How hard the code is to read: runs, blocks, patterns like a corner, and too much of one colour.
    var penalty: Int {
        var total = 0
        for line in 0..<size {
            total += Self.penalty(ofLine: (0..<size).map { dark[line * size + $0] })
            total += Self.penalty(ofLine: (0..<size).map { dark[$0 * size + line] })
        }
        for y in 0..<size - 1 {
            for x in 0..<size - 1 {
                let one = dark[y * size + x]
                if one == dark[y * size + x + 1], one == dark[(y + 1) * size + x], one == dark[(y + 1) * size + x + 1] {
                    total += 3
                }
            }
        }
        let percent = dark.count(where: \.self) * 100 / dark.count
        return total + abs(percent - 50) / 5 * 10
    }

    private static let corner: [Bool] = [true, false, true, true, true, false, true]

    private static func penalty(ofLine line: [Bool]) -> Int {
        var total = 0
        var run = 0
        for index in line.indices {
            run = index > 0 && line[index] == line[index - 1] ? run + 1 : 1
            if run == 5 { total += 3 } else if run > 5 { total += 1 }
        }
        func isLight(_ range: Range<Int>) -> Bool { range.allSatisfy { !line.indices.contains($0) || !line[$0] } }
        for start in 0...line.count - corner.count where Array(line[start..<start + corner.count]) == corner {
            let end = start + corner.count
            if isLight(start - 4..<start) || isLight(end..<end + 4) { total += 40 }
        }
        return total
    }
}
