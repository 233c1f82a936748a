internal import Tern

/// How a client of OAuth 1.0a signs; its secret is not kept, only where it is.
struct SigningOptions: Sendable {
    var method: OAuth1SignatureMethod
    var placement: ParameterPlacement
    var realm: String?
    /// A PEM file with the private key, for the methods that sign with one.
    var keyFile: String?

    /// The key, for commands that know no other use of it.
    static let keySpecification = OptionSpecification(
        "--client-key", value: "FILE", "OAuth 1.0a: the client's RSA private key (PEM)")

    static let specifications = [
        OptionSpecification(
            "--signature-method", value: "METHOD", "OAuth 1.0a: HMAC-SHA1 by default, RSA-SHA1 with --client-key"),
        OptionSpecification("--placement", value: "PLACE", "OAuth 1.0a: where parameters stand: header, form or query"),
        OptionSpecification("--realm", value: "TEXT", "OAuth 1.0a: the realm, where the service wants one"),
    ]

    init(_ arguments: Arguments) throws(UsageError) {
        keyFile = arguments.value("--client-key")
        realm = arguments.value("--realm")
        method = keyFile == nil ? .hmacSHA1 : .rsaSHA1
        if let word = arguments.value("--signature-method") {
            guard let known = OAuth1SignatureMethod(rawValue: word.uppercased()) else {
                throw UsageError.unknown("method", word, among: OAuth1SignatureMethod.allCases.map(\.rawValue))
            }
            method = known
        }
        placement = .header
        if let word = arguments.value("--placement") {
            guard let known = ParameterPlacement(rawValue: word) else {
                throw UsageError.unknown("place", word, among: ParameterPlacement.allCases.map(\.rawValue))
            }
            placement = known
        }
        guard method.usesPrivateKey == (keyFile != nil) else {
            throw UsageError(
                method.usesPrivateKey
                    ? "--signature-method \(method.rawValue) wants --client-key"
                    : "--client-key wants a method that signs with it, such as RSA-SHA1")
        }
    }

    /// Whether any of the options stands there; the key alone does not say it.
    static func areThere(_ arguments: Arguments) -> Bool { specifications.contains { arguments.value($0.name) != nil } }

    init(_ object: JSONObject) throws(TernError) {
        guard let method = object["signature_method"]?.string.flatMap(OAuth1SignatureMethod.init),
            let placement = object["placement"]?.string.flatMap(ParameterPlacement.init)
        else { throw TernError(.corruptedRecord("the settings of its client cannot be read"), at: .storage) }
        self.method = method
        self.placement = placement
        realm = object["realm"]?.string
        keyFile = object["client_key_file"]?.string
    }

    func write(to object: inout JSONObject) {
        object["signature_method"] = .string(method.rawValue)
        object["placement"] = .string(placement.rawValue)
        object["realm"] = realm.map(JSON.string)
        object["client_key_file"] = keyFile.map(JSON.string)
    }

    /// What the client signs with, read anew.
    func key(_ secret: ClientSecret?) throws(TernError) -> OAuth1SigningKey {
        guard let keyFile else { return try OAuth1SigningKey(method, secret: secret ?? ClientSecret("")) }
        func invalid(_ problem: String) -> TernError {
            TernError(.invalidConfiguration(field: "--client-key", problem: problem), at: .configuration)
        }
        guard let text = SmallFile.read(keyFile) else { throw invalid("it cannot be read") }
        let key: RSAPrivateKey
        do { key = try RSAPrivateKey(pem: text) } catch { throw invalid(error.description) }
        return try OAuth1SigningKey(method, privateKey: key)
    }
}
