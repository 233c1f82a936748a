/// A QR code of a short text, such as the address at which a device is signed in (ISO/IEC 18004).
///
/// It is a square of ``size`` modules a side, to be drawn with four light modules around it. ``isDark(_:_:)`` tells which
/// ones are dark. Versions 1 to 10, bytes, error correction L or M.
public struct QRCode: Sendable, Hashable {
    /// How much of the code may be unreadable.
    public enum Correction: Sendable, Hashable, CaseIterable {
        /// About 7 per cent: the smallest code.
        case low
        /// About 15 per cent.
        case medium
    }

    /// How many modules a side has: 21 to 57.
    public let size: Int
    /// Which of the eight patterns lies over the data.
    public let mask: Int
    private let modules: [Bool]

    /// The most bytes that a code takes, with ``Correction/low``: 271.
    public static let maximumByteCount = 271

    /// Makes the smallest code of a text.
    ///
    /// - Parameters:
    ///   - text: the text, which is written in UTF-8.
    ///   - correction: how much of the code may be unreadable.
    /// - Returns: `nil` when the text is too long.
    public init?(_ text: String, correction: Correction = .medium) {
        self.init(text, correction, mask: nil)
    }

    /// - Parameter wanted: the mask to take; the one that makes the code easiest to read where `nil`.
    init?(_ text: String, _ correction: Correction, mask wanted: Int?) {
        guard let layout = QRLayout.smallest(for: text.utf8.count, correction) else { return nil }
        let codewords = layout.codewords(of: Array(text.utf8))
        let base = QRMatrix(layout, codewords)
        let masked = (0..<8).map { base.masked($0) }
        let best = wanted ?? masked.indices.min { masked[$0].penalty < masked[$1].penalty } ?? 0
        size = base.size
        mask = best
        modules = masked[best].dark
    }

    /// Whether a module is dark; outside of the code everything is light.
    ///
    /// - Parameters:
    ///   - x: the column, from the left.
    ///   - y: the row, from the top.
    public func isDark(_ x: Int, _ y: Int) -> Bool {
        guard (0..<size).contains(x), (0..<size).contains(y) else { return false }
        return modules[y * size + x]
    }

    /// The code in characters, two rows of modules a line, with four light modules around it: for a terminal whose text is
    /// light on dark. A terminal that is dark on light shows it inverted, which readers take as well.
    public var lines: [String] {
        stride(from: -4, to: size + 4, by: 2).map { y in
            String(
                (-4..<size + 4).map { x -> Character in
                    switch (isDark(x, y), isDark(x, y + 1)) {
                    case (false, false): "\u{2588}"
                    case (false, true): "\u{2580}"
                    case (true, false): "\u{2584}"
                    case (true, true): " "
                    }
                })
        }
    }
}
