internal import TernCrypto
public import TernJOSE

/// A change of a signed token.
public struct TokenChange: Sendable, Hashable {
    /// What is changed inside.
    public enum Part: Sendable, Hashable {
        /// A claim.
        case claim(String, Edit)
        /// A member of the header.
        case header(String, Edit)
    }

    /// What the signature is afterwards.
    public enum Signature: Sendable, Hashable {
        /// A good one by the key that had signed before.
        case renewed
        /// The one from before, which fits no more if anything changed.
        case kept
        /// The one from before with every byte turned by XOR.
        case turned(by: UInt8 = 0x5A)
        /// One by a key that the server never publishes, of the same kind and under the same key ID.
        case byForeignKey
        /// One by the server's key for another algorithm, which the header then names.
        case by(SignatureAlgorithm)
        /// None, and `none` in the header.
        case none
    }

    /// What is changed, in this order.
    public var parts: [Part]
    /// What the signature is afterwards.
    public var signature: Signature

    /// Describes a change.
    public init(_ parts: Part..., signature: Signature = .renewed) {
        self.parts = parts
        self.signature = signature
    }

    /// The changed token; a text that is no compact token comes back as it is.
    func applied(to token: String, keys: inout KeyRing, secret: SymmetricKey?) -> String {
        let pieces = token.split(separator: ".", omittingEmptySubsequences: false)
        guard pieces.count == 3, var header = Self.object(pieces[0]), var claims = Self.object(pieces[1]),
            var bytes = Base64URL.decode(pieces[2])
        else { return token }
        let algorithm = header["alg"]?.string.flatMap(SignatureAlgorithm.init(rawValue:)) ?? .rs256
        var key = algorithm.isAsymmetric ? try? keys.key(for: algorithm) : secret.map { JWK(.symmetric($0)) }
        var signer = algorithm
        switch signature {
        case .byForeignKey: key = try? JWK.generate(for: algorithm)
        case .by(let other):
            signer = other
            key = other.isAsymmetric ? try? keys.key(for: other) : secret.map { JWK(.symmetric($0)) }
            header["alg"] = .string(other.rawValue)
            header["kid"] = key?.keyID.map(JSON.string)
        case .none: header["alg"] = "none"
        case .renewed, .kept, .turned: break
        }
        for part in parts {
            switch part {
            case .claim(let name, let edit): claims[name] = edit.applied(to: claims[name])
            case .header(let name, let edit): header[name] = edit.applied(to: header[name])
            }
        }
        let input = Base64URL.encode(header.serialized()) + "." + Base64URL.encode(claims.serialized())
        switch signature {
        case .renewed, .byForeignKey, .by:
            bytes = key.flatMap { Self.sign(Array(input.utf8), with: $0, signer) } ?? []
        case .kept: break
        case .turned(let mask): bytes = bytes.map { $0 ^ mask }
        case .none: bytes = []
        }
        return input + "." + Base64URL.encode(bytes)
    }

    private static func object(_ part: Substring) -> JSONObject? {
        Base64URL.decode(part).flatMap { try? JSON(parsing: $0) }?.object
    }

    /// Signs bytes whatever the header says, which the layer below refuses to do.
    private static func sign(_ input: [UInt8], with key: JWK, _ algorithm: SignatureAlgorithm) -> [UInt8]? {
        switch key.material {
        case .rsaPrivate(let key):
            try? key.signature(
                for: input, using: algorithm.hashFunction,
                padding: algorithm.rawValue.hasPrefix("PS") ? .pss : .pkcs1v15)
        case .ecPrivate(let key): try? key.signature(for: input)
        case .ed25519Private(let key): try? key.signature(for: input)
        case .symmetric(let key):
            HMACKey(key.exposedBytes).authenticationCode(for: input, using: algorithm.hashFunction)
        case .rsaPublic, .ecPublic, .ed25519Public, .x25519Public, .x25519Private: nil
        }
    }
}
