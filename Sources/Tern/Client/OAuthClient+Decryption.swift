internal import TernJOSE
internal import TernProtocol

extension ClientConfiguration {
    /// What opens the tokens that the server encrypts for the client.
    var decryption: TokenDecryption { TokenDecryption(keys: decryptionKeys, secret: authentication.secret) }
}

extension OAuthClient {
    /// The signed ID token: what is inside an encrypted one, and a signed one itself.
    func signedIDToken(in encoded: EncodedIDToken) throws(TernError) -> EncodedIDToken {
        try configuration.decryption.signedIDToken(in: encoded, rule: configuration.idTokenEncryption)
    }
}
