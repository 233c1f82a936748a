/// The ASN.1 forms of RSA keys that key files hold, and that Apple's Security framework reads and writes (RFC 8017
/// appendix A.1, RFC 5958 §2).
enum PKCS1 {
    /// `RSAPublicKey`.
    static func publicKey(modulus: [UInt8], publicExponent: [UInt8]) -> [UInt8] {
        element(0x30, integer(modulus) + integer(publicExponent))
    }

    /// `RSAPrivateKey` of version 0, with two primes.
    static func privateKey(_ components: RSAPrivateComponents, _ primes: RSAPrimeComponents) -> [UInt8] {
        let numbers = [
            [], components.modulus, components.publicExponent, components.privateExponent, primes.firstPrimeFactor,
            primes.secondPrimeFactor, primes.firstFactorExponent, primes.secondFactorExponent, primes.firstCoefficient,
        ]
        return element(0x30, numbers.flatMap(integer))
    }

    /// The numbers of an `RSAPrivateKey` of version 0. `nil` when the bytes are anything else.
    static func components(ofPrivateKey bytes: [UInt8]) -> RSAPrivateComponents? {
        var outer = bytes[...]
        guard var content = takeElement(0x30, from: &outer), outer.isEmpty else { return nil }
        var numbers: [[UInt8]] = []
        while !content.isEmpty {
            guard let number = takeElement(0x02, from: &content) else { return nil }
            numbers.append(BigEndian.minimal(Array(number)))
        }
        guard numbers.count == 9, numbers[0].isEmpty else { return nil }
        return RSAPrivateComponents(
            modulus: numbers[1], publicExponent: numbers[2], privateExponent: numbers[3],
            primes: RSAPrimeComponents(
                firstPrimeFactor: numbers[4], secondPrimeFactor: numbers[5], firstFactorExponent: numbers[6],
                secondFactorExponent: numbers[7], firstCoefficient: numbers[8]))
    }

    /// The numbers of an RSA key in a `PrivateKeyInfo` (PKCS #8). `nil` when the bytes are anything else.
    static func components(ofPrivateKeyInfo bytes: [UInt8]) -> RSAPrivateComponents? {
        var outer = bytes[...]
        guard var content = takeElement(0x30, from: &outer), outer.isEmpty, takeElement(0x02, from: &content) != nil,
            var algorithm = takeElement(0x30, from: &content),
            let identifier = takeElement(0x06, from: &algorithm), identifier.elementsEqual(rsaEncryption),
            let key = takeElement(0x04, from: &content)
        else { return nil }
        return components(ofPrivateKey: Array(key))
    }

    /// The object identifier 1.2.840.113549.1.1.1.
    static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]

    /// An INTEGER from an unsigned number without leading zero bytes; a first bit of 1 would make it negative.
    private static func integer(_ number: [UInt8]) -> [UInt8] {
        let needsZero = number.first.map { $0 >= 0x80 } ?? true
        return element(0x02, needsZero ? [0] + number : number)
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    /// Takes an element with this tag off the front and returns its content.
    static func takeElement(_ tag: UInt8, from bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.popFirst() == tag, let first = bytes.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let lengthBytes = bytes.prefix(Int(first & 0x7f))
            // Four bytes are more than any key that is accepted needs.
            guard (1...4).contains(lengthBytes.count), lengthBytes.count == Int(first & 0x7f) else { return nil }
            length = lengthBytes.reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(lengthBytes.count)
        }
        guard length <= bytes.count else { return nil }
        defer { bytes = bytes.dropFirst(length) }
        return bytes.prefix(length)
    }
}
