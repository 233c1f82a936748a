/// The blocks of a PEM text (RFC 7468), for systems and keys that are read in DER only.
package enum PEMText {
    /// One block.
    package struct Block: Sendable, Equatable {
        /// What it says to be, for example `CERTIFICATE`.
        package let label: String
        /// The DER bytes.
        package let bytes: [UInt8]
    }

    /// Every block of a text, in order; text around the blocks is passed over.
    ///
    /// - Returns: `nil` when a block cannot be read: authorities that were left out in silence would show only as servers
    ///   that are not trusted.
    package static func blocks(in text: [UInt8]) -> [Block]? {
        var found: [Block] = []
        var open: (label: [UInt8], content: [UInt8])?
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            var line = line[...]
            while let last = line.last, last == 0x20 || last == 0x09 { line.removeLast() }
            line = line.drop { $0 == 0x20 || $0 == 0x09 }
            if let label = label(of: line, after: "-----BEGIN ") {
                guard open == nil else { return nil }
                open = (label, [])
            } else if let label = label(of: line, after: "-----END ") {
                guard let block = open, block.label == label, let bytes = Base64.decode(block.content), !bytes.isEmpty
                else { return nil }
                found.append(Block(label: String(decoding: label, as: UTF8.self), bytes: bytes))
                open = nil
            } else {
                open?.content.append(contentsOf: line.filter { $0 != 0x20 && $0 != 0x09 })
            }
        }
        return open == nil ? found : nil
    }

    /// The DER bytes of every certificate.
    ///
    /// - Returns: `nil` when there is none, or a block that cannot be read.
    package static func certificates(in text: [UInt8]) -> [[UInt8]]? {
        let found = blocks(in: text)?.filter { $0.label == "CERTIFICATE" }.map(\.bytes) ?? []
        return found.isEmpty ? nil : found
    }

    private static func label(of line: ArraySlice<UInt8>, after beginning: String) -> [UInt8]? {
        let (start, end) = (Array(beginning.utf8), Array("-----".utf8))
        guard line.count > start.count + end.count, line.starts(with: start), line.suffix(end.count).elementsEqual(end)
        else { return nil }
        return Array(line.dropFirst(start.count).dropLast(end.count))
    }
}
