import TernCrypto
import Testing

/// Bytes from hexadecimal digits.
func hex(_ text: String) throws -> [UInt8] {
    let digits = try text.map { try UInt8(#require($0.hexDigitValue)) }
    try #require(digits.count % 2 == 0)
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// Bytes from base64url, as the members of a JWK have it.
func base64URL(_ text: String) throws -> [UInt8] {
    try #require(Base64URL.decode(text))
}

/// The message with one bit changed.
func flipped(_ bytes: [UInt8], bit: Int) -> [UInt8] {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
}

/// One record of test vectors: named values.
struct VectorRecord: CustomStringConvertible {
    let fields: [String: String]
    let description: String

    func text(_ name: String) throws -> String { try #require(fields[name]) }
    func hex(_ name: String) throws -> [UInt8] { try TernCryptoTests.hex(text(name)) }
    func base64URL(_ name: String) throws -> [UInt8] { try TernCryptoTests.base64URL(text(name)) }
    func bytes(_ name: String) throws -> [UInt8] { try Array(text(name).utf8) }

    func hash() throws -> HashFunction {
        switch try text("SHAAlg") {
        case "SHA1": .sha1
        case "SHA256": .sha256
        case "SHA384": .sha384
        case "SHA512": .sha512
        default: throw UnknownName()
        }
    }

    func curve(_ name: String) throws -> EllipticCurve {
        switch try text(name) {
        case "P-256": .p256
        case "P-384": .p384
        case "P-521": .p521
        default: throw UnknownName()
        }
    }
}

struct UnknownName: Error {}

/// Reads records in the form of NIST's .rsp files: `name = value` in a line, what follows without a name continues the
/// value, an empty line ends the record.
func records(_ text: String) -> [VectorRecord] {
    var result: [VectorRecord] = []
    for block in text.split(separator: "\n\n") {
        var fields: [String: String] = [:]
        var name = ""
        for line in block.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2)
            if words.count >= 2, words[1] == "=" {
                name = String(words[0])
                fields[name] = words.count > 2 ? String(words[2]) : ""
            } else {
                fields[name, default: ""] += line
            }
        }
        let label = fields["alg"] ?? fields["SHAAlg"] ?? fields["Curve"] ?? ""
        result.append(VectorRecord(fields: fields, description: "\(result.count) \(label) \(fields["Result"] ?? "")"))
    }
    return result
}
