internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// Encrypts a signed token, or plain claims, for a client; what is not to be encrypted comes back as it is.
    func encrypt(
        _ content: String, _ settings: TestEncryption?, isToken: Bool = true, for client: TestClient
    ) throws(EndpointFailure) -> String {
        guard let settings else { return content }
        let key: JWK
        if let given = settings.key {
            key = given
        } else if let secret = client.authentication.secret,
            let byteCount = settings.algorithm.sharedKeyByteCount(for: settings.encryption),
            let derived = SymmetricKey(encryptingWith: secret, byteCount: byteCount)
        {
            key = JWK(.symmetric(derived))
        } else {
            throw EndpointFailure.internalTrouble
        }
        let header = JWEHeader(
            algorithm: settings.algorithm, encryption: settings.encryption, keyID: key.keyID,
            contentType: isToken ? "JWT" : nil)
        do throws(JOSEError) {
            return try JWE.encrypt(payload: Array(content.utf8), header: header, key: key, random: random)
        } catch {
            throw EndpointFailure.internalTrouble
        }
    }

    /// What the metadata says about encryption (OpenID Connect Discovery 1.0 §3).
    var encryptionMetadata: JSONObject {
        let algorithms = JSON.array(KeyManagementAlgorithm.allCases.map { .string($0.rawValue) })
        let encryptions = JSON.array(ContentEncryption.allCases.map { .string($0.rawValue) })
        return [
            "id_token_encryption_alg_values_supported": algorithms,
            "id_token_encryption_enc_values_supported": encryptions,
            "userinfo_encryption_alg_values_supported": algorithms,
            "userinfo_encryption_enc_values_supported": encryptions,
        ]
    }
}
