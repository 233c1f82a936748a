internal import TernCrypto

/// The certificates of a PEM text (RFC 7468), for systems that take them in DER only.
enum PEMText {
    /// The DER bytes of every `CERTIFICATE` block; text around the blocks and blocks of other kinds are passed over.
    ///
    /// - Returns: `nil` when there is no certificate, or one that cannot be read: authorities that were left out in
    ///   silence would show only as servers that are not trusted.
    static func certificates(in text: [UInt8]) -> [[UInt8]]? {
        var found: [[UInt8]] = []
        var block: [UInt8]?
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = line.filter { $0 != 0x20 && $0 != 0x09 }
            if line.elementsEqual("-----BEGINCERTIFICATE-----".utf8) {
                guard block == nil else { return nil }
                block = []
            } else if line.elementsEqual("-----ENDCERTIFICATE-----".utf8) {
                guard let complete = block, !complete.isEmpty, let der = Base64.decode(complete) else { return nil }
                found.append(der)
                block = nil
            } else {
                block?.append(contentsOf: line)
            }
        }
        return block == nil && !found.isEmpty ? found : nil
    }
}
