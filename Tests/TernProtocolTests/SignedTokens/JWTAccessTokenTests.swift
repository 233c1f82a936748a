import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// RFC 9068, with its example of §2.2.3.1 where the figures matter.
@Suite("JWT access token")
struct JWTAccessTokenTests {
    private let bench = TokenBench(
        type: "at+jwt",
        claims: [
            "iss": "https://as.example", "sub": "u-1", "aud": "https://api.example", "client_id": "app",
            "iat": TokenBench.date(-10), "exp": TokenBench.date(3_600), "jti": "t-1", "scope": "read write",
        ])

    private func verify(
        _ token: String, now: Double = TokenBench.now, _ change: (inout JWTAccessToken.Expectation) -> Void = { _ in }
    ) throws -> JWTAccessToken {
        var expected = JWTAccessToken.Expectation(issuer: "https://as.example", audience: "https://api.example")
        change(&expected)
        return try JWTAccessToken(
            verifying: AccessToken(token), keys: bench.keys, expecting: expected, now: NumericDate(now))
    }

    private func rejection(
        _ changes: [String: JSON?] = [:], type: String?? = nil,
        _ change: (inout JWTAccessToken.Expectation) -> Void = { _ in }
    ) throws -> TokenRejection.Reason? {
        try tokenRejection { try verify(bench.token(changes, type: type), change) }
    }

    @Test("The example of the RFC")
    func example() throws {
        let example: JSONObject = [
            "iss": "https://authorization-server.example.com/", "sub": "5ba552d67", "aud": "https://rs.example.com/",
            "exp": 1_639_528_912, "iat": 1_618_354_090, "jti": "dbe39bf3a3ba4238a513f51d6e1691c4",
            "client_id": "s6BhdRkqt3", "scope": "openid profile reademail",
        ]
        let key = try #require(TokenBench.shared)
        let text = try JWT.sign(
            JWTClaims(example), header: JWSHeader(algorithm: .es256, keyID: "k1", type: "at+JWT"), key: key)
        let token = try verify(text, now: 1_618_354_100) {
            $0.issuer = "https://authorization-server.example.com/"
            $0.audience = ["https://rs.example.com/"]
        }
        #expect(token.subject == "5ba552d67" && token.clientID == "s6BhdRkqt3")
        #expect(token.scope.values == ["openid", "profile", "reademail"])
        #expect(token.tokenID == "dbe39bf3a3ba4238a513f51d6e1691c4")
        #expect(token.expiration == NumericDate(1_639_528_912) && token.issuedAt == NumericDate(1_618_354_090))
        #expect(token.confirmation == nil && token.authenticationTime == nil)
        #expect("\(token)" == "<access token>" && !String(reflecting: token).contains("5ba552d67"))
    }

    @Test("Roles, groups, entitlements and the binding are kept")
    func furtherClaims() throws {
        let token = try verify(
            bench.token([
                "roles": ["admin"], "groups": [["value": "g1"]], "entitlements": ["e1", "e2"],
                "cnf": ["jkt": "thumb"], "auth_time": TokenBench.date(-50), "acr": "urn:strong",
            ])
        ) { $0.proof = TokenConfirmation.Proof(keyThumbprint: "thumb") }
        #expect(token.roles == ["admin"] && token.groups == [["value": "g1"]] && token.entitlements == ["e1", "e2"])
        #expect(token.confirmation?.keyThumbprint == "thumb")
        #expect(token.authenticationTime == NumericDate(TokenBench.now - 50))
    }

    @Test(
        "typ must say that it is an access token",
        arguments: ["at+jwt", "application/at+jwt", "AT+JWT", "Application/AT+jwt"])
    func types(type: String) throws { #expect(try rejection(type: type) == nil) }

    @Test(
        "Another typ is another kind of token",
        arguments: ["JWT", "logout+jwt", "at", "application/at", nil] as [String?])
    func wrongTypes(type: String?) throws { #expect(try rejection(type: .some(type)) == .wrongType(type)) }

    @Test(
        "A claim that must be there is missing or of the wrong form",
        arguments: ["sub", "client_id", "jti", "exp", "iat", "aud"])
    func required(name: String) throws {
        #expect(try rejection([name: nil]) == .malformedClaim(name))
        #expect(try rejection([name: [:]]) == .malformedClaim(name))
        #expect(try rejection([name: true]) == .malformedClaim(name))
    }

    @Test("A claim that may be missing must not have the wrong form", arguments: ["scope", "cnf", "auth_time", "nbf"])
    func optional(name: String) throws { #expect(try rejection([name: [1]]) == .malformedClaim(name)) }

    @Test("Issuer and audience")
    func parties() throws {
        #expect(
            try rejection(["iss": "https://as.example/"])
                == .issuerMismatch(expected: "https://as.example", received: "https://as.example/"))
        #expect(try rejection(["iss": nil]) == .issuerMismatch(expected: "https://as.example", received: nil))
        #expect(try rejection(["aud": "https://other.example"]) == .audienceMismatch)
        #expect(try rejection(["aud": ["https://other.example", "https://api.example"]]) == nil)
        #expect(try rejection(["aud": []]) == .malformedClaim("aud"))
        #expect(try rejection { $0.audience = [] } == .audienceMismatch)
    }

    @Test("Times, with a minute of leeway")
    func times() throws {
        #expect(try rejection(["exp": TokenBench.date(-59)]) == nil)
        #expect(try rejection(["exp": TokenBench.date(-60)]) == .expired(by: 60))
        #expect(try rejection(["nbf": TokenBench.date(60)]) == nil)
        #expect(try rejection(["nbf": TokenBench.date(61)]) == .notYetValid(by: 61))
        #expect(try rejection(["iat": TokenBench.date(61)]) == .clockSkew(ahead: 61))
    }

    @Test("Signature, key and algorithm")
    func signatures() throws {
        let foreign = try JWK.generate(for: .es256, keyID: "k1")
        #expect(try tokenRejection { try verify(bench.token(signedBy: foreign)) } == .signature)
        #expect(try rejection { $0.algorithms = [.rs256] } == .unsupportedAlgorithm("ES256"))
        #expect(try tokenRejection { try verify("e30.e30.e30.e30.e30") } == .encrypted)
        #expect(try tokenRejection { try verify("opaque") } == .malformed("token"))
        let none = Base64URL.encode(Array(#"{"alg":"none","typ":"at+jwt"}"#.utf8)) + ".e30."
        #expect(try tokenRejection { try verify(none) } == .unsupportedAlgorithm("none"))
    }

    @Test("A bound token needs its proof, and a proof its bound token")
    func binding() throws {
        typealias Proof = TokenConfirmation.Proof
        func rejection(_ cnf: JSON?, _ proof: Proof) throws -> TokenRejection.Reason? {
            try self.rejection(["cnf": cnf]) { $0.proof = proof }
        }
        #expect(try rejection(["jkt": "a"], .none) == .bindingMismatch)
        #expect(try rejection(["jkt": "a"], Proof(keyThumbprint: "b")) == .bindingMismatch)
        #expect(try rejection(["jkt": "a"], Proof(keyThumbprint: "a")) == nil)
        #expect(try rejection(nil, Proof(keyThumbprint: "a")) == .bindingMismatch)
        #expect(try rejection(["x5t#S256": "c"], .none) == .bindingMismatch)
        #expect(try rejection(["x5t#S256": "c"], Proof(certificateThumbprint: "c")) == nil)
        #expect(try rejection(nil, Proof(certificateThumbprint: "c")) == nil)
        #expect(try rejection(["jkt": "a", "x5t#S256": "c"], Proof(keyThumbprint: "a")) == .bindingMismatch)
        #expect(try rejection(["jkt": 7], Proof(keyThumbprint: "7")) == .bindingMismatch)
        #expect(try rejection(["kid": "k"], .none) == .bindingMismatch)
        #expect(try rejection([:], .none) == .bindingMismatch)
    }

    @Test("Scope and login are demanded of a good token")
    func demands() throws {
        let token = try verify(bench.token(["acr": "urn:strong", "auth_time": TokenBench.date(-100)]))
        let now = NumericDate(TokenBench.now)
        try token.require(scope: ["read"])
        try token.require(acrValues: ["urn:weak", "urn:strong"], maxAge: .seconds(100), now: now)
        #expect(
            try tokenRejection { try token.require(scope: ["read", "admin"]) } == .insufficientScope(["read", "admin"]))
        #expect(
            try tokenRejection { try token.require(acrValues: ["urn:weak"], now: now) }
                == .insufficientAuthentication(acrValues: ["urn:weak"], maxAge: nil))
        #expect(
            try tokenRejection { try token.require(maxAge: .seconds(99), now: now) }
                == .insufficientAuthentication(acrValues: [], maxAge: .seconds(99)))
        let silent = try verify(bench.token(["scope": nil]))
        #expect(try tokenRejection { try silent.require(scope: ["read"]) } == .insufficientScope(["read"]))
        #expect(
            try tokenRejection { try silent.require(maxAge: .seconds(99), now: now) }
                == .insufficientAuthentication(acrValues: [], maxAge: .seconds(99)))
    }

    @Test("The token of a request comes in its field alone")
    func requests() throws {
        func token(_ fields: HTTPFields) throws -> AccessToken {
            try AccessToken(
                bearerOf: HTTPRequest(.get, address("https://api.example/notes?access_token=x"), fields: fields))
        }
        #expect(try token(["Authorization": "bEARER  abc "]).exposedText == "abc")
        #expect(try token(["Authorization": "DPoP abc"]).exposedText == "abc")
        #expect(try tokenRejection { try token([:]) } == .missing)
        #expect(try tokenRejection { try token(["Authorization": "Basic abc"]) } == .missing)
        let unreadable = TokenRejection.Reason.malformed("field Authorization")
        #expect(try tokenRejection { try token(["Authorization": "Bearer"]) } == unreadable)
        #expect(try tokenRejection { try token(["Authorization": "Bearer a b"]) } == unreadable)
        #expect(
            try tokenRejection { try token(["Authorization": "Bearer a", "authorization": "Bearer b"]) } == unreadable)
    }
}

/// RFC 6750 §3, RFC 9470 §3, RFC 9728 §5.1.
@Suite("Challenge of an API")
struct BearerChallengeTests {
    private func challenge(_ reason: TokenRejection.Reason) -> BearerChallenge {
        BearerChallenge(TernError(.tokenRejected(TokenRejection(.accessToken, reason)), at: .resourceRequest))
    }

    @Test("Each refusal has its status and its code")
    func refusals() {
        #expect(challenge(.missing).status == 401 && challenge(.missing).fieldValue == "Bearer")
        #expect(challenge(.malformed("field Authorization")).status == 400)
        #expect(challenge(.malformed("field Authorization")).code == .invalidRequest)
        #expect(challenge(.signature).status == 401 && challenge(.signature).code == .invalidToken)
        #expect(challenge(.expired(by: 5)).detail == "the access token expired")
        let scope = challenge(.insufficientScope(["a", "b"]))
        #expect(scope.status == 403)
        #expect(
            scope.fieldValue
                == #"Bearer error="insufficient_scope", error_description="more scope is wanted", scope="a b""#)
        let login = challenge(.insufficientAuthentication(acrValues: ["x", "y"], maxAge: .seconds(5)))
        #expect(login.status == 401)
        #expect(login.fieldValue.hasSuffix(#"acr_values="x y", max_age="5""#))
        #expect(login.response.fields["WWW-Authenticate"] == login.fieldValue)
        #expect(!BearerChallenge.isAbout(TernError(.network(.timedOut), at: .keys)))
    }

    @Test("What a client of this library reads is what was written, whatever stands in it")
    func roundTrip() throws {
        var challenge = BearerChallenge(.invalidToken, detail: "say \"no\" \\ now\r\nSet-Cookie: a=b")
        challenge.realm = "Ärzte \"A\""
        challenge.resourceMetadata = try address("https://api.example/.well-known/oauth-protected-resource")
        let read = try #require(AuthenticateChallenge.first("Bearer", in: challenge.response.fields))
        #expect(read.parameters["error"] == "invalid_token")
        #expect(read.parameters["error_description"] == "say \"no\" \\ nowSet-Cookie: a=b")
        #expect(read.parameters["realm"] == "rzte \"A\"")
        #expect(
            read.parameters["resource_metadata"] == "https://api.example/.well-known/oauth-protected-resource")
        challenge.scheme = "DPoP"
        challenge.algorithms = ["ES256", "EdDSA"]
        #expect(AuthenticateChallenge.first("DPoP", in: challenge.response.fields)?.parameters["algs"] == "ES256 EdDSA")
    }
}
