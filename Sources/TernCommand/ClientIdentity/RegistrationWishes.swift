internal import Tern
internal import TernCrypto

/// What a client is to say about itself when it registers, in the words of the call.
struct RegistrationWishes: Sendable {
    private let redirectURIs: [String]?
    private let name: String?
    private let scope: Scope?
    private let grants: [String]?
    private let method: SavedClient.AuthenticationMethod?
    private let statementFile: String?
    let keys: ClientKeyFiles

    static let specifications = [
        OptionSpecification(
            "--redirect", value: "\"URI URI\"", "where answers may arrive; \(OAuthClient.loopbackRedirect) by default"),
        OptionSpecification("--name", value: "TEXT", "what users read"),
        OptionSpecification("--scope", value: "\"A B\"", "what the client may ask for; the server's choice by default"),
        OptionSpecification(
            "--grant", value: "\"A B\"", "how it gets tokens; \"authorization_code refresh_token\" by default"),
        OptionSpecification(
            "--client-auth", value: "METHOD",
            "none, basic, post, client-secret-jwt, private-key-jwt or self-signed-tls; none by default, "
                + "private-key-jwt with a key"),
        OptionSpecification(
            "--client-key", value: "FILE",
            "the client's private key (JWK or PEM), for your eyes alone; its public half is registered"),
        OptionSpecification(
            "--client-certificate", value: "FILE", "the certificate (PEM) that is shown in TLS, with --client-key"),
        OptionSpecification(
            "--software-statement-file", value: "FILE", "a statement (JWT) of somebody who vouches for the client"),
    ]

    init(_ arguments: Arguments) throws(UsageError) {
        func list(_ name: String) -> [String]? {
            arguments.value(name).map { $0.split(separator: " ").map(String.init) }
        }
        redirectURIs = list("--redirect")
        name = arguments.value("--name")
        scope = arguments.value("--scope").map { Scope($0) }
        grants = list("--grant")
        statementFile = arguments.value("--software-statement-file")
        keys = try ClientKeyFiles(arguments, knowsAudience: false)
        if let word = arguments.value("--client-auth") {
            let method = try SavedClient.AuthenticationMethod.named(word)
            switch method {
            case .privateKeyJWT where keys.keyFile == nil: throw UsageError("--client-auth \(word) wants --client-key")
            case .selfSignedTLS where keys.certificateFile == nil:
                throw UsageError("--client-auth \(word) wants --client-certificate and --client-key")
            case .tls:
                throw UsageError(
                    "a certificate that an authority vouches for is registered by its subject, at the server itself; here "
                        + "self-signed-tls can be registered")
            case .none, .basic, .post, .rawBasic, .secretJWT, .privateKeyJWT, .selfSignedTLS: self.method = method
            }
        } else if keys.certificateFile != nil {
            method = .selfSignedTLS
        } else {
            method = keys.keyFile == nil ? nil : .privateKeyJWT
        }
    }

    /// Whether the call says nothing of the client.
    var isEmpty: Bool {
        redirectURIs == nil && name == nil && scope == nil && grants == nil && method == nil && statementFile == nil
    }

    /// The metadata of a new client.
    func metadata() throws(TernError) -> ClientMetadata {
        let grants = grants ?? ["authorization_code", "refresh_token"]
        let needsPage = grants.contains("authorization_code") || grants.contains("implicit")
        var metadata = ClientMetadata(
            redirectURIs: redirectURIs ?? (needsPage ? [OAuthClient.loopbackRedirect] : []), name: name,
            grantTypes: grants, authenticationMethod: (method ?? .none).registeredName, scope: scope)
        // It is the default, which not every server fills in.
        if grants.contains("authorization_code"), !grants.contains("implicit") { metadata.responseTypes = ["code"] }
        try addProof(to: &metadata)
        return metadata
    }

    /// Metadata of a registered client with what the call wants otherwise.
    func applied(to registered: ClientMetadata) throws(TernError) -> ClientMetadata {
        var metadata = registered
        if let redirectURIs { metadata.redirectURIs = redirectURIs }
        if let name { metadata.name = name }
        if let scope { metadata.scope = scope }
        if let grants {
            let plain = ClientMetadata(redirectURIs: metadata.redirectURIs, grantTypes: grants)
            metadata.grantTypes = grants
            metadata.responseTypes = plain.responseTypes
        }
        if let method {
            metadata.authenticationMethod = method.registeredName
            metadata.authenticationAlgorithm = nil
            metadata["jwks"] = nil
        }
        try addProof(to: &metadata)
        return metadata
    }

    private func addProof(to metadata: inout ClientMetadata) throws(TernError) {
        let kinds = metadata.redirectURIs.compactMap { try? RedirectURI($0).kind }
        // OpenID servers refuse such addresses to what they take for a web site.
        if !kinds.isEmpty, kinds.allSatisfy({ $0 == .loopback || $0 == .privateUseScheme }) {
            metadata.applicationType = "native"
        } else if metadata.applicationType == "native" {
            metadata.applicationType = nil
        }
        if let statementFile {
            let bytes = try KeyFile.bytes(of: statementFile, called: "--software-statement-file")
            metadata.softwareStatement = String(String(decoding: bytes, as: UTF8.self).trimmingASCIIWhitespace)
        }
        switch method {
        case .privateKeyJWT:
            guard let key = try keys.signingKey() else { break }
            metadata.keys = JWKSet([key.publicKey])
            metadata.authenticationAlgorithm = key.algorithm.rawValue
        case .selfSignedTLS:
            guard let key = try keys.signingKey(), let file = keys.certificateFile else { break }
            let text = try KeyFile.bytes(of: file, called: "--client-certificate")
            guard let certificate = PEMText.certificates(in: text)?.first else {
                throw TernError(
                    .invalidConfiguration(
                        field: "--client-certificate", problem: "there is no certificate (PEM) in it"),
                    at: .configuration)
            }
            guard var json = JWKSet([key.publicKey]).publicJSON()["keys"]?.array?.first?.object else { break }
            json["x5c"] = [.string(Base64.encode(certificate))]
            metadata["jwks"] = ["keys": [.object(json)]]
            metadata.bindsTokensToCertificate = true
        case .none?, .basic, .post, .rawBasic, .secretJWT, .tls, nil: break
        }
    }

    /// How the command keeps the client that came of the wishes.
    func settings(
        _ information: ClientInformation, at issuer: Issuer, authoritiesFile: String?, before: SavedClient?
    ) -> SavedClient {
        let metadata = information.metadata
        var settings = SavedClient(
            issuer: issuer.text, clientID: information.clientID, scope: metadata.scope ?? scope ?? ["openid"],
            redirectURI: metadata.redirectURIs.first ?? redirectURIs?.first ?? OAuthClient.loopbackRedirect,
            authentication: SavedClient.AuthenticationMethod(registeredName: metadata.authenticationMethod)
                ?? (information.clientSecret == nil ? .none : .basic),
            secret: nil, authoritiesFile: authoritiesFile ?? before?.authoritiesFile)
        settings.isRegistered = true
        settings.keys = keys.keyFile == nil ? before?.keys ?? keys : keys
        return settings
    }
}
