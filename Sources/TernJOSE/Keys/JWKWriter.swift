public import TernCrypto

extension JWK {
    /// The public half as a JSON object, fit to be published; `nil` for a symmetric key, which has none.
    public func publicJSON() -> JSONObject? {
        // `key_ops` of a private key say what the private half is for.
        guard let half = publicHalf, let numbers = half.publicNumbers() else { return nil }
        return half.describing(numbers)
    }

    /// The whole key as a JSON object, private numbers and symmetric keys included. Whoever calls this answers for where
    /// the result goes. For a public key it is the same as ``publicJSON()``.
    public func privateJSON() -> JSONObject {
        var numbers = publicNumbers() ?? [:]
        switch material {
        case .rsaPublic, .ecPublic, .ed25519Public, .x25519Public: break
        case .rsaPrivate(let key):
            numbers["d"] = Self.encoded(key.components.privateExponent)
            if let primes = key.components.primes {
                numbers["p"] = Self.encoded(primes.firstPrimeFactor)
                numbers["q"] = Self.encoded(primes.secondPrimeFactor)
                numbers["dp"] = Self.encoded(primes.firstFactorExponent)
                numbers["dq"] = Self.encoded(primes.secondFactorExponent)
                numbers["qi"] = Self.encoded(primes.firstCoefficient)
            }
        case .ecPrivate(let key): numbers["d"] = Self.encoded(key.privateScalar)
        case .ed25519Private(let key): numbers["d"] = Self.encoded(key.rawRepresentation)
        case .x25519Private(let key): numbers["d"] = Self.encoded(key.rawRepresentation)
        case .symmetric(let key): numbers["k"] = Self.encoded(key.exposedBytes)
        }
        return describing(numbers)
    }

    /// The hash over the members that make up the key (RFC 7638), in Base64url: the same for a private key and its
    /// public half, and independent of `kid` and the like.
    ///
    /// The thumbprint of a symmetric key is a hash of the secret; do not publish it (RFC 7638 §7).
    public func thumbprint(using hash: HashFunction = .sha256) -> String {
        var members = publicNumbers() ?? [:]
        if case .symmetric(let key) = material { members["k"] = Self.encoded(key.exposedBytes) }
        members["kty"] = .string(keyType.rawValue)
        var sorted = JSONObject()
        for name in members.names.sorted() { sorted[name] = members[name] }
        return Base64URL.encode(hash.digest(sorted.serialized()))
    }

    /// The members of the public half that make up the key, without `kty`.
    private func publicNumbers() -> JSONObject? {
        switch material {
        case .rsaPublic(let key): Self.numbers(key)
        case .rsaPrivate(let key): Self.numbers(key.publicKey)
        case .ecPublic(let key): Self.numbers(key)
        case .ecPrivate(let key): Self.numbers(key.publicKey)
        case .ed25519Public(let key): Self.numbers(key)
        case .ed25519Private(let key): Self.numbers(key.publicKey)
        case .x25519Public(let key): Self.numbers(key)
        case .x25519Private(let key): Self.numbers(key.publicKey)
        case .symmetric: nil
        }
    }

    /// The object with `kty` in front and what is said about the use of the key.
    private func describing(_ numbers: JSONObject) -> JSONObject {
        var object: JSONObject = ["kty": .string(keyType.rawValue)]
        object["kid"] = keyID.map(JSON.string)
        object["use"] = use.map(JSON.string)
        object["key_ops"] = operations.map { .array($0.map(JSON.string)) }
        object["alg"] = algorithm.map(JSON.string)
        for (name, value) in numbers { object[name] = value }
        return object
    }

    private static func numbers(_ key: RSAPublicKey) -> JSONObject {
        ["n": encoded(key.modulus), "e": encoded(key.publicExponent)]
    }

    private static func numbers(_ key: ECPublicKey) -> JSONObject {
        ["crv": .string(key.curve.name), "x": encoded(key.x), "y": encoded(key.y)]
    }

    private static func numbers(_ key: Ed25519PublicKey) -> JSONObject {
        ["crv": "Ed25519", "x": encoded(key.rawRepresentation)]
    }

    private static func numbers(_ key: X25519PublicKey) -> JSONObject {
        ["crv": "X25519", "x": encoded(key.rawRepresentation)]
    }

    private static func encoded(_ bytes: [UInt8]) -> JSON {
        .string(Base64URL.encode(bytes))
    }
}
