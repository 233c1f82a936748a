public import TernCrypto

/// The secret half of PKCE: it stays here until the code is exchanged (RFC 7636 §4.1).
public struct CodeVerifier: Sendable, Hashable {
    /// The verifier itself.
    public let secret: Secret<CodeVerifierPurpose>

    /// Makes a new verifier of 43 characters out of 32 random bytes.
    public init(from random: some RandomSource = SystemRandomSource()) {
        self.init(randomBytes: random.bytes(32))
    }

    init(randomBytes: [UInt8]) { secret = Secret(Base64URL.encode(randomBytes)) }

    /// Reads a verifier: 43 to 128 of letters, digits and `-._~`.
    ///
    /// - Throws: ``TernError`` with the field `code_verifier`.
    public init(_ text: String) throws(TernError) {
        guard (43...128).contains(text.utf8.count), text.utf8.allSatisfy(\.isUnreserved) else {
            throw TernError(
                .invalidConfiguration(
                    field: "code_verifier", problem: "43 to 128 letters, digits or -._~ are wanted (RFC 7636 §4.1)"),
                at: .authorizationRequest)
        }
        secret = Secret(text)
    }

    /// The public half, which goes into the authorization request.
    public var challenge: CodeChallenge {
        CodeChallenge(value: Base64URL.encode(HashFunction.sha256.digest(Array(secret.exposedText.utf8))))
    }
}

/// The public half of PKCE by the method S256, the only one offered (RFC 7636 §4.2).
public struct CodeChallenge: Sendable, Hashable {
    /// The SHA-256 of the verifier in base64url.
    public let value: String

    /// The name of the method.
    public static let method = "S256"
}
