internal import TernJOSE
internal import TernProtocol

extension TestClient {
    /// Takes over how a client that registers wants its answers (OpenID Connect Registration 1.0 §2, JWT Secured
    /// Authorization Response Mode §3).
    mutating func setAnswers(
        _ metadata: ClientMetadata, _ documents: [String: JSONObject]
    ) throws(EndpointFailure) {
        responseTypes = Set((metadata.responseTypes ?? ["code"]).compactMap { try? ResponseType($0) })
        authorizationResponseAlgorithm = .rs256
        if let name = metadata["authorization_signed_response_alg"]?.string {
            guard let algorithm = SignatureAlgorithm(rawValue: name) else {
                throw Self.refusal("authorization_signed_response_alg is not offered")
            }
            authorizationResponseAlgorithm = algorithm
        }
        let encryption = metadata["authorization_encrypted_response_enc"]?.string
        guard let name = metadata["authorization_encrypted_response_alg"]?.string else {
            guard encryption == nil else {
                throw Self.refusal("authorization_encrypted_response_enc stands without its alg")
            }
            return
        }
        guard let algorithm = KeyManagementAlgorithm(rawValue: name),
            let encryption = ContentEncryption(rawValue: encryption ?? ContentEncryption.a128CBCHS256.rawValue)
        else { throw Self.refusal("authorization_encrypted_response_alg or _enc is not offered") }
        var key: JWK?
        if algorithm.isAsymmetric {
            key = try Self.keys(metadata, documents).keys.first { $0.use != "sig" && algorithm.takes($0) }
            guard key != nil else { throw Self.refusal("no key fits authorization_encrypted_response_alg") }
        }
        authorizationResponseEncryption = TestEncryption(algorithm, encryption, key: key)
    }
}

extension KeyManagementAlgorithm {
    fileprivate func takes(_ key: JWK) -> Bool {
        let isRSA = rawValue.hasPrefix("RSA")
        switch key.material {
        case .rsaPublic, .rsaPrivate: return isRSA
        case .ecPublic, .ecPrivate, .x25519Public, .x25519Private: return !isRSA
        case .ed25519Public, .ed25519Private, .symmetric: return false
        }
    }
}
