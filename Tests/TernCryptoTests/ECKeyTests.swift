import TernCrypto
import Testing

@Suite("EC keys and ECDSA signatures")
struct ECKeyTests {
    /// The orders of the base points, from SEC 2 version 2 sections 2.4.2, 2.5.1 and 2.6.1.
    private func order(_ curve: EllipticCurve) throws -> [UInt8] {
        switch curve {
        case .p256: try hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        case .p384:
            try hex(
                "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973")
        case .p521:
            try hex(
                "01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d0"
                    + "3bb5c9b8899c47aebb6fb71e91386409")
        }
    }

    @Test(arguments: EllipticCurve.allCases)
    func `generate, sign and verify`(curve: EllipticCurve) throws {
        let size = curve.coordinateByteCount
        let key = try ECPrivateKey.generate(curve)
        #expect(key.curve == curve)
        #expect(key.privateScalar.count == size)
        for message: [UInt8] in [[], [0], [UInt8](repeating: 7, count: 100_000)] {
            let signature = try key.signature(for: message)
            #expect(signature.count == 2 * size)
            #expect(key.publicKey.isValidSignature(signature, for: message))
            #expect(message.withUnsafeBytes { key.publicKey.isValidSignature(signature, for: $0) })
            #expect(!key.publicKey.isValidSignature(signature, for: message + [0]))
            #expect(
                !key.publicKey.isValidSignature(Array(signature.suffix(size) + signature.prefix(size)), for: message))
        }
        let copy = try ECPrivateKey(
            curve: curve, privateScalar: key.privateScalar, x: key.publicKey.x, y: key.publicKey.y)
        #expect(copy.publicKey == key.publicKey)
        #expect(try key.publicKey.isValidSignature(copy.signature(for: [5]), for: [5]))
    }

    /// About one key or signature in 128 has a number that starts with a zero byte.
    @Test func `numbers that start with zero bytes`() throws {
        let key = try ECPrivateKey.generate(.p256)
        for index in 0..<600 {
            let message = Array("message \(index)".utf8)
            let signature = try key.signature(for: message)
            #expect(signature.count == 64)
            #expect(key.publicKey.isValidSignature(signature, for: message))
        }
        var short = 0
        for _ in 0..<400 {
            let key = try ECPrivateKey.generate(.p256)
            guard key.publicKey.x[0] == 0 || key.publicKey.y[0] == 0 || key.privateScalar[0] == 0 else { continue }
            short += 1
            func stripped(_ number: [UInt8]) -> [UInt8] { Array(number.drop { $0 == 0 }) }
            let again = try ECPrivateKey(
                curve: .p256, privateScalar: stripped(key.privateScalar), x: stripped(key.publicKey.x),
                y: stripped(key.publicKey.y))
            #expect(again.publicKey == key.publicKey)
            #expect(again.publicKey.hashValue == key.publicKey.hashValue)
            #expect(again.privateScalar == key.privateScalar)
            #expect(try key.publicKey.isValidSignature(again.signature(for: [1]), for: [1]))
        }
        withKnownIssue("by chance no number started with a zero byte", isIntermittent: true) { try #require(short > 0) }
    }

    @Test(arguments: EllipticCurve.allCases)
    func `superfluous zero bytes are accepted, other bytes are not`(curve: EllipticCurve) throws {
        let key = try ECPrivateKey.generate(curve).publicKey
        let padded = try ECPublicKey(curve: curve, x: [0, 0] + key.x, y: [0] + key.y)
        #expect(padded == key)
        let x = #expect(throws: CryptoError.self) { try ECPublicKey(curve: curve, x: [1] + key.x, y: key.y) }
        #expect(x?.kind == .invalidKey(field: "x"))
        let y = #expect(throws: CryptoError.self) { try ECPublicKey(curve: curve, x: key.x, y: [1] + key.y) }
        #expect(y?.kind == .invalidKey(field: "y"))
        let huge = [UInt8](repeating: 0xff, count: 1_000_000)
        #expect(throws: CryptoError.self) { try ECPublicKey(curve: curve, x: huge, y: huge) }
    }

    @Test(arguments: EllipticCurve.allCases)
    func `points that are not on the curve`(curve: EllipticCurve) throws {
        let size = curve.coordinateByteCount
        let key = try ECPrivateKey.generate(curve).publicKey
        let zero = [UInt8](repeating: 0, count: size)
        let largest = [UInt8](repeating: 0xff, count: size)
        let points: [(x: [UInt8], y: [UInt8])] = [
            (zero, zero), (largest, largest), (key.x, zero), (key.x, flipped(key.y, bit: size * 8 - 1)),
            (flipped(key.x, bit: size * 8 - 3), key.y), (key.y, key.x), ([], []), (key.x, []),
        ]
        for (x, y) in points {
            let error = #expect(throws: CryptoError.self) { try ECPublicKey(curve: curve, x: x, y: y) }
            #expect(error?.kind == .invalidKey(field: "x"))
        }
        for other in EllipticCurve.allCases where other != curve {
            #expect(throws: CryptoError.self) { try ECPublicKey(curve: other, x: key.x, y: key.y) }
        }
    }

    @Test(arguments: EllipticCurve.allCases)
    func `r and s out of range`(curve: EllipticCurve) throws {
        let size = curve.coordinateByteCount
        let key = try ECPrivateKey.generate(curve)
        let message = Array("message".utf8)
        let signature = try key.signature(for: message)
        let (r, s) = (Array(signature.prefix(size)), Array(signature.suffix(size)))
        let zero = [UInt8](repeating: 0, count: size)
        let largest = [UInt8](repeating: 0xff, count: size)
        let n = try order(curve)
        for bad: [UInt8] in [zero, largest, n, sum(r, n), sum(s, n)] {
            #expect(!key.publicKey.isValidSignature(bad + s, for: message))
            #expect(!key.publicKey.isValidSignature(r + bad, for: message))
            #expect(!key.publicKey.isValidSignature(bad + bad, for: message))
        }
    }

    /// n - s fits as well as s does; JOSE has no rule against it (RFC 7518 section 3.4), so neither has this module.
    @Test func `a signature with the other s is valid too`() throws {
        let key = try ECPrivateKey.generate(.p256)
        let signature = try key.signature(for: [1])
        let other = try difference(order(.p256), Array(signature.suffix(32)))
        #expect(key.publicKey.isValidSignature(Array(signature.prefix(32)) + other, for: [1]))
    }

    @Test(arguments: EllipticCurve.allCases)
    func `only the raw form with full length is a signature`(curve: EllipticCurve) throws {
        let size = curve.coordinateByteCount
        let key = try ECPrivateKey.generate(curve)
        let signature = try key.signature(for: [1])
        let (r, s) = (Array(signature.prefix(size)), Array(signature.suffix(size)))
        #expect(!key.publicKey.isValidSignature(der(r, s), for: [1]))
        for wrong: [UInt8] in [
            [], r, signature + [0], [0] + signature, Array(signature.dropLast()), Array(signature.dropFirst()),
            r + [0] + s, [0] + r + [0] + s, [UInt8](repeating: 1, count: 1_000_000),
        ] {
            #expect(!key.publicKey.isValidSignature(wrong, for: [1]))
        }
    }

    @Test(arguments: EllipticCurve.allCases)
    func `private scalars that are refused`(curve: EllipticCurve) throws {
        let key = try ECPrivateKey.generate(curve)
        let other = try ECPrivateKey.generate(curve)
        let n = try order(curve)
        for scalar: [UInt8] in [
            [], [0], n, sum(key.privateScalar, n), [UInt8](repeating: 0xff, count: n.count), other.privateScalar,
            [1] + key.privateScalar, [UInt8](repeating: 0xff, count: 1_000_000),
            flipped(key.privateScalar, bit: n.count * 8 - 2),
        ] {
            let error = #expect(throws: CryptoError.self) {
                try ECPrivateKey(curve: curve, privateScalar: scalar, x: key.publicKey.x, y: key.publicKey.y)
            }
            #expect(error?.kind == .invalidKey(field: "d"))
        }
        let error = #expect(throws: CryptoError.self) {
            try ECPrivateKey(curve: curve, privateScalar: key.privateScalar, x: [1], y: [2])
        }
        #expect(error?.kind == .invalidKey(field: "x"))
    }

    @Test func `the smallest scalar`() throws {
        // The base point of P-256, SEC 2 version 2 section 2.4.2.
        let key = try ECPrivateKey(
            curve: .p256, privateScalar: [1],
            x: hex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
            y: hex("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"))
        #expect(try key.publicKey.isValidSignature(key.signature(for: [1]), for: [1]))
    }

    private func sum(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        var carry = 0
        var result: [UInt8] = []
        for (a, b) in zip(one.reversed(), other.reversed()) {
            carry += Int(a) + Int(b)
            result.append(UInt8(truncatingIfNeeded: carry))
            carry >>= 8
        }
        return result.reversed()
    }

    private func difference(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
        var borrow = 0
        var result: [UInt8] = []
        for (a, b) in zip(one.reversed(), other.reversed()) {
            borrow += Int(a) - Int(b)
            result.append(UInt8(truncatingIfNeeded: borrow))
            borrow >>= 8
        }
        return result.reversed()
    }

    /// The ASN.1 form of a signature.
    private func der(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
        func integer(_ number: [UInt8]) -> [UInt8] {
            var digits = Array(number.drop { $0 == 0 })
            if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
            return [2, UInt8(digits.count)] + digits
        }
        let content = integer(r) + integer(s)
        return (content.count < 128 ? [0x30] : [0x30, 0x81]) + [UInt8(content.count)] + content
    }
}
