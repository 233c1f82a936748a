internal import Tern

/// What goes with every request of OAuth 1.0a: nonce, base string, HMAC-SHA1 and the field `Authorization`.
struct OAuth1Signatures {
    let meter: Meter

    private static let form: FormParameters = [
        "status": "A tern flies 70,000 km a year: pole to pole + back!", "include_entities": "true", "lat": "64.1466",
        "long": "-21.9426", "place_id": "7f1cde09aa31b2c4", "display_coordinates": "false", "trim_user": "1",
        "media_ids": "918273645546372819", "note": "kría ☃ 100% & more=less?", "path": "a/b/c~d-e_f.g", "empty": "",
        "q": "r b",
    ]

    func run() throws {
        let token = OAuth1Token(
            AccessToken("bench-token-0123456789-0123456789-0123456789-abcdef"),
            secret: OAuth1TokenSecret("bench-token-secret-of-forty-characters-01"))
        let signer = OAuth1Signer(
            clientID: "bench-consumer-key-0123",
            .hmacSHA1(ClientSecret("bench-secret-of-forty-characters-0123456")), token: token)
        let request = HTTPRequest(
            .post, try URI.required("https://api.bench.example/1.1/statuses/update.json", field: "url"),
            body: .form(Self.form))
        // The right value was worked out by another program.
        let known = try signer.sign(
            request, timestamp: NumericDate(1_750_000_000), nonce: "0123456789abcdef0123456789abcd")
        guard known.fields["Authorization"]?.hasSuffix("oauth_signature=\"vAb1flhdrXZupvteHLXPKE3TlVI%3D\"") == true
        else {
            throw Failure("the signature is not the right one")
        }
        let clock = SystemWallClock()
        let random = SystemRandomSource()
        try meter.measure("oauth1_sign_hmac_sha1") {
            let signed = try signer.sign(request, timestamp: clock.now, nonce: OAuth1Signer.nonce(from: random))
            if signed.fields["Authorization"] == nil { throw Failure("the request was not signed") }
        }
    }
}
