internal import Tern

/// Where a client's key and certificate are, and whom its assertions are for; what is kept of it are paths and never bytes.
struct ClientKeyFiles: Sendable {
    /// A file with the private key, which only its owner may read.
    var keyFile: String?
    /// A file with the certificate that is shown in TLS.
    var certificateFile: String?
    var audience = ClientAssertion.Audience.issuer

    static let specifications = [
        OptionSpecification(
            "--client-key", value: "FILE",
            "the client's private key (JWK or PEM), for your eyes alone; with OAuth 1.0a an RSA key (PEM)"),
        OptionSpecification(
            "--client-certificate", value: "FILE", "the certificate (PEM) that is shown in TLS, with --client-key"),
        OptionSpecification(
            "--audience", value: "WHO",
            "whom a signed proof is for: issuer, token-endpoint, endpoint or a URL; issuer by default"),
    ]

    init() {}

    /// - Parameter knowsAudience: whether `--audience` says whom assertions are for.
    init(_ arguments: Arguments, knowsAudience: Bool = true) throws(UsageError) {
        keyFile = arguments.value("--client-key")
        certificateFile = arguments.value("--client-certificate")
        guard certificateFile == nil || keyFile != nil else {
            throw UsageError("--client-certificate wants --client-key")
        }
        if knowsAudience, let word = arguments.value("--audience") {
            guard let audience = ClientAssertion.Audience(word) else {
                throw UsageError.unknown("audience", word, among: ClientAssertion.Audience.words.map(\.word))
            }
            self.audience = audience
        }
    }

    init(_ object: JSONObject) {
        keyFile = object["client_key_file"]?.string
        certificateFile = object["client_certificate_file"]?.string
        audience = object["audience"]?.string.flatMap { ClientAssertion.Audience($0) } ?? .issuer
    }

    func write(to object: inout JSONObject) {
        object["client_key_file"] = keyFile.map(JSON.string)
        object["client_certificate_file"] = certificateFile.map(JSON.string)
        if audience != .issuer { object["audience"] = .string(audience.word) }
    }

    var assertion: ClientAssertion { ClientAssertion(audience: audience) }

    /// The key that signs, read anew; `nil` where there is none.
    func signingKey() throws(TernError) -> SigningKey? {
        guard let keyFile else { return nil }
        let name = "--client-key"
        let keys = try KeyFile.read(keyFile, called: name, isPrivate: true).keys.filter { $0.use != "enc" }
        guard let key = keys.first(where: \.isSecret) ?? keys.first else {
            throw Self.invalid(name, "there is no key in it that signs")
        }
        return try KeyFile.usable(name) { () throws(JOSEError) in try SigningKey(key) }
    }

    /// What is shown in TLS, read anew; `nil` where there is nothing.
    func identity() throws(TernError) -> ClientIdentity? {
        guard let certificateFile, let keyFile else { return nil }
        #if canImport(Darwin)
            throw Self.invalid(
                "--client-certificate",
                "this system takes client certificates from PKCS#12 files and not from PEM files")
        #else
            let certificates = try KeyFile.bytes(of: certificateFile, called: "--client-certificate")
            guard (try? CertificateThumbprint(pem: certificates)) != nil else {
                throw Self.invalid("--client-certificate", "there is no certificate (PEM) in it")
            }
            let key = try PrivateFile.read(keyFile, called: "--client-key")
            guard key.drop(while: { $0 <= 0x20 }).first != UInt8(ascii: "{") else {
                throw Self.invalid("--client-key", "TLS wants it as PEM, and it is a JWK")
            }
            _ = try KeyFile.usable("--client-key") { () throws(JOSEError) in try JWK(pem: key) }
            return .pem(certificates: certificates, privateKey: key)
        #endif
    }

    private static func invalid(_ name: String, _ problem: String) -> TernError {
        TernError(.invalidConfiguration(field: name, problem: problem), at: .configuration)
    }
}

extension ClientAssertion.Audience {
    fileprivate static let words: [(word: String, audience: Self)] = [
        ("issuer", .issuer), ("token-endpoint", .tokenEndpoint), ("endpoint", .endpoint),
    ]

    fileprivate init?(_ word: String) {
        if let known = Self.words.first(where: { $0.word == word }) {
            self = known.audience
        } else {
            guard word.contains(":") else { return nil }
            self = .custom(word)
        }
    }

    fileprivate var word: String {
        if case .custom(let text) = self { return text }
        return Self.words.first { $0.audience == self }?.word ?? ""
    }
}
