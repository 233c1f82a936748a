internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// A signed token: first of all whether it is verified, then its header and its claims.
enum JWTExplanation {
    static func findings(of text: String, _ context: ExplanationContext) -> [Finding] {
        guard let token = CompactToken(text), !token.isEncrypted else {
            return [
                Finding(
                    .failed, "verified", "its header cannot be read",
                    "A signed token is three parts in Base64url with dots between them; the first is JSON.")
            ]
        }
        let claims = token.claims ?? [:]
        let use = TokenUse(header: token.header, claims: claims)
        var findings = [Finding(.note, "use", "It is \(use.words)")]
        findings += headerFindings(token, use, context)
        if token.claims == nil {
            findings.append(
                Finding(.failed, "payload", "Its claims cannot be read", "The second part is no JSON object."))
        }
        findings += ClaimsExplanation.findings(claims, use, context)
        let signature = Signature(text, context.keys)
        findings += sentence(text, use, signature, claims, context, findings)
        return [signature.verdict(knowing: findings)] + findings + ClaimsExplanation.notes(claims, context)
    }

    /// Whether the signature is good.
    private enum Signature {
        case good(String)
        case bad(String)
        case unknown(String)

        init(_ text: String, _ keys: JWKSet?) {
            do throws(JOSEError) {
                let jws = try JWS(compact: text)
                guard let keys else {
                    self = .unknown("no keys were given (--jwks), and anybody can write this")
                    return
                }
                let algorithm = jws.header.algorithm
                // Which algorithms are right is for the receiver to say; asymmetric keys never check an HMAC.
                let key = try jws.verify(with: keys, allowed: Set(SignatureAlgorithm.allCases))
                let name = key.keyID.map { "the key \"\(Shown.text($0))\"" } ?? "a key without ID"
                self = .good("\(name), \(algorithm.rawValue)")
            } catch {
                self = .bad(error.description)
            }
        }

        func verdict(knowing findings: [Finding]) -> Finding {
            let bad = findings.filter { $0.level == .failed }.map(\.title)
            switch self {
            case .good(let key) where bad.isEmpty: return Finding(.passed, "verified", "by \(key)")
            case .good:
                return Finding(
                    .failed, "verified", "the signature is good, and the token must not be taken",
                    bad.joined(separator: "; ") + ".")
            case .bad(let reason):
                return Finding(
                    .failed, "verified", reason,
                    fix: reason.contains("key") ? "give the key set that the issuer publishes now" : nil)
            case .unknown(let reason):
                return Finding(
                    bad.isEmpty ? .unchecked : .failed, "verified", reason,
                    bad.isEmpty ? nil : bad.joined(separator: "; ") + ".")
            }
        }
    }

    private static func headerFindings(
        _ token: CompactToken, _ use: TokenUse, _ context: ExplanationContext
    ) -> [Finding] {
        let header = token.header
        var findings = [algorithm(header["alg"]?.string, token)]
        if header["crit"] != nil || header["b64"] != nil {
            findings.append(
                Finding(
                    .failed, "critical_header", "The header demands an extension (crit, b64)",
                    "Tern understands none, so it refuses the token (RFC 7515 §4.1.11)."))
        }
        if use == .accessToken, header["typ"]?.string?.asciiLowercased.hasSuffix("at+jwt") != true {
            findings.append(
                Finding(
                    .warning, "type", "Its typ is not at+jwt", "An API that goes by RFC 9068 refuses it.",
                    fix: "have the server issue tokens of RFC 9068"))
        }
        if let jwk = header["jwk"] {
            findings.append(use == .dpopProof ? proofKey(jwk) : ignored("jwk", "a key of the token's own"))
        } else if use == .dpopProof {
            findings.append(
                Finding(.failed, "proof_key", "The proof does not carry its key (jwk)", fix: "RFC 9449 §4.2"))
        }
        if header["jku"] != nil { findings.append(ignored("jku", "an address of keys")) }
        if header["x5u"] != nil { findings.append(ignored("x5u", "an address of certificates")) }
        for (name, value) in header.prefix(20) where !["alg", "jwk", "x5c", "jku", "x5u"].contains(name) {
            findings.append(Finding(.note, "header", "header: \(Shown.text(name))", Shown.json(value, under: name)))
        }
        return findings
    }

    private static func ignored(_ name: String, _ what: String) -> Finding {
        Finding(
            .note, "ignored_header", "The header names \(what) (\(name)), which Tern never follows",
            "Whoever writes a token could name keys of their own.")
    }

    private static func algorithm(_ name: String?, _ token: CompactToken) -> Finding {
        guard let name else { return Finding(.failed, "algorithm", "The header names no algorithm (alg)") }
        if name.equalsIgnoringASCIICase("none") {
            return Finding(
                .failed, "algorithm", "Its algorithm is none: it is not signed", "Anybody can write such a token.",
                fix: "have the server sign it; Tern never takes such a token")
        }
        guard let algorithm = SignatureAlgorithm(rawValue: name) else {
            return Finding(
                .failed, "algorithm", "Its algorithm is not known: \(Shown.text(name))",
                fix: "RS256, PS256, ES256 and EdDSA are known, among others")
        }
        guard token.signatureByteCount > 0 else {
            return Finding(.failed, "algorithm", "It says \(name) and has no signature")
        }
        guard algorithm.isAsymmetric else {
            return Finding(
                .warning, "algorithm", "\(name) signs with a secret that both sides know",
                "Whoever can check it can also write it; Tern takes none for ID tokens.",
                fix: "have the server sign with RS256, ES256 or EdDSA")
        }
        return Finding(
            .passed, "algorithm", "Its algorithm is \(name)",
            "The signature has \(Shown.count(token.signatureByteCount, "byte")).")
    }

    private static func proofKey(_ json: JSON) -> Finding {
        do throws(JOSEError) {
            let key = try JWK(json)
            guard !key.isSecret else {
                return Finding(
                    .failed, "proof_key", "The proof carries a private key", "Whoever saw it can make proofs.",
                    fix: "make a new key, and send its public half alone")
            }
            return Finding(
                .note, "proof_key", "Tokens bound to its key have this thumbprint (jkt)", key.thumbprint())
        } catch {
            return Finding(.failed, "proof_key", "The key of the proof cannot be used", "\(error).")
        }
    }

    /// The check that Tern makes of such a token, where it is known what it is held against.
    private static func sentence(
        _ text: String, _ use: TokenUse, _ signature: Signature, _ claims: JSONObject, _ context: ExplanationContext,
        _ known: [Finding]
    ) -> [Finding] {
        if use == .dpopProof { return [proofSentence(text, claims, context)] }
        guard let keys = context.keys, let issuer = context.issuer, let client = context.clientID else {
            guard [.idToken, .accessToken, .logoutToken].contains(use) else { return [] }
            return [
                Finding(
                    .unchecked, "verdict", "Whether Tern would take it was not tried",
                    "That wants keys, issuer and client (--jwks, --issuer, --client-id).")
            ]
        }
        do throws(TernError) {
            switch use {
            case .idToken:
                let rule = context.nonce.map { IDToken.NonceRule.required($0) } ?? .ifPresent(nil)
                _ = try IDToken(
                    verifying: EncodedIDToken(text), keys: keys,
                    expecting: IDToken.Expectation(issuer: issuer, clientID: client, nonce: rule), now: context.now)
            case .accessToken:
                var expected = JWTAccessToken.Expectation(issuer: issuer, audience: client)
                let bound = claims["cnf"]?.object.map { TokenConfirmation(members: $0) }
                expected.proof = TokenConfirmation.Proof(
                    keyThumbprint: bound?.keyThumbprint, certificateThumbprint: bound?.certificateThumbprint)
                _ = try JWTAccessToken(
                    verifying: AccessToken(text), keys: keys, expecting: expected, now: context.now)
            case .logoutToken:
                _ = try LogoutToken(
                    verifying: EncodedLogoutToken(text), keys: keys,
                    expecting: LogoutToken.Expectation(issuer: issuer, clientID: client), now: context.now)
            default: return []
            }
        } catch {
            return [.refusal(error, "verdict", "Tern would refuse it")]
        }
        return [Finding(.passed, "verdict", "Tern would take it")]
    }

    /// A proof is held against the request that it says it is for; that its signature fits its own key is what it proves.
    private static func proofSentence(_ text: String, _ claims: JSONObject, _ context: ExplanationContext) -> Finding {
        guard let method = claims["htm"]?.string, let url = claims["htu"]?.string.flatMap({ URI($0) }) else {
            return Finding(.failed, "verdict", "A server would refuse the proof: it names no request")
        }
        var request = HTTPRequest(HTTPMethod(rawValue: method), url)
        request.fields.append("DPoP", text)
        do throws(TernError) {
            _ = try DPoPProof(of: request, expecting: DPoPProof.Expectation(), now: context.now)
        } catch {
            return .refusal(error, "verdict", "A server would refuse the proof")
        }
        return Finding(
            .passed, "verdict", "It is a good proof for \(Shown.text(method)) \(Shown.address(url.text))",
            "Its signature fits the key in it; whose key that is only the token tells.")
    }
}

/// An encrypted token: how it is encrypted.
enum JWEExplanation {
    static func findings(of text: String, _ context: ExplanationContext) -> [Finding] {
        guard let token = CompactToken(text), token.isEncrypted else {
            return [
                Finding(
                    .failed, "verified", "its header cannot be read",
                    "An encrypted token is five parts in Base64url with dots between them; the first is JSON.")
            ]
        }
        let header = token.header
        let algorithm = Shown.text(header["alg"]?.string ?? "nothing")
        let encryption = Shown.text(header["enc"]?.string ?? "nothing")
        var findings = [
            Finding(
                .note, "encryption", "It is encrypted with \(encryption)",
                "The key for that comes by \(algorithm)"
                    + (header["kid"]?.string.map { ", for the key \"\(Shown.text($0))\"" } ?? "") + ".")
        ]
        do throws(JOSEError) {
            let jwe = try JWE(compact: text)
            findings += opened(jwe, context)
            findings.append(
                Finding(
                    .note, "content_type",
                    jwe.header.contentType.map { "It says that inside is: \(Shown.text($0))" }
                        ?? "It does not say what is inside (cty)"))
        } catch {
            findings.append(
                Finding(
                    .failed, "verdict", "Tern would refuse it", "\(error).",
                    fix: "have the server encrypt in another way"))
        }
        return [
            Finding(
                findings.contains { $0.level == .failed } ? .failed : .unchecked, "verified",
                "it is encrypted, and who made it can be told only by what is inside")
        ] + findings
    }

    private static func opened(_ jwe: JWE, _ context: ExplanationContext) -> [Finding] {
        guard let keys = context.keys?.keys.filter(\.isSecret), !keys.isEmpty else {
            return [
                Finding(.unchecked, "verdict", "It was not opened", "That wants the recipient's private key (--jwks).")
            ]
        }
        do throws(JOSEError) {
            let content = String(decoding: try jwe.opened(with: JWKSet(keys)), as: UTF8.self)
            let inside = CompactToken(content) == nil ? "something that is no signed token" : "a signed token"
            return [
                Finding(
                    .passed, "verdict", "The key opens it; inside is \(inside)",
                    "It has \(Shown.count(content.utf8.count, "byte")), which are not shown.")
            ]
        } catch {
            return [
                Finding(
                    .failed, "verdict", "The key does not open it", "\(error).",
                    fix: "use the key for which it was encrypted")
            ]
        }
    }
}
