internal import TernCrypto
internal import TernJOSE

/// The rules of OpenID Connect Core 1.0 §3.1.3.7 over the claims of an ID token whose signature was checked.
struct ClaimsCheck {
    let issuer: String
    let subject: String
    let expiration: NumericDate
    let issuedAt: NumericDate
    let authenticationTime: NumericDate?
    private let claims: JWTClaims
    private let expected: IDToken.Expectation

    init(claims: JWTClaims, expected: IDToken.Expectation, now: NumericDate) throws(Refusal) {
        self.claims = claims
        self.expected = expected
        issuer = try Self.checkIssuer(claims, expected.issuer)
        try Self.checkTenant(claims, expected.allowedTenants)
        subject = try Self.text("sub", in: claims)
        try Self.checkAudience(claims, expected.clientID)
        expiration = try Self.date("exp", in: claims)
        issuedAt = try Self.date("iat", in: claims)
        try Self.checkTimes(claims, expected, now, expiration, issuedAt)
        authenticationTime = try Self.checkAuthenticationTime(claims, expected, now)
        try Self.checkNonce(claims, expected.nonce)
        if !expected.acrValues.isEmpty {
            guard let acr = claims["acr"]?.string, expected.acrValues.contains(acr) else {
                throw Refusal(.authenticationContextMismatch)
            }
        }
        if let wanted = expected.subject, !wanted.hasSameOctets(as: subject) { throw Refusal(.subjectMismatch) }
    }

    /// `at_hash`, `c_hash` and `s_hash`, wherever they are there or must be: the left half of the hash that the algorithm
    /// uses.
    func checkHashes(algorithm: SignatureAlgorithm) throws(Refusal) {
        func check(
            _ name: String, _ text: String?, isRequired: Bool, _ rejection: IDTokenRejection
        ) throws(Refusal) {
            guard let text else { return }
            guard let claim = claims[name] else {
                guard isRequired else { return }
                throw Refusal(.malformedClaim(name))
            }
            let digest = algorithm.hashFunction.digest(Array(text.utf8))
            let half = Base64URL.encode(Array(digest.prefix(digest.count / 2)))
            guard claim.string?.hasSameOctets(as: half) ?? false else { throw Refusal(rejection) }
        }
        let isRequired = expected.requiresHashes
        try check(
            "at_hash", expected.accessToken?.exposedText, isRequired: isRequired, .accessTokenHashMismatch)
        try check("c_hash", expected.code?.exposedText, isRequired: isRequired, .codeHashMismatch)
        try check("s_hash", expected.state, isRequired: false, .stateHashMismatch)
    }

    private static func checkIssuer(_ claims: JWTClaims, _ expected: String) throws(Refusal) -> String {
        let received = claims["iss"]?.string
        var wanted = expected
        // Looking for a byte first spares every ordinary issuer the slow search for a text.
        if expected.utf8.contains(UInt8(ascii: "{")), expected.contains(IssuerRule.placeholder) {
            guard let tenant = claims["tid"]?.string, !tenant.isEmpty, tenant.utf8.allSatisfy(\.isUnreserved) else {
                throw Refusal(.malformedClaim("tid"))
            }
            wanted = expected.replacingEvery(IssuerRule.placeholder, with: tenant)
        }
        guard let received, received.hasSameOctets(as: wanted) else {
            throw Refusal(.issuerMismatch(expected: wanted, received: received.map(ServerError.cleaned)))
        }
        return received
    }

    private static func checkTenant(_ claims: JWTClaims, _ allowed: Set<String>?) throws(Refusal) {
        guard let allowed else { return }
        let tenant = try text("tid", in: claims)
        guard allowed.contains(where: tenant.hasSameOctets) else { throw Refusal(.tenantNotAllowed) }
    }

    private static func checkAudience(_ claims: JWTClaims, _ clientID: String) throws(Refusal) {
        let audience: [String]
        switch claims["aud"] {
        case .string(let one): audience = [one]
        case .array(let list):
            audience = list.compactMap(\.string)
            guard audience.count == list.count else { throw Refusal(.malformedClaim("aud")) }
        default: throw Refusal(.malformedClaim("aud"))
        }
        guard audience.contains(where: { $0.hasSameOctets(as: clientID) }) else { throw Refusal(.audienceMismatch) }
        let party = claims["azp"]
        guard party?.string?.hasSameOctets(as: clientID) ?? (party == nil && audience.count == 1) else {
            throw Refusal(.authorizedPartyMismatch)
        }
    }

    private static func checkTimes(
        _ claims: JWTClaims, _ expected: IDToken.Expectation, _ now: NumericDate, _ expiration: NumericDate,
        _ issuedAt: NumericDate
    ) throws(Refusal) {
        let over = seconds(now, since: expiration + expected.leeway)
        guard over < 0 else { throw Refusal(.expired(by: whole(seconds(now, since: expiration)))) }
        let ahead = seconds(issuedAt, since: now)
        guard ahead <= seconds(expected.leeway) else { throw Refusal(.clockSkew(ahead: whole(ahead))) }
        if claims["nbf"] != nil {
            let wait = seconds(try date("nbf", in: claims), since: now)
            guard wait <= seconds(expected.leeway) else { throw Refusal(.notYetValid(by: whole(wait))) }
        }
    }

    private static func checkAuthenticationTime(
        _ claims: JWTClaims, _ expected: IDToken.Expectation, _ now: NumericDate
    ) throws(Refusal) -> NumericDate? {
        guard let maxAge = expected.maxAge else { return try? claims.date("auth_time") }
        let time = try date("auth_time", in: claims)
        let age = seconds(now, since: time)
        let leeway = seconds(expected.leeway)
        guard age >= -leeway else { throw Refusal(.clockSkew(ahead: whole(-age))) }
        let over = age - seconds(maxAge) - leeway
        guard over <= 0 else { throw Refusal(.authenticationTooOld(by: whole(age - seconds(maxAge)))) }
        return time
    }

    private static func checkNonce(_ claims: JWTClaims, _ rule: IDToken.NonceRule) throws(Refusal) {
        let wanted: String
        switch (rule, claims["nonce"]) {
        case (.required, nil): throw Refusal(.nonceMissing)
        case (.ifPresent, nil), (.ifPresent(nil), _): return
        case (.required(let nonce), _), (.ifPresent(let nonce?), _): wanted = nonce
        }
        guard let received = claims["nonce"]?.string, constantTimeEqual(received.utf8, wanted.utf8) else {
            throw Refusal(.nonceMismatch)
        }
    }

    private static func text(_ name: String, in claims: JWTClaims) throws(Refusal) -> String {
        guard let text = claims[name]?.string, !text.isEmpty else { throw Refusal(.malformedClaim(name)) }
        return text
    }

    private static func date(_ name: String, in claims: JWTClaims) throws(Refusal) -> NumericDate {
        do {
            if let date = try claims.date(name) { return date }
        } catch {}
        throw Refusal(.malformedClaim(name))
    }

    private static func seconds(_ date: NumericDate, since other: NumericDate) -> Double {
        date.secondsSince1970 - other.secondsSince1970
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    /// Whole seconds for a message; absurd values are cut off instead of trapping.
    private static func whole(_ seconds: Double) -> Int { Int(max(-1e15, min(1e15, seconds.rounded(.up)))) }
}
