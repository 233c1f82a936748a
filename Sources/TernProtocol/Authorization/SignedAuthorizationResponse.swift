public import TernCrypto
public import TernJOSE

/// The purpose of the text inside a ``SignedAuthorizationResponse``.
public enum AuthorizationResponseJWTPurpose: Sendable {}

/// An answer of the authorization endpoint that is a JWT in the parameter `response` (JWT Secured Authorization Response Mode
/// for OAuth 2.0). Errors come in it too, and what stands beside it says nothing.
///
/// Nothing of it is believed before ``plainCallback(verifiedWith:for:expecting:now:leeway:algorithms:)``, which makes an
/// ordinary callback of it, to be read with ``AuthorizationResponse/Expectation/withoutSignature``.
public struct SignedAuthorizationResponse: Sendable {
    /// The JWT as it came.
    public let token: Secret<AuthorizationResponseJWTPurpose>
    private let redirectURI: RedirectURI
    private let mode: AuthorizationRequest.ResponseMode

    /// Finds the JWT of a callback.
    ///
    /// - Returns: `nil` when the address did not arrive at the redirect URI and so is somebody else's.
    /// - Throws: ``TernError``: `unexpectedResponseMode` for an answer that is not signed, or in another part of the address;
    ///   `malformedCallback` when `response` is missing or stands there twice.
    public init?(callback: URI, expecting expected: AuthorizationResponse.Expectation) throws(TernError) {
        guard expected.redirectURI.matches(callback) else { return nil }
        redirectURI = expected.redirectURI
        mode = expected.responseMode.resolved(for: expected.responseType)
        let values = try AuthorizationAnswer.parameters(of: callback, expecting: mode).values(of: "response")
        guard values.count == 1, let value = values.first, !value.isEmpty else {
            throw TernError(
                .malformedCallback(
                    values.count > 1 ? "\"response\" stands in it more than once" : "it brings no signed answer"),
                at: AuthorizationAnswer.step)
        }
        token = Secret(value)
    }

    /// The ordinary callback that the JWT stands for, once its signature and its `iss`, `aud` and `exp` were checked (§2.4).
    ///
    /// - Parameters:
    ///   - keys: the server's keys.
    ///   - clientID: the client.
    ///   - expected: what the callback is held against; the issuer counts here.
    ///   - now: the time.
    ///   - leeway: how wrong clocks may be, in both directions.
    ///   - algorithms: the algorithms that are taken; every asymmetric one by default.
    /// - Throws: ``TernError``: `tokenRejected` with the reason; `missingMetadata` where the server has no issuer.
    public func plainCallback(
        verifiedWith keys: JWKSet, for clientID: String, expecting expected: AuthorizationResponse.Expectation,
        now: NumericDate, leeway: Duration = IDToken.standardLeeway,
        algorithms: Set<SignatureAlgorithm> = IDToken.standardAlgorithms
    ) throws(TernError) -> URI {
        guard let issuer = expected.issuer else {
            throw TernError(.missingMetadata(field: "issuer"), at: AuthorizationAnswer.step)
        }
        let signed = try SignedToken(
            verifying: token.exposedText, as: .authorizationResponse, type: .any, keys: keys, algorithms: algorithms,
            at: AuthorizationAnswer.step)
        let received = try signed.text("iss")
        guard received.hasSameOctets(as: issuer) || IssuerRule.fits(received, template: issuer) else {
            throw signed.rejected(.issuerMismatch(expected: issuer, received: ServerError.cleaned(received)))
        }
        try signed.checkedAudience(anyOf: [clientID])
        _ = try signed.checkedExpiration(now: now, leeway: leeway)
        try signed.checkNotBefore(now: now, leeway: leeway)
        return try callback(stating: signed.claims)
    }

    /// The ordinary callback that the JWT claims to be, to find out which sign-in it is for. Anybody may have written it.
    ///
    /// - Throws: ``TernError`` with `malformedCallback` when it cannot be read, also because it is encrypted.
    public func unverifiedCallback() throws(TernError) -> URI {
        guard let claims = Self.unverifiedClaims(of: token.exposedText) else {
            throw TernError(.malformedCallback("the signed answer in it cannot be read"), at: AuthorizationAnswer.step)
        }
        return try callback(stating: claims)
    }

    /// The state that a JWT in a callback claims; `nil` when it cannot be read.
    package static func unverifiedState(of compact: String) -> String? {
        unverifiedClaims(of: compact)?["state"]?.string
    }

    private static func unverifiedClaims(of compact: String) -> JWTClaims? {
        guard let jws = try? JWS(compact: compact) else { return nil }
        return try? JWTClaims(parsing: jws.payload)
    }

    private func callback(stating claims: JWTClaims) throws(TernError) -> URI {
        var parameters: FormParameters = [:]
        for (name, value) in claims.members where !["aud", "exp", "iat", "nbf", "jti"].contains(name) {
            parameters.append(name, value.string ?? value.text)
        }
        let place = redirectURI.uri.withoutQueryAndFragment
        let callback: URI? =
            switch mode.carrier {
            case .fragment: URI(place + "#" + parameters.encoded)
            case .formPost: redirectURI.callback(posting: parameters)
            default: URI(place + "?" + parameters.encoded)
            }
        guard let callback else {
            throw TernError(.malformedCallback("the signed answer in it is too long"), at: AuthorizationAnswer.step)
        }
        return callback
    }
}

extension SignedAuthorizationResponse: CustomStringConvertible, CustomReflectable {
    /// Says that an answer is here.
    public var description: String { "<signed authorization response>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension TokenDecryption {
    /// A callback whose signed answer is no longer encrypted; any other callback as it is.
    ///
    /// - Throws: what ``content(of:at:)`` throws; `malformedCallback` where no signed answer is inside.
    public func opened(_ callback: URI) throws(TernError) -> URI {
        for part in [callback.encodedQuery, callback.encodedFragment].compactMap(\.self) {
            guard var parameters = FormParameters(decoding: part), let answer = parameters["response"],
                parameters.values(of: "response").count == 1, JWE.isCompact(answer)
            else { continue }
            let content = try content(of: answer, at: AuthorizationAnswer.step)
            parameters["response"] = String(decoding: content, as: UTF8.self)
            let isQuery = part == callback.encodedQuery
            let fragment = isQuery ? callback.encodedFragment : parameters.encoded
            let query = isQuery ? parameters.encoded : callback.encodedQuery
            let text =
                callback.withoutQueryAndFragment + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
            guard let opened = URI(text) else { break }
            return opened
        }
        return callback
    }
}
