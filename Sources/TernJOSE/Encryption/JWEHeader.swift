internal import TernCrypto

/// What an encrypted token says about its encryption: the JOSE header of RFC 7516 §4.
///
/// Both algorithms are among those that are supported, always: a header with another one cannot be made or read. Of the other
/// parameters, `jku`, `x5u`, `jwk` and `x5c` are never followed.
public struct JWEHeader: Sendable, Hashable {
    /// All parameters in their order, `alg` and `enc` included.
    public let parameters: JSONObject

    /// The `alg`.
    public let algorithm: KeyManagementAlgorithm

    /// The `enc`.
    public let encryption: ContentEncryption

    /// The `kid`: a hint which key decrypts.
    public let keyID: String?

    /// The sender's key of a key agreement (`epk`, RFC 7518 §4.6.1.1), read once.
    let ephemeralKey: JWK?

    /// Makes a header for encrypting. `parameters` are put after the others and cannot replace them; what the algorithm
    /// itself needs (`epk`, `iv`, `tag`) is added when something is encrypted.
    ///
    /// - Parameters:
    ///   - algorithm: how the key reaches the recipient.
    ///   - encryption: how the content is encrypted.
    ///   - keyID: which of the recipient's keys is meant.
    ///   - type: the `typ`.
    ///   - contentType: the `cty`: `JWT` for a token inside (RFC 7519 §5.2).
    ///   - parameters: further ones, for example `apu` and `apv` in base64url.
    public init(
        algorithm: KeyManagementAlgorithm, encryption: ContentEncryption, keyID: String? = nil, type: String? = nil,
        contentType: String? = nil, parameters: JSONObject = [:]
    ) {
        self.algorithm = algorithm
        self.encryption = encryption
        var all: JSONObject = ["alg": .string(algorithm.rawValue), "enc": .string(encryption.rawValue)]
        all["typ"] = type.map(JSON.string)
        all["cty"] = contentType.map(JSON.string)
        all["kid"] = keyID.map(JSON.string)
        for (name, value) in parameters where all[name] == nil { all[name] = value }
        self.keyID = all["kid"]?.string
        ephemeralKey = nil
        self.parameters = all
    }

    /// Reads a header.
    ///
    /// - Throws: ``JOSEError/json(_:)`` when the text is not JSON or repeats a parameter, ``JOSEError/malformed(_:)`` with
    ///   `header` or a parameter (`header.alg`, `header.epk` for a key that is none, and so on),
    ///   ``JOSEError/unsupportedAlgorithm(_:)`` (RSA1_5 and PBES2 included), ``JOSEError/compressed`` and
    ///   ``JOSEError/criticalHeader``.
    public init(parsing bytes: [UInt8]) throws(JOSEError) {
        let json: JSON
        do throws(JSONError) { json = try JSON(parsing: bytes, limits: .jose) } catch { throw .json(error) }
        guard let parameters = json.object else { throw .malformed("header") }
        guard let name = parameters["alg"]?.string else { throw .malformed("header.alg") }
        guard let algorithm = KeyManagementAlgorithm(rawValue: name) else { throw .unsupported(algorithm: name) }
        guard let content = parameters["enc"]?.string else { throw .malformed("header.enc") }
        guard let encryption = ContentEncryption(rawValue: content) else { throw .unsupported(algorithm: content) }
        // No extension is understood, so each one that is marked critical is refused.
        guard parameters["crit"] == nil else { throw .criticalHeader }
        guard parameters["zip"] == nil else { throw .compressed }
        self.parameters = parameters
        self.algorithm = algorithm
        self.encryption = encryption
        keyID = parameters["kid"]?.string
        ephemeralKey = algorithm.isAgreement ? try Self.ephemeralKey(in: parameters) : nil
        for name in ["kid", "typ", "cty"] where parameters[name] != nil && parameters[name]?.string == nil {
            throw .malformed("header.\(name)")
        }
    }

    /// The `typ`: the media type of the whole token.
    public var type: String? { parameters["typ"]?.string }

    /// The `cty`: the media type of the content; `JWT` for a token inside.
    public var contentType: String? { parameters["cty"]?.string }

    /// A parameter in base64url, `nil` when it is missing.
    func bytes(_ name: String) throws(JOSEError) -> [UInt8]? {
        guard let value = parameters[name] else { return nil }
        guard let bytes = value.string.flatMap({ Base64URL.decode($0) }) else { throw .malformed("header.\(name)") }
        return bytes
    }

    /// A point that is not on its curve is no key.
    private static func ephemeralKey(in parameters: JSONObject) throws(JOSEError) -> JWK {
        guard let json = parameters["epk"], let key = try? JWK(json), !key.isSecret else {
            throw .malformed("header.epk")
        }
        return key
    }

    func setting(_ name: String, _ value: JSON) -> JWEHeader {
        var parameters = parameters
        parameters[name] = value
        return JWEHeader(parameters, algorithm, encryption, keyID)
    }

    private init(
        _ parameters: JSONObject, _ algorithm: KeyManagementAlgorithm, _ encryption: ContentEncryption, _ keyID: String?
    ) {
        self.parameters = parameters
        self.algorithm = algorithm
        self.encryption = encryption
        self.keyID = keyID
        ephemeralKey = nil
    }

    /// Whether both have the same parameters.
    public static func == (one: JWEHeader, other: JWEHeader) -> Bool { one.parameters == other.parameters }

    /// Hashes the parameters.
    public func hash(into hasher: inout Hasher) { hasher.combine(parameters) }
}
