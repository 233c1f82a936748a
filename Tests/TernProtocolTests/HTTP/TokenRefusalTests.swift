import TernProtocol
import Testing

/// What a 401 says about the token (RFC 6750 §3, RFC 9110 §11.6.1).
@Suite("Refused tokens")
struct TokenRefusalTests {
    @Test(
        "A token is refused by any Bearer or DPoP challenge that says so, and by one that names no error",
        arguments: [
            ([], true),
            (["Bearer realm=\"a\""], true),
            (["bearer error=invalid_token"], true),
            (["Bearer error=\"invalid_request\", Bearer error=\"invalid_token\""], true),
            (
                ["Bearer error=\"invalid_request\"", "Basic realm=\"a, Bearer\"", "BEARER error=\"invalid_token\""],
                true
            ),
            (["Bearer error=\"invalid_request\""], false),
            (["Basic realm=\"Bearer error=invalid_token\""], false),
            (["DPoP error=\"invalid_token\""], true),
            (["DPoP error=\"use_dpop_nonce\""], false),
            (["Negotiate error=\"invalid_token\""], false),
        ] as [([String], Bool)])
    func refusal(challenges: [String], isRefused: Bool) {
        var fields = HTTPFields()
        for challenge in challenges { fields.append("WWW-Authenticate", challenge) }
        #expect(HTTPResponse(status: 401, fields: fields).refusesToken == isRefused)
        #expect(!HTTPResponse(status: 403, fields: fields).refusesToken)
    }
}
