import Testing
import Tern
import TernCrypto
import TernJOSE
import TernProtocol

/// Texts of every kind, each with the secrets in it.
struct Sample: Sendable, CustomTestStringConvertible {
    let kind: Specimen.Kind
    let text: String
    var secrets: [String] = []

    var testDescription: String { kind.rawValue }

    static let now = NumericDate(1_700_000_000)

    static func context(_ change: (inout ExplanationContext) -> Void = { _ in }) -> ExplanationContext {
        var context = ExplanationContext(now: now)
        change(&context)
        return context
    }

    /// A token whose signature nobody has made.
    static func token(_ header: JSONObject, _ claims: JSONObject, signature: String = "c2lnbmF0dXJlLW9mLW5vYm9keQ")
        -> String
    {
        let parts = [header, claims].map { Base64URL.encode(JSON.object($0).serialized()) }
        return parts.joined(separator: ".") + "." + signature
    }

    static let idToken = token(
        ["alg": "ES256", "kid": "k1"],
        [
            "iss": "https://id.example.com", "sub": "u1", "aud": "app", "exp": 1_700_003_600, "iat": 1_699_999_999,
            "nonce": "nonce-0S6WzA2Mj-9876",
        ])

    static let all: [Sample] = [
        Sample(
            kind: .callback,
            text: "com.example.app:/callback?code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj-0123456789",
            secrets: ["SplxlOBeZQQYbYS6WxSbIA", "af0ifjsldkj-0123456789"]),
        Sample(
            kind: .callback,
            text: "https://app.example.com/cb?error=server_error&error_description=code+SplxlOBeZQQYbYS6WxSbIA+is+bad"
                + "&code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj-0123456789",
            secrets: ["SplxlOBeZQQYbYS6WxSbIA", "af0ifjsldkj-0123456789"]),
        Sample(
            kind: .callback,
            text: "https://app.example.com/cb#id_token=\(idToken)&access_token=2YotnFZFEjr1zCsicMWpAA"
                + "&state=af0ifjsldkj-0123456789&token_type=Bearer&expires_in=3600",
            secrets: [idToken, "2YotnFZFEjr1zCsicMWpAA", "af0ifjsldkj-0123456789", "nonce-0S6WzA2Mj-9876"]),
        Sample(
            kind: .callback,
            text: "https://app.example.com/cb?oauth_token=hdk48Djdsa-123&oauth_verifier=473f82d3-verify",
            secrets: ["hdk48Djdsa-123", "473f82d3-verify"]),
        Sample(
            kind: .authorizationURL,
            text:
                "https://id.example.com/authorize?response_type=code&client_id=app&redirect_uri=https%3A%2F%2Fapp.example.com"
                + "%2Fcb&scope=openid&state=af0ifjsldkj-0123456789&nonce=nonce-0S6WzA2Mj-9876"
                + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
                + "&id_token_hint=\(idToken)&login_hint=alice%40example.com&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r"
                + "&client_secret=7Fjfp0ZBr1KtDRbnfVdmIw",
            secrets: [
                "af0ifjsldkj-0123456789", "nonce-0S6WzA2Mj-9876", idToken, "dBjftJeZ4CVP-mB92K27uhbUJU1p1r",
                "7Fjfp0ZBr1KtDRbnfVdmIw", "alice@example.com", "alice%40example.com",
            ]),
        Sample(
            kind: .tokenAnswer,
            text: #"{"access_token":"2YotnFZFEjr1zCsicMWpAA","token_type":"Bearer","expires_in":3600,"refresh_token":"#
                + #""tGzv3JOkF0XG5Qx2TlKWIA","id_token":"\#(idToken)","device_secret":"WYptWcuCD4GkCYpg","x_key":"sk_live_99"}"#,
            secrets: ["2YotnFZFEjr1zCsicMWpAA", "tGzv3JOkF0XG5Qx2TlKWIA", idToken, "WYptWcuCD4GkCYpg", "sk_live_99"]),
        Sample(
            kind: .errorAnswer,
            text: #"{"error":"invalid_grant","error_description":"token tGzv3JOkF0XG5Qx2TlKWIA99 is over"}"#,
            secrets: ["tGzv3JOkF0XG5Qx2TlKWIA99"]),
        Sample(
            kind: .deviceAnswer,
            text:
                #"{"device_code":"GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS","user_code":"WDJB-MJHT","verification_uri":"#
                + #""https://example.com/device","verification_uri_complete":"https://example.com/device?user_code=WDJB-MJHT","#
                + #""expires_in":1800,"interval":5}"#,
            secrets: ["GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS", "WDJB-MJHT"]),
        Sample(
            kind: .pushedAnswer,
            text: #"{"request_uri":"urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c","expires_in":60}"#,
            secrets: ["6esc_11ACC5bwc014ltc14eY22c"]),
        Sample(
            kind: .introspectionAnswer,
            text:
                #"{"active":true,"exp":1700003600,"scope":"read","client_id":"app","token":"2YotnFZFEjr1zCsicMWpAA"}"#,
            secrets: ["2YotnFZFEjr1zCsicMWpAA"]),
        Sample(kind: .jwt, text: idToken, secrets: [idToken, "c2lnbmF0dXJlLW9mLW5vYm9keQ", "nonce-0S6WzA2Mj-9876"]),
        Sample(
            kind: .jwe,
            text: token(["alg": "RSA-OAEP-256", "enc": "A128GCM"], ["a": "b"], signature: "dmVjdG9y")
                + ".dGV4dHRleHQ.dGFn",
            secrets: ["dGV4dHRleHQ"]),
        Sample(
            kind: .keySet,
            text:
                #"{"keys":[{"kty":"oct","k":"c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"},{"kty":"EC","crv":"P-256","#
                + #""x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM","#
                + #""d":"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"}]}"#,
            secrets: [
                "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0", "870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE",
            ]),
        Sample(
            kind: .key, text: #"{"kty":"oct","k":"c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"}"#,
            secrets: ["c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"]),
        Sample(
            kind: .serverMetadata,
            text:
                #"{"issuer":"https://id.example.com","authorization_endpoint":"https://id.example.com/a?key=s3cr3tpart","#
                + #""token_endpoint":"https://id.example.com/t","response_types_supported":["code"],"#
                + #""code_challenge_methods_supported":["S256"]}"#, secrets: ["s3cr3tpart"]),
        Sample(
            kind: .resourceMetadata,
            text: #"{"resource":"https://api.example.com","authorization_servers":["https://id.example.com"]}"#),
        Sample(kind: .challenge, text: #"Bearer realm="api", error="invalid_token""#),
        Sample(kind: .challenge, text: "Bearer mF_9.B5f-4.1JqM", secrets: ["mF_9.B5f-4.1JqM"]),
        Sample(
            kind: .claims,
            text: #"{"iss":"https://id.example.com","sub":"u1","aud":"app","exp":1700003600,"iat":1699999999,"#
                + #""nonce":"nonce-0S6WzA2Mj-9876","password":"hunter22hunter"}"#,
            secrets: ["nonce-0S6WzA2Mj-9876", "hunter22hunter"]),
        Sample(
            kind: .oauth1BaseString,
            text: "GET&https%3A%2F%2Fapi.example.com%2F1%2Fnotes&a%3D1%26oauth_consumer_key%3Dck%26oauth_nonce%3Dn1"
                + "%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1700000000%26oauth_token%3Dkkk9d7dh3k39sjv7",
            secrets: ["kkk9d7dh3k39sjv7"]),
        Sample(
            kind: .oauth1Header,
            text:
                #"OAuth realm="x", oauth_consumer_key="ck", oauth_token="kkk9d7dh3k39sjv7", oauth_signature_method="HMAC-SHA1","#
                + #" oauth_timestamp="1700000000", oauth_nonce="n1", oauth_signature="bYT5CMsGcbgUdFHObYMEfcx6bsw%3D""#,
            secrets: ["kkk9d7dh3k39sjv7", "bYT5CMsGcbgUdFHObYMEfcx6bsw"]),
        Sample(kind: .errorCode, text: "invalid_grant"),
    ]
}

extension Finding {
    /// Everything that is told, as people and as machines get it.
    var everything: String {
        let texts = [title, detail, fix, comparison?.lines.joined(separator: "\n")].compactMap(\.self)
        return (texts + [JSON.object(json).text]).joined(separator: "\n")
    }
}

extension [Finding] {
    /// The first finding of a name.
    subscript(name: String) -> Finding? { first { $0.name == name } }
}
