public import TernCrypto
public import TernJOSE

/// What opens the tokens that a server encrypts for a client (OpenID Connect Core 1.0 §10.2): the client's private keys, and
/// the keys that its secret stands for.
public struct TokenDecryption: Sendable {
    /// Whether a token may come without encryption.
    public enum Rule: String, Sendable, Hashable, Codable {
        /// Encrypted ones are opened, others are taken as they are.
        case accepted
        /// A token that is not encrypted is refused.
        case required
    }

    /// The client's private keys, of which the server knows the public halves. Shared ones (`oct`) may be among them.
    public var keys: JWKSet
    /// The client's secret, from which keys for `dir`, A*KW and A*GCMKW are derived; `nil` for none.
    public var secret: ClientSecret?
    /// The ways in which the content's key may come; every one that is supported by default.
    public var algorithms = Set(KeyManagementAlgorithm.allCases)
    /// The ways of encrypting the content; every one that is supported by default.
    public var encryptions = Set(ContentEncryption.allCases)

    /// Collects keys.
    public init(keys: JWKSet = JWKSet([]), secret: ClientSecret? = nil) {
        self.keys = keys
        self.secret = secret
    }

    /// The signed ID token: what is inside an encrypted one, and a signed one itself. Its signature is yet to be checked.
    ///
    /// - Parameters:
    ///   - encoded: the token as it came.
    ///   - rule: whether it may come without encryption.
    /// - Throws: ``TernError``: `encryptedIDTokenUnsupported` where no key is for it; `idTokenRejected` with `decryption`,
    ///   `notEncrypted`, `notSigned` for claims that were encrypted and not signed, `unsupportedAlgorithm`, or `malformed`.
    public func signedIDToken(
        in encoded: EncodedIDToken, rule: Rule = .accepted
    ) throws(TernError) -> EncodedIDToken {
        guard JWE.isCompact(encoded.exposedText) else {
            guard rule == .accepted else { throw TernError(.idTokenRejected(.notEncrypted), at: .idToken) }
            return encoded
        }
        guard let inner = Self.signedToken(in: try content(of: encoded.exposedText, at: .idToken)) else {
            throw TernError(.idTokenRejected(.notSigned), at: .idToken)
        }
        return EncodedIDToken(inner)
    }

    /// The user information without its encryption: a signed JWT, whose signature is yet to be checked, or plain claims
    /// (OpenID Connect Core 1.0 §5.3.2 allows both inside).
    ///
    /// - Parameters:
    ///   - answer: what came.
    ///   - rule: whether it may come without encryption.
    /// - Throws: ``TernError``: `encryptedIDTokenUnsupported` where no key is for it; `idTokenRejected` with `decryption`,
    ///   `unsupportedAlgorithm` or `malformed`; `userInfoRejected` where it is not encrypted and has to be.
    public func userInfo(
        in answer: UserInfoRequest.Answer, rule: Rule = .accepted
    ) throws(TernError) -> UserInfoRequest.Answer {
        guard case .signed(let jwt) = answer, JWE.isCompact(jwt.exposedText) else {
            guard rule == .accepted else {
                throw TernError(.userInfoRejected("it is not encrypted, as this client demands"), at: .userInfo)
            }
            return answer
        }
        let content = try content(of: jwt.exposedText, at: .userInfo)
        if let inner = Self.signedToken(in: content) { return .signed(Secret(inner)) }
        do {
            return .claims(try JWTClaims(parsing: content).members)
        } catch {
            throw TernError(.idTokenRejected(.malformed("encrypted content")), at: .userInfo)
        }
    }

    /// What is inside an encrypted token.
    ///
    /// - Parameters:
    ///   - token: an encrypted token in its compact form.
    ///   - step: the step that a failure is reported for.
    /// - Throws: ``TernError``: `encryptedIDTokenUnsupported` where no key is for it; `idTokenRejected` with `decryption`,
    ///   `unsupportedAlgorithm` or `malformed`.
    public func content(of token: String, at step: Step) throws(TernError) -> [UInt8] {
        guard !keys.keys.isEmpty || secret != nil else { throw TernError(.encryptedIDTokenUnsupported, at: step) }
        do throws(JOSEError) {
            let jwe = try JWE(compact: token)
            return try jwe.opened(with: keys(for: jwe.header), allowed: algorithms, encryptions: encryptions)
        } catch {
            throw Self.failure(error, at: step)
        }
    }

    /// The client's keys, and where the algorithm uses a shared one the one that the secret stands for.
    private func keys(for header: JWEHeader) -> JWKSet {
        guard let secret, let byteCount = header.algorithm.sharedKeyByteCount(for: header.encryption),
            let derived = SymmetricKey(encryptingWith: secret, byteCount: byteCount)
        else { return keys }
        return JWKSet(keys.keys + [JWK(.symmetric(derived))])
    }

    private static func failure(_ error: JOSEError, at step: Step) -> TernError {
        let rejection: IDTokenRejection
        switch error {
        case .unknownKey: return TernError(.encryptedIDTokenUnsupported, at: step)
        case .unsupportedAlgorithm(let name): rejection = .unsupportedAlgorithm(name)
        case .malformed(let part): rejection = .malformed(part)
        case .compressed: rejection = .malformed("compressed content")
        case .decryptionFailed, .keyUnusable: rejection = .decryption
        default: rejection = .malformed("header")
        }
        return TernError(.idTokenRejected(rejection), at: step)
    }

    /// The text of a signed token; `nil` for anything else, another encrypted token included.
    private static func signedToken(in content: [UInt8]) -> String? {
        let dots = content.lazy.filter { $0 == UInt8(ascii: ".") }.count
        guard dots == 2, content.first != UInt8(ascii: "{"), content.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return nil
        }
        return String(decoding: content, as: UTF8.self)
    }
}
