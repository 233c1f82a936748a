import TernProtocol
import Testing

@Suite("Challenges (RFC 9110 §11.6.1, RFC 6750 §3)")
struct AuthenticateChallengeTests {
    private func parse(_ values: String...) -> [AuthenticateChallenge] {
        var fields = HTTPFields()
        for value in values { fields.append("WWW-Authenticate", value) }
        return AuthenticateChallenge.all(in: fields)
    }

    // The example of RFC 9110 §11.6.1.
    @Test("Two challenges in one field")
    func twoInOne() {
        let found = parse(#"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#)
        #expect(found.map(\.scheme) == ["Basic", "Newauth"])
        #expect(found.first?.parameters == ["realm": "simple"])
        #expect(found.last?.parameters == ["realm": "apps", "type": "1", "title": #"Login to "apps""#])
    }

    // The examples of RFC 6750 §3.
    @Test("The examples of the bearer standard")
    func bearer() {
        #expect(parse(#"Bearer realm="example""#).first?.parameters == ["realm": "example"])
        let found = parse(
            #"Bearer realm="example", error="invalid_token", error_description="The access token expired""#)
        #expect(
            found.first?.parameters
                == ["realm": "example", "error": "invalid_token", "error_description": "The access token expired"])
    }

    @Test("Several fields, any case, commas and escapes inside quotes")
    func severalFields() {
        let found = parse(
            #"bEARER ERROR="a, b=\"c\", Basic realm=x" , Scope = "s1 s2""#, "Negotiate",
            #"DPoP algs="ES256 PS256",error="use_dpop_nonce""#)
        #expect(found.map(\.scheme) == ["bEARER", "Negotiate", "DPoP"])
        #expect(found.first?.parameters == ["error": #"a, b="c", Basic realm=x"#, "scope": "s1 s2"])
        #expect(found.last?.parameters == ["algs": "ES256 PS256", "error": "use_dpop_nonce"])
    }

    @Test("A token in the place of parameters")
    func token68() {
        let found = parse("Negotiate YII+/-._~==, Basic realm=x", "NTLM TlRMTVNTUAAC")
        #expect(found.map(\.scheme) == ["Negotiate", "Basic", "NTLM"])
        #expect(found.map(\.token) == ["YII+/-._~==", nil, "TlRMTVNTUAAC"])
    }

    @Test("Of a repeated parameter the first counts")
    func repeated() {
        #expect(parse(#"Bearer error="one", error="two", ERROR=three"#).first?.parameters == ["error": "one"])
    }

    @Test("Schemes without parameters side by side")
    func bare() {
        #expect(parse("Negotiate, NTLM , Basic", "").map(\.scheme) == ["Negotiate", "NTLM", "Basic"])
    }

    @Test("Values without quotes, and a parameter list without its scheme")
    func tolerated() {
        let found = parse("Bearer error=invalid_token,error_description=expired")
        #expect(found.first?.parameters == ["error": "invalid_token", "error_description": "expired"])
        let bare = parse(#"error="invalid_token", error_description="expired""#)
        #expect(bare == parse(#"error=invalid_token, error_description=expired"#))
        #expect(bare.count == 1)
        #expect(bare.first?.scheme == "")
        #expect(bare.first?.parameters == ["error": "invalid_token", "error_description": "expired"])
    }

    @Test(
        "Broken fields neither trap nor hang",
        arguments: [
            "", ",", "=", "\"", "Bearer \"", "Bearer error=\"", "Bearer error=\"\\", "Bearer error=", "Bearer error",
            "Bearer =x",
            "Bearer error==x", "(", "Bearer (x), Basic", "error=", "error==", "Bearer error=\"a\"b", ",,,=,,\"x", "é",
            "a=b=c",
        ])
    func broken(value: String) {
        #expect(parse(value).count <= 3)
        #expect(parse(value, "Basic realm=\"x\"").last?.scheme == "Basic")
    }

    @Test("What is no challenge is passed over, and the next one is found")
    func passedOver() {
        #expect(parse("(?), Basic realm=x").map(\.scheme) == ["Basic"])
        #expect(parse("=x, Basic realm=x").map(\.scheme) == ["Basic"])
    }

    @Test("There are limits, and hostile fields meet them quickly")
    func limits() {
        #expect(
            parse((0..<100).map { "S\($0) a=b" }.joined(separator: ",")).count == AuthenticateChallenge.maximumCount)
        #expect(parse("Bearer realm=\"" + String(repeating: "x", count: 16_384) + "\"").isEmpty)
        let hostile = [
            String(repeating: "(,", count: 8_000), String(repeating: "a,", count: 8_000),
            String(repeating: "=,", count: 8_000),
            "B " + String(repeating: "a=b,", count: 4_000), "B " + String(repeating: "a ", count: 8_000),
            "B x=\"" + String(repeating: "\\", count: 16_000), String(repeating: "(", count: 16_000),
        ]
        for value in hostile { #expect(parse(value).count <= AuthenticateChallenge.maximumCount) }
    }

    @Test("The error of a bearer challenge is found behind others")
    func bearerError() {
        let fields: HTTPFields = [
            "WWW-Authenticate": "Basic realm=\"x\", Bearer error=\"insufficient_scope\", error_description=\"a, b\""
        ]
        let error = AuthenticateChallenge.bearerError(in: HTTPResponse(status: 403, fields: fields))
        #expect(error?.code == "insufficient_scope" && error?.detail == "a, b" && error?.status == 403)
        #expect(AuthenticateChallenge.first("bearer", in: fields)?.scheme == "Bearer")
        #expect(AuthenticateChallenge.first("DPoP", in: fields) == nil)
    }

    @Test(
        "Without an error there is none",
        arguments: ["Bearer realm=\"x\"", "Basic error=\"invalid_token\"", "Bearer error=\"\"", "Bearer"])
    func noBearerError(value: String) {
        let response = HTTPResponse(status: 401, fields: ["WWW-Authenticate": value])
        #expect(AuthenticateChallenge.bearerError(in: response) == nil)
    }

    @Test("A challenge whose scheme was left out counts as a bearer's")
    func bareBearerError() {
        let response = HTTPResponse(status: 401, fields: ["WWW-Authenticate": "error=\"invalid_token\""])
        #expect(AuthenticateChallenge.bearerError(in: response)?.code == "invalid_token")
    }
}
