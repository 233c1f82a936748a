internal import TernCrypto

extension JWK {
    /// Reads a key from JSON text: public, private or symmetric, as its members say.
    ///
    /// - Throws: ``JOSEError/json(_:)`` when the text is not JSON, and what ``init(_:)`` throws.
    public init(parsing bytes: [UInt8]) throws(JOSEError) {
        let json: JSON
        do throws(JSONError) { json = try JSON(parsing: bytes) } catch { throw .json(error) }
        try self.init(json)
    }

    /// Reads a key: public, private or symmetric, as its members say (RFC 7518 §6, RFC 8037 §2). Members that are not
    /// known are passed over.
    ///
    /// Numbers with leading zero bytes and coordinates without theirs are accepted, because many writers of keys get
    /// that wrong; padding and other alphabets of Base64 are not.
    ///
    /// - Throws: ``JOSEError/keyUnusable(_:)`` with the reason when the value is not an object, the type or the curve is
    ///   not supported, or a member is missing or broken.
    public init(_ json: JSON) throws(JOSEError) {
        guard let object = json.object else { throw .keyUnusable("it is not an object") }
        let members = JWKMembers(object: object)
        let type = try members.text("kty")
        guard let keyType = type.flatMap(KeyType.init(rawValue:)) else {
            throw .keyUnusable(type == nil ? "the member \"kty\" is missing" : "the key type is not supported")
        }
        switch keyType {
        case .rsa: material = try members.rsa()
        case .ellipticCurve: material = try members.ellipticCurve()
        case .octetKeyPair: material = try members.octetKeyPair()
        case .octetSequence: material = .symmetric(SymmetricKey(try members.bytes("k")))
        }
        keyID = try members.text("kid")
        use = try members.text("use")
        algorithm = try members.text("alg")
        operations = try members.texts("key_ops")
    }
}

/// The members of a JWK, read by name and type. Some writers put null where they have nothing to say, so a null counts as
/// missing.
private struct JWKMembers {
    let object: JSONObject

    subscript(name: String) -> JSON? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    /// A text, `nil` when the member is missing.
    func text(_ name: String) throws(JOSEError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else { throw .keyUnusable("the member \"\(name)\" is not a text") }
        return text
    }

    /// A list of texts, `nil` when the member is missing.
    func texts(_ name: String) throws(JOSEError) -> [String]? {
        guard let value = self[name] else { return nil }
        let texts = value.array?.compactMap(\.string)
        guard let texts, texts.count == value.array?.count else {
            throw .keyUnusable("the member \"\(name)\" is not a list of texts")
        }
        return texts
    }

    /// Bytes in Base64url, at least one.
    func bytes(_ name: String) throws(JOSEError) -> [UInt8] {
        guard let text = try text(name) else { throw .keyUnusable("the member \"\(name)\" is missing") }
        guard let bytes = Base64URL.decode(text), !bytes.isEmpty else {
            throw .keyUnusable("the member \"\(name)\" is not Base64url")
        }
        return bytes
    }

    func rsa() throws(JOSEError) -> JWK.Material {
        let modulus = try bytes("n")
        let publicExponent = try bytes("e")
        guard self["d"] != nil else {
            return try usable { () throws(CryptoError) in
                .rsaPublic(try RSAPublicKey(modulus: modulus, publicExponent: publicExponent))
            }
        }
        guard self["oth"] == nil else { throw .keyUnusable("it has more than two primes") }
        let privateExponent = try bytes("d")
        var primes: RSAPrimeComponents?
        if ["p", "q", "dp", "dq", "qi"].contains(where: { self[$0] != nil }) {
            primes = RSAPrimeComponents(
                firstPrimeFactor: try bytes("p"), secondPrimeFactor: try bytes("q"),
                firstFactorExponent: try bytes("dp"), secondFactorExponent: try bytes("dq"),
                firstCoefficient: try bytes("qi"))
        }
        let components = RSAPrivateComponents(
            modulus: modulus, publicExponent: publicExponent, privateExponent: privateExponent, primes: primes)
        return try usable { () throws(CryptoError) in .rsaPrivate(try RSAPrivateKey(components)) }
    }

    func ellipticCurve() throws(JOSEError) -> JWK.Material {
        let name = try text("crv")
        guard let curve = EllipticCurve.allCases.first(where: { $0.name == name }) else {
            throw .keyUnusable("the curve is missing or not supported")
        }
        let x = try bytes("x")
        let y = try bytes("y")
        guard self["d"] != nil else {
            return try usable { () throws(CryptoError) in .ecPublic(try ECPublicKey(curve: curve, x: x, y: y)) }
        }
        let scalar = try bytes("d")
        return try usable { () throws(CryptoError) in
            .ecPrivate(try ECPrivateKey(curve: curve, privateScalar: scalar, x: x, y: y))
        }
    }

    func octetKeyPair() throws(JOSEError) -> JWK.Material {
        switch try text("crv") {
        case "Ed25519": return try ed25519()
        case "X25519": return try x25519()
        default: throw .keyUnusable("the curve is missing or not supported")
        }
    }

    private func x25519() throws(JOSEError) -> JWK.Material {
        let x = try bytes("x")
        guard self["d"] != nil else {
            return try usable { () throws(CryptoError) in .x25519Public(try X25519PublicKey(rawRepresentation: x)) }
        }
        let scalar = try bytes("d")
        let key = try usable { () throws(CryptoError) in try X25519PrivateKey(rawRepresentation: scalar) }
        guard key.publicKey.rawRepresentation == x else {
            throw .keyUnusable("the members \"d\" and \"x\" do not belong together")
        }
        return .x25519Private(key)
    }

    private func ed25519() throws(JOSEError) -> JWK.Material {
        let x = try bytes("x")
        guard self["d"] != nil else {
            return try usable { () throws(CryptoError) in .ed25519Public(try Ed25519PublicKey(rawRepresentation: x)) }
        }
        let seed = try bytes("d")
        let key = try usable { () throws(CryptoError) in try Ed25519PrivateKey(rawRepresentation: seed) }
        guard key.publicKey.rawRepresentation == x else {
            throw .keyUnusable("the members \"d\" and \"x\" do not belong together")
        }
        return .ed25519Private(key)
    }

    private func usable<Key>(_ make: () throws(CryptoError) -> Key) throws(JOSEError) -> Key {
        do throws(CryptoError) { return try make() } catch { throw .keyUnusable(error.description) }
    }
}
