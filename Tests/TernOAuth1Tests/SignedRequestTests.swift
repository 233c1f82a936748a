import TernCrypto
import TernJOSE
import TernProtocol
import Testing

@testable import TernOAuth1

/// What one side signs, the other side reads: every method in every place.
@Suite struct SignedRequestTests {
    private let time = NumericDate(1_750_000_000)
    private let secret = ClientSecret("cs&open+")
    private let token = OAuth1Token(AccessToken("tk open"), secret: OAuth1TokenSecret("ts=open/"))

    private func uri(_ text: String) throws -> URI { try #require(URI(text)) }

    private func requests() throws -> [HTTPRequest] {
        [
            HTTPRequest(.get, try uri("https://API.example:443/a%20b?x=1&x=&y=%C3%A9+%2B&x=%25")),
            HTTPRequest(.post, try uri("https://api.example/p?q=1"), body: .form(["a": "1 2", "a": "+", "é": ""])),
            HTTPRequest(
                .put, try uri("https://api.example/p"),
                fields: ["Content-Type": "application/x-www-form-urlencoded"], body: .bytes(Array("a=+&b".utf8))),
            HTTPRequest(.post, try uri("https://api.example/p"), body: .bytes([0, 1, 255])),
        ]
    }

    @Test(arguments: OAuth1SignatureMethod.allCases, ParameterPlacement.allCases)
    func `what was signed is read and found good, and nothing else is`(
        method: OAuth1SignatureMethod, placement: ParameterPlacement
    ) throws {
        let privateKey = try RSAPrivateKey(pem: Array(rsaPKCS8.utf8))
        let key =
            method.usesPrivateKey
            ? try OAuth1SigningKey(method, privateKey: privateKey) : try OAuth1SigningKey(method, secret: secret)
        var signer = OAuth1Signer(clientID: "ck+open", key, token: token)
        signer.placement = placement
        signer.realm = "a \"realm\""
        signer.hashesBody = true
        var count = 0
        for request in try requests() where placement != .form || request.hasForm {
            count += 1
            let signed = try signer.sign(
                request, timestamp: time, nonce: "n0nce", parameters: ["oauth_callback": "myapp://cb?x=1"])
            let read = try #require(try OAuth1SignedRequest(reading: signed))
            #expect(read.clientID == "ck+open")
            #expect(read.token == token.token)
            #expect(read.timestamp == time)
            #expect(read.nonce == "n0nce")
            #expect(read.placement == placement)
            #expect(read["oauth_callback"] == "myapp://cb?x=1")
            func isGood(_ read: OAuth1SignedRequest?, _ secret: String = "cs&open+", _ tokenSecret: String = "ts=open/")
                -> Bool
            {
                method.usesPrivateKey
                    ? read?.isSigned(by: privateKey.publicKey) == true
                    : read?.isSigned(secret: ClientSecret(secret), tokenSecret: OAuth1TokenSecret(tokenSecret)) == true
            }
            #expect(isGood(read))
            if !method.usesPrivateKey {
                #expect(!isGood(read, "cs&open"))
                #expect(!isGood(read, "cs&open+", ""))
            }
            guard method != .plaintext else { continue }
            var changed = signed
            changed.method = "DELETE"
            #expect(!isGood(try OAuth1SignedRequest(reading: changed)))
            changed = signed
            changed.url = try uri(signed.url.text + (signed.url.encodedQuery == nil ? "?z=1" : "&z=1"))
            #expect(!isGood(try OAuth1SignedRequest(reading: changed)))
        }
        #expect(count > 0)
    }

    @Test func `a body hash that does not fit is refused`() throws {
        var signer = OAuth1Signer(clientID: "ck", .hmacSHA1(secret))
        signer.hashesBody = true
        var signed = try signer.sign(
            HTTPRequest(.post, try uri("https://api.example/p"), body: .bytes([1])), timestamp: time, nonce: "n")
        #expect(try OAuth1SignedRequest(reading: signed)?.isSigned(secret: secret, tokenSecret: nil) == true)
        signed.body = .bytes([2])
        #expect(throws: TernError(.malformedResponse(field: "oauth_body_hash"), at: .serving)) {
            try OAuth1SignedRequest(reading: signed)
        }
    }

    @Test(
        arguments: [
            ("oauth_consumer_key=\"\", oauth_signature_method=\"HMAC-SHA1\"", "oauth_consumer_key"),
            ("oauth_consumer_key=\"c\", oauth_signature_method=\"HMAC-MD5\"", "oauth_signature_method"),
            ("oauth_consumer_key=\"c\", oauth_signature_method=\"HMAC-SHA1\"", "oauth_signature"),
            (
                "oauth_consumer_key=\"c\", oauth_signature_method=\"HMAC-SHA1\", oauth_signature=\"s\", oauth_version=\"2.0\"",
                "oauth_version"
            ),
            (
                "oauth_consumer_key=\"c\", oauth_signature_method=\"HMAC-SHA1\", oauth_signature=\"s\", oauth_nonce=\"n\"",
                "oauth_timestamp"
            ),
            (
                "oauth_consumer_key=\"c\", oauth_signature_method=\"HMAC-SHA1\", oauth_signature=\"s\", oauth_timestamp=\"-1\"",
                "oauth_timestamp"
            ),
            (
                "oauth_consumer_key=\"c\", oauth_signature_method=\"HMAC-SHA1\", oauth_signature=\"s\", oauth_timestamp=\"1\"",
                "oauth_nonce"
            ),
        ])
    func `what is missing or wrong is named`(header: String, field: String) throws {
        let request = HTTPRequest(.get, try uri("https://api.example/p"), fields: ["Authorization": "OAuth " + header])
        #expect(throws: TernError(.malformedResponse(field: field), at: .serving)) {
            try OAuth1SignedRequest(reading: request)
        }
    }

    @Test func `other requests are nobody's, and two signatures are too many`() throws {
        let plain = HTTPRequest(.get, try uri("https://api.example/p"), fields: ["Authorization": "Bearer x"])
        #expect(try OAuth1SignedRequest(reading: plain) == nil)
        let twice = HTTPRequest(
            .post, try uri("https://api.example/p?oauth_signature=a"), body: .form(["oauth_signature": "b"]))
        #expect(throws: TernError.self) { try OAuth1SignedRequest(reading: twice) }
        let repeated = HTTPRequest(
            .get, try uri("https://api.example/p?oauth_signature=a&oauth_nonce=1&oauth_nonce=2"))
        #expect(throws: TernError(.malformedResponse(field: "oauth_nonce"), at: .serving)) {
            try OAuth1SignedRequest(reading: repeated)
        }
    }
}
