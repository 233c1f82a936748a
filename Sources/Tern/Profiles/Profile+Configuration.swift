internal import TernJOSE
internal import TernProtocol

extension Profile {
    /// FAPI 2.0 Security Profile §5.4.1.
    static let algorithmsOfFAPI: Set<SignatureAlgorithm> = [.ps256, .es256, .edDSA]

    /// Holds a configuration against the text.
    func check(_ configuration: ClientConfiguration) throws(TernError) {
        switch self {
        case .oauth21: try checkOAuth21(configuration)
        case .fapi2(let constraint): try checkFAPI(configuration, constraint)
        case .fapi2MessageSigning(let constraint):
            try checkFAPI(configuration, constraint)
            try checkMessageSigning(configuration)
        case .atproto: try checkATProto(configuration)
        case .mcp: try checkMCP(configuration)
        }
    }

    private func checkOAuth21(_ configuration: ClientConfiguration) throws(TernError) {
        try require(
            configuration.responseType.hasCode && !configuration.responseType.hasToken, "§10",
            "tokens do not come through the browser; the response type is \"\(configuration.responseType)\"")
        try require(
            configuration.redirectURI.isProtected, "§1.5", "a redirect URI of plain http is for the loopback interface")
    }

    private func checkFAPI(
        _ configuration: ClientConfiguration, _ constraint: SenderConstraint
    ) throws(TernError) {
        guard case .issuer = configuration.server else {
            return try require(false, "§5.3.3.1", "the metadata comes from the server's own well-known address")
        }
        switch configuration.authentication {
        case .tls: break
        case .privateKeyJWT(let key, let assertion):
            try require(
                assertion.audience == .issuer && !configuration.triesOtherAuthentication, "§5.3.3.1",
                "the audience of assertions is the issuer, and no other is tried")
            try checkFAPI(key.algorithm, "the client's key")
        default:
            try require(false, "§5.3.3.1", "clients authenticate with private_key_jwt or with a certificate")
        }
        switch constraint {
        case .dpop:
            try require(
                configuration.dpop != nil && configuration.dpop?.acceptsBearerTokens == false, "§5.3.3.1",
                "tokens are bound to a key, and no others are taken")
        case .certificate:
            try require(
                configuration.showsCertificate, "§5.3.3.1", "tokens are bound to the client's certificate")
        }
        if let algorithm = configuration.dpop?.algorithm { try checkFAPI(algorithm, "the key of proofs") }
        try require(
            configuration.acceptedAlgorithms.isSubset(of: Self.algorithmsOfFAPI), "§5.4.1",
            "signatures are PS256, ES256 or EdDSA")
        try require(
            configuration.responseType == .code, "§5.3.3.2",
            "the response type is \"code\", not \"\(configuration.responseType)\"")
        try require(configuration.requestDelivery.pushing == .always, "§5.3.3.2", "requests are pushed")
        try require(
            configuration.redirectURI.uri.isSecure || configuration.redirectURI.uri.isLoopback, "§5.3.2.2",
            "redirect URIs are https addresses, or on the loopback interface")
    }

    private func checkFAPI(_ algorithm: SignatureAlgorithm, _ what: String) throws(TernError) {
        try require(
            Self.algorithmsOfFAPI.contains(algorithm), "§5.4.1",
            "\(what) signs with \(algorithm.rawValue), and only PS256, ES256 and EdDSA are taken")
    }

    private func checkMessageSigning(_ configuration: ClientConfiguration) throws(TernError) {
        guard let signing = configuration.requestDelivery.signing else {
            return try require(false, "§5.3.2", "requests are signed; there is no key for it")
        }
        try checkFAPI(signing.key.algorithm, "the key of requests")
        try require(signing.lifetime <= .seconds(3600), "§5.3.2", "a signed request is good for an hour at most")
        try require(configuration.responseMode?.isSigned == true, "§5.4.2", "answers are signed: the mode is jwt")
    }

    private func checkMCP(_ configuration: ClientConfiguration) throws(TernError) {
        try require(
            !configuration.resources.isEmpty, "Resource Parameter Implementation",
            "the server that the tokens are for is named: set resources")
        try require(
            configuration.responseType == .code, "Authorization Code Protection", "the response type is \"code\"")
        try require(
            configuration.redirectURI.uri.isSecure || configuration.redirectURI.uri.isLoopback,
            "Communication Security", "redirect URIs are https addresses, or on the loopback interface")
    }

    private func checkATProto(_ configuration: ClientConfiguration) throws(TernError) {
        let clientID = URI(configuration.clientID)
        let isLocal =
            clientID.map { $0.normalizedScheme == "http" && $0.host == "localhost" && $0.port == nil } ?? false
        try require(
            isLocal || clientID?.isSecure == true, "Clients",
            "the client ID is the https address of its metadata, or http://localhost while it is developed")
        switch configuration.authentication {
        case .none: break
        case .privateKeyJWT(let key, _):
            try require(key.algorithm == .es256, "Clients", "the client's key signs with ES256")
        default: try require(false, "Clients", "clients are public, or authenticate with private_key_jwt")
        }
        try require(
            configuration.dpop?.acceptsBearerTokens == false && [nil, .es256].contains(configuration.dpop?.algorithm),
            "Demonstrating Proof of Possession", "tokens are bound to an ES256 key, and no others are taken")
        try require(
            configuration.requestDelivery.pushing == .always, "Authorization Requests", "requests are pushed")
        try require(
            configuration.responseType == .code, "Authorization Requests", "the response type is \"code\"")
        try require(configuration.scope.contains("atproto"), "Authorization Scopes", "the scope has \"atproto\"")
        if let clientID {
            try require(
                configuration.redirectURI.isOf(client: clientID, isLocal: isLocal), "Clients",
                "the redirect URI belongs to the client ID: its origin, its host reversed as a scheme with one slash, "
                    + "or the loopback interface for a client at localhost")
        }
    }
}

extension DPoP {
    /// How proofs are signed; `nil` where only the vault knows, until it has made a key.
    fileprivate var algorithm: SignatureAlgorithm? {
        switch key {
        case .generated(let algorithm): algorithm
        case .given(let key): key.algorithm
        case .vault: nil
        }
    }
}

extension RedirectURI {
    /// Whether nobody on the network reads what arrives.
    fileprivate var isProtected: Bool { uri.normalizedScheme != "http" || uri.isLoopback }

    fileprivate func isOf(client: URI, isLocal: Bool) -> Bool {
        if isLocal { return uri.normalizedScheme == "http" && uri.isLoopback && uri.host != "localhost" }
        if uri.isSecure { return uri.origin == client.origin }
        let reversed = (client.host ?? "").split(separator: ".").reversed().joined(separator: ".")
        return uri.normalizedScheme == reversed && !uri.hasAuthority && uri.encodedPath.hasPrefix("/")
    }
}
