/// What a signed token says about its signature: the JOSE header of RFC 7515 §4.
///
/// The algorithm is one of those that are supported, always: a header with another one cannot be made or read. Of the
/// other parameters, `jku`, `x5u`, `jwk` and `x5c` are never followed; they are data for whoever asks for them.
public struct JWSHeader: Sendable, Hashable {
    /// All parameters in their order, `alg` included.
    public let parameters: JSONObject

    /// The `alg`.
    public let algorithm: SignatureAlgorithm

    /// The `kid`: a hint which key signed.
    public let keyID: String?

    /// Makes a header for signing. `parameters` are put after `alg`, `typ` and `kid`, and cannot replace them; a
    /// `typ` or `kid` that is `nil` may be among them.
    public init(
        algorithm: SignatureAlgorithm, keyID: String? = nil, type: String? = nil, parameters: JSONObject = [:]
    ) {
        self.algorithm = algorithm
        var all: JSONObject = ["alg": .string(algorithm.rawValue)]
        all["typ"] = type.map(JSON.string)
        all["kid"] = keyID.map(JSON.string)
        for (name, value) in parameters where all[name] == nil { all[name] = value }
        self.keyID = all["kid"]?.string
        self.parameters = all
    }

    /// Reads a header.
    ///
    /// - Throws: ``JOSEError/json(_:)`` when the text is not JSON or repeats a parameter, ``JOSEError/malformed(_:)`` with
    ///   `header`, `header.alg`, `header.kid` or `header.typ`, ``JOSEError/unsupportedAlgorithm(_:)`` (`none` included) and
    ///   ``JOSEError/criticalHeader``.
    public init(parsing bytes: [UInt8]) throws(JOSEError) {
        let json: JSON
        do throws(JSONError) { json = try JSON(parsing: bytes, limits: .jose) } catch { throw .json(error) }
        guard let parameters = json.object else { throw .malformed("header") }
        guard let name = parameters["alg"]?.string else { throw .malformed("header.alg") }
        guard let algorithm = SignatureAlgorithm(rawValue: name) else { throw .unsupported(algorithm: name) }
        // No extension is understood, so each one that is marked critical is refused, and so is the one that would
        // change what is signed.
        guard parameters["crit"] == nil, parameters["b64"] == nil else { throw .criticalHeader }
        keyID = try Self.text("kid", of: parameters)
        _ = try Self.text("typ", of: parameters)
        self.algorithm = algorithm
        self.parameters = parameters
    }

    /// The `typ`: the media type of the whole token, for example `JWT` or `at+jwt`.
    public var type: String? { parameters["typ"]?.string }

    private static func text(_ name: String, of parameters: JSONObject) throws(JOSEError) -> String? {
        guard let value = parameters[name] else { return nil }
        guard let text = value.string else { throw .malformed("header.\(name)") }
        return text
    }
}

extension JSONLimits {
    /// For the parts of a token, which must be pure JSON (RFC 7519 §7.2).
    static let jose = JSONLimits(allowsByteOrderMark: false)
}
