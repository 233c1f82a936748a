internal import TernJOSE

/// A JWT of another party, its signature checked, with the checks that every kind of signed token has in common.
struct SignedToken: Sendable {
    let header: JWSHeader
    let claims: JWTClaims
    private let kind: TokenRejection.Kind
    private let step: Step

    /// What the `typ` must be, compared as a media type: without case, with or without `application/`.
    enum TypeRule {
        /// Just this one.
        case required(String)
        /// This one, plain `JWT`, or none: for kinds that are older than the use of `typ`.
        case usual(String)
        /// Anything.
        case any
    }

    init(
        verifying compact: String, as kind: TokenRejection.Kind, type: TypeRule, keys: JWKSet,
        algorithms: Set<SignatureAlgorithm>, at step: Step
    ) throws(TernError) {
        self.kind = kind
        self.step = step
        do throws(JOSEError) {
            // The one place where an encrypted token would be opened: `JWS` throws `encrypted` for it.
            let jws = try JWS(compact: compact)
            try jws.verify(with: keys, allowed: algorithms)
            header = jws.header
            claims = try JWTClaims(parsing: jws.payload)
        } catch {
            throw Self.failure(error, kind, step)
        }
        guard Self.fits(header.type, type) else { throw rejected(.wrongType(header.type.map(ServerError.cleaned))) }
    }

    func rejected(_ reason: TokenRejection.Reason) -> TernError {
        TernError(.tokenRejected(TokenRejection(kind, reason)), at: step)
    }

    func text(_ name: String) throws(TernError) -> String {
        guard let text = claims[name]?.string, !text.isEmpty else { throw rejected(.malformedClaim(name)) }
        return text
    }

    /// A text that may be missing, but not be something else.
    func optionalText(_ name: String) throws(TernError) -> String? {
        claims[name] == nil ? nil : try text(name)
    }

    func date(_ name: String) throws(TernError) -> NumericDate {
        guard let seconds = claims[name]?.double else { throw rejected(.malformedClaim(name)) }
        return NumericDate(seconds)
    }

    func optionalDate(_ name: String) throws(TernError) -> NumericDate? {
        claims[name] == nil ? nil : try date(name)
    }

    func audience() throws(TernError) -> [String] {
        do throws(JOSEError) {
            if let audience = try claims.audience, !audience.isEmpty { return audience }
        } catch {}
        throw rejected(.malformedClaim("aud"))
    }

    @discardableResult
    func checkedIssuer(_ expected: String) throws(TernError) -> String {
        let received = claims["iss"]?.string
        guard let received, received.hasSameOctets(as: expected) else {
            throw rejected(.issuerMismatch(expected: expected, received: received.map(ServerError.cleaned)))
        }
        return received
    }

    @discardableResult
    func checkedAudience(anyOf expected: [String]) throws(TernError) -> [String] {
        let audience = try audience()
        guard audience.contains(where: { one in expected.contains { $0.hasSameOctets(as: one) } }) else {
            throw rejected(.audienceMismatch)
        }
        return audience
    }

    func checkedExpiration(now: NumericDate, leeway: Duration) throws(TernError) -> NumericDate {
        let expiration = try date("exp")
        guard now < expiration + leeway else { throw rejected(.expired(by: Self.whole(now, since: expiration))) }
        return expiration
    }

    func checkNotBefore(now: NumericDate, leeway: Duration) throws(TernError) {
        guard let start = try optionalDate("nbf") else { return }
        guard start <= now + leeway else { throw rejected(.notYetValid(by: Self.whole(start, since: now))) }
    }

    func checkedIssueTime(
        now: NumericDate, leeway: Duration, maximumAge: Duration? = nil
    ) throws(TernError) -> NumericDate {
        let time = try date("iat")
        guard time <= now + leeway else { throw rejected(.clockSkew(ahead: Self.whole(time, since: now))) }
        if let maximumAge {
            let end = time + maximumAge
            guard now <= end + leeway else { throw rejected(.tooOld(by: Self.whole(now, since: end))) }
        }
        return time
    }

    private static func fits(_ received: String?, _ rule: TypeRule) -> Bool {
        let type = received.map { $0.asciiLowercased }.map {
            $0.hasPrefix("application/") ? String($0.dropFirst(12)) : $0
        }
        return switch rule {
        case .required(let wanted): type == wanted
        case .usual(let wanted): type == nil || type == "jwt" || type == wanted
        case .any: true
        }
    }

    private static func failure(_ error: JOSEError, _ kind: TokenRejection.Kind, _ step: Step) -> TernError {
        let reason: TokenRejection.Reason =
            switch error {
            case .encrypted: .encrypted
            case .unsupportedAlgorithm(let name): .unsupportedAlgorithm(name)
            case .unknownKey: .unknownKey
            case .invalidSignature: .signature
            case .malformed(let part): .malformed(part)
            case .criticalHeader: .malformed("header")
            case .malformedClaim(let name): .malformedClaim(name)
            default: .malformed("header or payload")
            }
        return TernError(.tokenRejected(TokenRejection(kind, reason)), at: step)
    }

    /// Whole seconds for a message; absurd values are cut off instead of trapping.
    private static func whole(_ date: NumericDate, since other: NumericDate) -> Int {
        let seconds = date.secondsSince1970 - other.secondsSince1970
        return Int(max(-1e15, min(1e15, seconds.rounded(.up))))
    }
}
