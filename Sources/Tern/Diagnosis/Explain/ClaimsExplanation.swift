internal import TernJOSE
internal import TernProtocol

/// The claims of a token, or claims that nobody signed.
enum ClaimsExplanation {
    static func findings(of text: String, _ context: ExplanationContext) -> [Finding] {
        guard let object = (try? JSON(parsing: text))?.object else {
            return [Finding(.failed, "verdict", "It is not a JSON object")]
        }
        let use = TokenUse(header: [:], claims: object)
        let checks = findings(object, use, context)
        let bad = checks.filter { $0.level == .failed }.map(\.title)
        let words = use == .other ? "no token that is known here" : use.words
        let verdict =
            bad.isEmpty
            ? Finding(
                .note, "verdict", "Nobody signed these claims, so nobody has to believe them",
                "They look like those of \(words), and nothing in them is wrong.")
            : Finding(
                .failed, "verdict", "Tern would refuse a token with these claims",
                "They look like those of \(words): \(bad.joined(separator: "; ")).")
        return [verdict] + checks + notes(object, context)
    }

    /// What is right and wrong about the claims of a token.
    static func findings(_ claims: JSONObject, _ use: TokenUse, _ context: ExplanationContext) -> [Finding] {
        var findings = times(claims, use, context)
        for name in use.requiredClaims where claims[name] == nil || claims[name]?.isNull == true {
            findings.append(
                Finding(
                    // Servers older than RFC 9068 leave these out of access tokens, which only their API has to read.
                    use == .accessToken ? .warning : .failed, "required_claim", "There is no \(name)",
                    "It must be in \(use.words)."))
        }
        findings += parties(claims, use, context)
        switch use {
        case .idToken: findings += idToken(claims, context)
        case .accessToken: findings += accessToken(claims)
        case .logoutToken: findings += logoutToken(claims)
        case .dpopProof: findings += proof(claims)
        case .clientAssertion: findings += assertion(claims)
        case .requestObject, .authorizationResponse, .introspection, .other: break
        }
        return findings
    }

    /// All claims with their values, as far as they may be seen.
    static func notes(_ claims: JSONObject, _ context: ExplanationContext) -> [Finding] {
        let times: Set = ["exp", "nbf", "iat", "auth_time", "updated_at"]
        return claims.prefix(ParameterGlossary.maximumShownCount).map { name, value in
            let shown =
                times.contains(name) && value.double != nil
                ? Shown.time(value.double ?? 0, now: context.now) : Shown.json(value, under: name)
            return Finding(.note, "claim", Shown.text(name), shown)
        }
    }

    /// The issuer held against the expected one.
    static func issuer(_ received: String, _ expected: String) -> Finding {
        received.hasSameOctets(as: expected)
            ? Finding(.passed, "issuer", "The issuer is the right one")
            : Finding(
                .failed, "issuer", "The issuer is another one",
                fix: "configure the issuer exactly as the server writes it",
                comparison: Comparison("iss", received, "expected", expected))
    }

    private static func times(_ claims: JSONObject, _ use: TokenUse, _ context: ExplanationContext) -> [Finding] {
        var findings: [Finding] = []
        let leeway = IDToken.standardLeeway
        for name in ["exp", "nbf", "iat", "auth_time"] {
            guard let value = claims[name] else { continue }
            guard let seconds = value.double else {
                findings.append(
                    Finding(
                        .failed, name, "\(name) is not a number",
                        "Seconds since 1970 are wanted, without quotes (RFC 7519 §2).", fix: "write it as a number"))
                continue
            }
            let date = NumericDate(seconds)
            let shown = Shown.time(seconds, now: context.now)
            if seconds > 1e11 {
                findings.append(
                    Finding(.failed, name, "\(name) seems to be in milliseconds", fix: "write seconds since 1970"))
            } else if name == "exp" {
                let isOver = context.now >= date + leeway
                findings.append(
                    Finding(
                        isOver ? .failed : .passed, name, isOver ? "It has ended" : "It has not ended", "\(shown).",
                        fix: isOver ? "get a new one; if it is new, set the clocks" : nil))
            } else if context.now + leeway < date {
                findings.append(
                    Finding(
                        .failed, name, name == "nbf" ? "It is not valid yet" : "\(name) lies ahead", "\(shown).",
                        fix: "set the clock of this device, or of the server"))
            }
        }
        if use == .dpopProof, let seconds = claims["iat"]?.double, NumericDate(seconds) + .seconds(60) < context.now {
            findings.append(
                Finding(
                    .failed, "iat", "The proof is too old", "A proof is good for about a minute.",
                    fix: "make one for each request"))
        }
        return findings
    }

    private static func parties(_ claims: JSONObject, _ use: TokenUse, _ context: ExplanationContext) -> [Finding] {
        var findings: [Finding] = []
        // Of what a client makes, the server is the audience.
        let isOfClient = use == .clientAssertion || use == .requestObject
        let audience: [String]
        switch claims["aud"] {
        case .string(let one)?: audience = [one]
        case .array(let list)?: audience = list.compactMap(\.string)
        case nil: audience = []
        default:
            audience = []
            findings.append(Finding(.failed, "audience", "aud is neither a text nor a list of texts"))
        }
        let received = claims["iss"]?.string
        let (issuer, reader) = isOfClient ? (context.clientID, context.issuer) : (context.issuer, context.clientID)
        if let issuer, let received { findings.append(Self.issuer(received, issuer)) }
        if let reader, !audience.isEmpty {
            if audience.contains(where: { $0.hasSameOctets(as: reader) }) {
                findings.append(Finding(.passed, "audience", "It is for \(Shown.text(reader))"))
            } else {
                findings.append(
                    Finding(
                        .failed, "audience", "It is for somebody else",
                        fix: isOfClient ? "name the server as it wants to be named" : "use the token where it belongs",
                        comparison: Comparison(
                            "aud", audience.prefix(5).joined(separator: " "), "expected", reader)))
            }
        }
        return findings
    }

    private static func idToken(_ claims: JSONObject, _ context: ExplanationContext) -> [Finding] {
        var findings: [Finding] = []
        if let expected = context.nonce {
            let received = claims["nonce"]?.string
            let fits = received?.hasSameOctets(as: expected) ?? false
            findings.append(
                Finding(
                    fits ? .passed : .failed, "nonce",
                    fits
                        ? "The nonce is the right one"
                        : received == nil ? "There is no nonce" : "The nonce is another one",
                    fix: fits ? nil : "start a new sign-in; the token belongs to another one"))
        }
        if let list = claims["aud"]?.array, list.count > 1, claims["azp"] == nil {
            findings.append(
                Finding(
                    .failed, "authorized_party", "There are several audiences and no azp",
                    "It must say for whom it was issued."))
        }
        if let client = context.clientID, let party = claims["azp"]?.string, !party.hasSameOctets(as: client) {
            findings.append(
                Finding(
                    .failed, "authorized_party", "azp is another client", fix: "use the client that signed in",
                    comparison: Comparison("azp", party, "expected", client)))
        }
        return findings
    }

    private static func accessToken(_ claims: JSONObject) -> [Finding] {
        var findings: [Finding] = []
        if claims["scope"]?.array != nil {
            findings.append(
                Finding(.warning, "scope", "scope is a list where RFC 9068 §2.2.3 wants one text with blanks"))
        }
        if let members = claims["cnf"]?.object {
            let to =
                members["jkt"] != nil
                ? "a key (DPoP)" : members["x5t#S256"] != nil ? "a certificate" : "something unknown"
            findings.append(Finding(.note, "binding", "It is bound to \(to), which the caller must prove"))
        }
        return findings
    }

    private static func logoutToken(_ claims: JSONObject) -> [Finding] {
        var findings: [Finding] = []
        if claims["nonce"] != nil {
            findings.append(
                Finding(
                    .failed, "nonce", "A logout token must not have a nonce",
                    "With one it could be an ID token that somebody "
                        + "passes off as this (Back-Channel Logout 1.0 §2.4)."))
        }
        if claims["sub"] == nil, claims["sid"] == nil {
            findings.append(Finding(.failed, "sub", "It names neither a user (sub) nor a session (sid)"))
        }
        if claims["events"] != nil, claims["events"]?[LogoutToken.event]?.object == nil {
            findings.append(Finding(.failed, "events", "events does not hold the event of a logout"))
        }
        return findings
    }

    private static func proof(_ claims: JSONObject) -> [Finding] {
        guard let text = claims["htu"]?.string else { return [] }
        guard let uri = URI(text), uri.host != nil else { return [Finding(.failed, "htu", "htu is not an address")] }
        guard uri.encodedQuery == nil, uri.encodedFragment == nil else {
            return [
                Finding(.warning, "htu", "htu has a query or a fragment", fix: "leave both out (RFC 9449 §4.2)")
            ]
        }
        return [
            claims["ath"] == nil
                ? Finding(
                    .note, "ath", "It names no access token", "It is for the token endpoint then; an API wants ath.")
                : Finding(.note, "ath", "It is for a call with an access token")
        ]
    }

    private static func assertion(_ claims: JSONObject) -> [Finding] {
        var findings: [Finding] = []
        if let issuer = claims["iss"]?.string, let subject = claims["sub"]?.string, issuer != subject {
            findings.append(
                Finding(
                    .failed, "sub", "iss and sub differ", "Both are the client (RFC 7523 §3).",
                    comparison: Comparison("iss", issuer, "sub", subject)))
        }
        if let list = claims["aud"]?.array, list.count > 1 {
            findings.append(
                Finding(
                    .warning, "audience", "It is for several servers", "One of them could use it at the others.",
                    fix: "name the issuer alone"))
        }
        if let end = claims["exp"]?.double, let start = claims["iat"]?.double, end - start > 3_600 {
            findings.append(
                Finding(
                    .warning, "exp", "It is good for more than an hour",
                    fix: "a minute is enough: each request has its own"))
        }
        return findings
    }
}
