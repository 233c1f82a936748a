public import TernCrypto
public import TernJOSE

/// A proof that came with a request, checked: its sender holds the key (RFC 9449 §4.3). For servers; clients make proofs
/// with ``DPoPKey``.
///
/// The server has to see to two things itself: that ``tokenID`` was not seen before, and that the access token is bound to
/// ``thumbprint``.
public struct DPoPProof: Sendable, Hashable {
    /// The hash of the key that made the proof, `jkt` (§6).
    public let thumbprint: String
    /// The name of this one proof, `jti`.
    public let tokenID: String
    /// When it was made.
    public let issuedAt: NumericDate

    /// The `typ` of a proof.
    public static let type = "dpop+jwt"

    /// What a proof is held against.
    public struct Expectation: Sendable {
        /// The access token that came with the request; the proof must name it (`ath`).
        public var accessToken: AccessToken?
        /// The nonce that the proof must have; `nil` where the server gives none.
        public var nonce: String?
        /// The algorithms that are taken.
        public var algorithms: Set<SignatureAlgorithm> = SignatureAlgorithm.asymmetric
        /// How old a proof may be, and how far ahead of the clock; 60 seconds.
        public var leeway: Duration = .seconds(60)

        /// Expects a proof with or without a token.
        public init(accessToken: AccessToken? = nil, nonce: String? = nil) {
            self.accessToken = accessToken
            self.nonce = nonce
        }
    }

    /// Checks the proof of a request.
    ///
    /// - Parameters:
    ///   - request: the request as it arrived; it must have exactly one field `DPoP`.
    ///   - url: the address as the client called it, where a proxy stands in between.
    ///   - expected: what it is held against.
    ///   - now: the server's time.
    /// - Throws: ``TernError`` with `proofRejected`, which names the first thing that is wrong.
    public init(
        of request: HTTPRequest, url: URI? = nil, expecting expected: Expectation, now: NumericDate
    ) throws(TernError) {
        let values = request.fields.values(of: "DPoP")
        guard values.count == 1, let compact = values.first else {
            throw Self.rejected(values.isEmpty ? "there is none" : "there are several")
        }
        let (jwt, key) = try Self.verified(compact, expected.algorithms)
        let claims = jwt.claims
        guard let tokenID = claims["jti"]?.string, !tokenID.isEmpty else { throw Self.rejected("jti is missing") }
        guard let method = claims["htm"]?.string, method == request.method.rawValue else {
            throw Self.rejected("htm is not the method")
        }
        guard let target = claims["htu"]?.string.flatMap(URI.init), target.isSameTarget(as: url ?? request.url) else {
            throw Self.rejected("htu is not the address")
        }
        guard let issuedAt = claims["iat"]?.double.map(NumericDate.init) else { throw Self.rejected("iat is missing") }
        guard issuedAt <= now + expected.leeway, now <= issuedAt + expected.leeway else {
            throw Self.rejected("iat is too old or ahead")
        }
        if let nonce = expected.nonce {
            guard let sent = claims["nonce"]?.string, constantTimeEqual(sent.utf8, nonce.utf8) else {
                throw Self.rejected("nonce is not the one that was given")
            }
        }
        if let token = expected.accessToken {
            guard let hash = claims["ath"]?.string, constantTimeEqual(hash.utf8, Self.hash(of: token).utf8) else {
                throw Self.rejected("ath is not of the access token")
            }
        }
        self.tokenID = tokenID
        self.issuedAt = issuedAt
        thumbprint = key.thumbprint()
    }

    private static func verified(
        _ compact: String, _ algorithms: Set<SignatureAlgorithm>
    ) throws(TernError) -> (JWT, JWK) {
        do {
            let jwt = try JWT(compact: compact)
            guard jwt.header.type == type else { throw rejected("typ is not \(type)") }
            guard jwt.header.algorithm.isAsymmetric, let json = jwt.header.parameters["jwk"] else {
                throw rejected("it has no public key")
            }
            let key = try JWK(json)
            guard !key.isSecret else { throw rejected("its key is a private one") }
            try jwt.jws.verify(with: key, allowed: algorithms)
            return (jwt, key)
        } catch let error as TernError {
            throw error
        } catch {
            throw rejected("\(error)")
        }
    }

    /// The hash of an access token, `ath` (§4.2).
    static func hash(of token: AccessToken) -> String {
        Base64URL.encode(HashFunction.sha256.digest(Array(token.exposedText.utf8)))
    }

    private static func rejected(_ problem: String) -> TernError {
        TernError(.proofRejected(problem), at: .resourceRequest)
    }
}

extension URI {
    /// Whether two addresses are the same without query and fragment, and but for the case of scheme and host, a port that
    /// goes without saying, and an empty path (RFC 9449 §4.3, RFC 3986 §6.2.2 and §6.2.3).
    fileprivate func isSameTarget(as other: URI) -> Bool {
        func path(_ uri: URI) -> String { uri.encodedPath.isEmpty ? "/" : uri.encodedPath }
        return origin != nil && origin == other.origin && path(self).hasSameOctets(as: path(other))
    }
}
