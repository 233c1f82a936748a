import TernCrypto
import TernJOSE
import TernProtocol
import Testing

@testable import TernOAuth1

/// Vectors: RFC 5849 §1.2 and §3.4.1.1; the rows OA of the field reports, each of whose signatures was made by two
/// independent programs; X's guide "Creating a signature"; OpenSSL for RSA.
@Suite struct SignatureTests {
    private func uri(_ text: String) throws -> URI { try #require(URI(text)) }

    private func token(_ token: String, _ secret: String) -> OAuth1Token {
        OAuth1Token(AccessToken(token), secret: OAuth1TokenSecret(secret))
    }

    private func signature(_ request: HTTPRequest) throws -> String {
        let header = try #require(request.fields["Authorization"])
        let parts = try #require(header.split(separator: "oauth_signature=\"").last?.split(separator: "\"").first)
        return PercentCodec.decodeForm(String(parts))
    }

    /// A client of the rows OA.
    private func signer(_ key: OAuth1SigningKey = .hmacSHA1(ClientSecret("cs&open+")), _ token: OAuth1Token? = nil)
        -> OAuth1Signer
    { OAuth1Signer(clientID: "ck-open", key, token: token) }

    private let time = NumericDate(1_750_000_000)
    private let nonce = "n0nce1"

    private func check(
        _ request: HTTPRequest, _ signer: OAuth1Signer, _ parameters: FormParameters = [:], base: String,
        signature: String
    ) throws {
        #expect(try signer.baseString(of: request, timestamp: time, nonce: nonce, parameters: parameters) == base)
        let signed = try signer.sign(request, timestamp: time, nonce: nonce, parameters: parameters)
        #expect(try self.signature(signed) == signature)
    }

    @Test func `the base string of RFC 5849 §3.4.1.1`() throws {
        var signer = OAuth1Signer(
            clientID: "9djdj82h48djs9d2", .hmacSHA1(ClientSecret("j49sk3j29djd")),
            token: token("kkk9d7dh3k39sjv7", "dh893hdasih9"))
        signer.sendsVersion = false
        let request = HTTPRequest(
            .post, try uri("http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b"),
            fields: ["Content-Type": "application/x-www-form-urlencoded"], body: .bytes(Array("c2&a3=2+q".utf8)))
        #expect(
            try signer.baseString(of: request, timestamp: NumericDate(137_131_201), nonce: "7d8f3e4a")
                == "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%25"
                + "40%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method"
                + "%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7")
    }

    @Test func `the second and third leg of RFC 5849 §1.2`() throws {
        let key = OAuth1SigningKey.hmacSHA1(ClientSecret("kd94hf93k423kf44"))
        var signer = OAuth1Signer(
            clientID: "dpf43f3p2l4k3l03", key, token: token("hh5s93j4hdidpola", "hdhd0244k9j7ao03"))
        signer.sendsVersion = false
        signer.realm = "Photos"
        let second = try signer.sign(
            HTTPRequest(.post, try uri("https://photos.example.net/token")), timestamp: NumericDate(137_131_201),
            nonce: "walatlh", parameters: ["oauth_verifier": "hfdp7dh39dks9884"])
        #expect(try signature(second) == "gKgrFCywp7rO0OXSjdot/IHF7IU=")
        #expect(second.fields["Authorization"]?.hasPrefix("OAuth realm=\"Photos\", oauth_consumer_key=") == true)

        signer = OAuth1Signer(
            clientID: "dpf43f3p2l4k3l03", key, token: token("nnch734d00sl2jdk", "pfkkdhi9sl3r4s00"))
        signer.sendsVersion = false
        let third = try signer.sign(
            HTTPRequest(.get, try uri("http://photos.example.net/photos?file=vacation.jpg&size=original")),
            timestamp: NumericDate(137_131_202), nonce: "chapoH")
        #expect(try signature(third) == "MdpQcU8iPSUjWoN/UDMsK2sui9I=")
    }

    @Test(
        arguments: [
            ("photos?file=vacation.jpg&size=original", OAuth1SignatureMethod.hmacSHA1, "tR3+Ty81lMeYAr/Fid0kMTYa/WM="),
            (
                "photos?file=vacation.jpg&size=original", .hmacSHA256,
                "WVPzl1j6ZsnkIjWr7e3OZ3jkenL57KwaLFhYsroX1hg="
            ),
            ("photos?file_1=vacation.jpg&file_10=original", .hmacSHA1, "2qG5S5iX/g/6NIKutdcSYACUHsg="),
        ])
    func `the example of OAuth Core 1.0 and its relatives`(
        path: String, method: OAuth1SignatureMethod, expected: String
    ) throws {
        let key = try OAuth1SigningKey(method, secret: ClientSecret("kd94hf93k423kf44"))
        let signer = OAuth1Signer(
            clientID: "dpf43f3p2l4k3l03", key, token: token("nnch734d00sl2jdk", "pfkkdhi9sl3r4s00"))
        let signed = try signer.sign(
            HTTPRequest(.get, try uri("http://photos.example.net/\(path)")), timestamp: NumericDate(1_191_242_096),
            nonce: "kllo9940pd9333jh")
        #expect(try signature(signed) == expected)
    }

    @Test func `the path is signed as it is sent`() throws {
        let signer = OAuth1Signer(
            clientID: "abcd", .hmacSHA1(ClientSecret("efgh")), token: token("ijkl", "mnop"))
        let time = NumericDate(1_451_152_366)
        func signature(_ request: HTTPRequest) throws -> String {
            try self.signature(try signer.sign(request, timestamp: time, nonce: "rkNG5bfzqFw"))
        }
        let post = HTTPRequest(.post, try uri("http://photos.example.net/photos"), body: .form(["name": "value"]))
        #expect(try signature(post) == "6qB7WBgezEpKhfr2Bpl+HfcS4SA=")
        let get = HTTPRequest(.get, try uri("http://photos.example.net/ph%20otos?name=value"))
        #expect(try signature(get) == "g2HpPCyQIVxLC3NNVn2x9oeUtyg=")
    }

    @Test func `the example of X's guide`() throws {
        let signer = OAuth1Signer(
            clientID: "xvz1evFS4wEEPTGEFPHBog",
            .hmacSHA1(ClientSecret("kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw")),
            token: token(
                "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE"))
        let request = HTTPRequest(
            .post, try uri("https://api.twitter.com/1/statuses/update.json?include_entities=true"),
            body: .form(["status": "Hello Ladies + Gentlemen, a signed OAuth request!"]))
        let signed = try signer.sign(
            request, timestamp: NumericDate(1_318_622_958), nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg")
        #expect(try signature(signed) == "tnnArxj06cWHq44gCs1OSKk/jLY=")
    }

    @Test func `OA-01 only letters, digits and - . _ ~ stay bare`() throws {
        let request = HTTPRequest(
            .post, try uri("https://api.example/1/notes"), body: .form(["note": "~*'()! é"]))
        try check(
            request, signer(.hmacSHA1(ClientSecret("cs&open+")), token("tk-open", "ts=open/")),
            base: "POST&https%3A%2F%2Fapi.example%2F1%2Fnotes&note%3D~%252A%2527%2528%2529%2521%2520%25C3%25A9%26"
                + "oauth_consumer_key%3Dck-open%26oauth_nonce%3Dn0nce1%26oauth_signature_method%3DHMAC-SHA1%26"
                + "oauth_timestamp%3D1750000000%26oauth_token%3Dtk-open%26oauth_version%3D1.0",
            signature: "ouZ2UM0IHV0O6A+HHsLRG+R561M=")
    }

    @Test func `OA-02 sorted by name and then by value, duplicates and empty values included`() throws {
        try check(
            HTTPRequest(.get, try uri("https://api.example/list?name10=a&name1=b&name=&name1=a%20b")), signer(),
            base: "GET&https%3A%2F%2Fapi.example%2Flist&name%3D%26name1%3Da%2520b%26name1%3Db%26name10%3Da%26"
                + "oauth_consumer_key%3Dck-open%26oauth_nonce%3Dn0nce1%26oauth_signature_method%3DHMAC-SHA1%26"
                + "oauth_timestamp%3D1750000000%26oauth_version%3D1.0",
            signature: "UQO4/mAOm9NcfmOuj5lh1VeMIMc=")
    }

    @Test func `OA-03 a default port goes, any other stays; an endpoint's query is signed`() throws {
        let rest =
            "oauth_consumer_key%3Dck-open%26oauth_nonce%3Dn0nce1%26oauth_signature_method%3DHMAC-SHA1%26"
            + "oauth_timestamp%3D1750000000%26oauth_version%3D1.0"
        try check(
            HTTPRequest(.get, try uri("http://api.example:8080/p")), signer(),
            base: "GET&http%3A%2F%2Fapi.example%3A8080%2Fp&" + rest, signature: "dazuBPxn6MVwX8kMKv5SE6oPvnc=")
        try check(
            HTTPRequest(.get, try uri("https://api.example:443/p")), signer(),
            base: "GET&https%3A%2F%2Fapi.example%2Fp&" + rest, signature: "RdhnkMSp3Pck1OC/njoTzaMHrEU=")
        try check(
            HTTPRequest(.post, try uri("https://api.example/request_token?scope=https%3A%2F%2Fapi.example%2Fall")),
            signer(), ["oauth_callback": "myapp://cb?x=1"],
            base:
                "POST&https%3A%2F%2Fapi.example%2Frequest_token&oauth_callback%3Dmyapp%253A%252F%252Fcb%253Fx%253D1%26"
                + rest + "%26scope%3Dhttps%253A%252F%252Fapi.example%252Fall",
            signature: "ty4lyQBdwwhC0P2LKjj3Kxz1i0M=")
    }

    @Test func `OA-04 the realm is never signed, and only a form body is`() throws {
        var signer = signer()
        signer.realm = "Photos"
        let request = HTTPRequest(
            .post, try uri("https://api.example/json"), fields: ["Content-Type": "application/json"],
            body: .bytes(Array("{\"a\":1}".utf8)))
        try check(
            request, signer,
            base: "POST&https%3A%2F%2Fapi.example%2Fjson&oauth_consumer_key%3Dck-open%26oauth_nonce%3Dn0nce1%26"
                + "oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1750000000%26oauth_version%3D1.0",
            signature: "09YDpaVv/pVcTcdtYHHZcAIjw9Y=")
        let signed = try signer.sign(request, timestamp: time, nonce: nonce)
        #expect(signed.fields["Authorization"]?.hasPrefix("OAuth realm=\"Photos\", ") == true)
    }

    @Test(arguments: ["RSA-SHA1", "RSA-SHA256", "RSA-SHA512"])
    func `RSA signs as OpenSSL does`(method: String) throws {
        let method = try #require(OAuth1SignatureMethod(rawValue: method))
        let request = HTTPRequest(.get, try uri("https://api.example/list?name10=a&name1=b&name=&name1=a%20b"))
        for pem in [rsaPKCS1, rsaPKCS8] {
            let key = try OAuth1SigningKey(method, privateKey: RSAPrivateKey(pem: Array(pem.utf8)))
            let signed = try signer(key).sign(request, timestamp: time, nonce: nonce)
            #expect(try signature(signed) == rsaSignatures[method.rawValue])
        }
    }

    @Test func `PLAINTEXT sends both secrets, encoded, and never over plain http`() throws {
        let signer = signer(.plaintext(ClientSecret("cs&open+")), token("tk-open", "ts=open/"))
        let signed = try signer.sign(
            HTTPRequest(.get, try uri("https://api.example/p")), timestamp: time, nonce: nonce)
        #expect(try signature(signed) == "cs%26open%2B&ts%3Dopen%2F")
        let alone = try self.signer(.plaintext(ClientSecret("cs"))).sign(
            HTTPRequest(.get, try uri("https://api.example/p")), timestamp: time, nonce: nonce)
        #expect(try signature(alone) == "cs&")
        #expect(throws: TernError(.insecureEndpoint(field: "url"), at: .resourceRequest)) {
            try signer.sign(HTTPRequest(.get, try uri("http://api.example/p")), timestamp: time, nonce: nonce)
        }
    }

    @Test(
        arguments: [
            ("https://API.Example", "GET&https%3A%2F%2Fapi.example%2F&"),
            ("https://api.example?", "GET&https%3A%2F%2Fapi.example%2F&"),
            ("https://api.example/p?#f", "GET&https%3A%2F%2Fapi.example%2Fp&"),
            ("https://api.example/a%2Fb%2fc//d/", "GET&https%3A%2F%2Fapi.example%2Fa%252Fb%252fc%2F%2Fd%2F&"),
            ("http://[::1]:8080/", "GET&http%3A%2F%2F%5B%3A%3A1%5D%3A8080%2F&"),
            ("http://api.example:443/", "GET&http%3A%2F%2Fapi.example%3A443%2F&"),
        ])
    func `awkward addresses`(address: String, beginning: String) throws {
        let base = try signer().baseString(
            of: HTTPRequest(.get, try uri(address)), timestamp: time, nonce: nonce)
        #expect(base.hasPrefix(beginning + "oauth_consumer_key"))
    }

    @Test(
        arguments: [
            ("a=100%25", "a%3D100%2525%26"), ("a=1+2", "a%3D1%25202%26"), ("a=1%2b2", "a%3D1%252B2%26"),
            ("a=%zz+b", "a%3D%2525zz%252Bb%26"), ("a", "a%3D%26"), ("a=b=c", "a%3Db%253Dc%26"),
            ("&&a=&", "a%3D%26"), ("=b", "%3Db%26"), ("a=%C3%A9", "a%3D%25C3%25A9%26"), ("a=é", "a%3D%25C3%25A9%26"),
            ("a=%ff", "a%3D%25FF%26"), ("b=2&a=%C3%A9&a=z&B=1", "B%3D1%26a%3D%25C3%25A9%26a%3Dz%26b%3D2%26"),
        ])
    func `awkward queries`(query: String, expected: String) throws {
        let base = try signer().baseString(
            of: HTTPRequest(.get, try uri("https://api.example/p?\(query)")), timestamp: time, nonce: nonce)
        #expect(base.hasPrefix("GET&https%3A%2F%2Fapi.example%2Fp&" + expected + "oauth_consumer_key"))
    }

    @Test func `a form is signed by its label, multipart is not`() throws {
        func base(_ type: String, _ body: String) throws -> String {
            try signer().baseString(
                of: HTTPRequest(
                    .post, try uri("https://api.example/p"), fields: ["Content-Type": type],
                    body: .bytes(Array(body.utf8))),
                timestamp: time, nonce: nonce)
        }
        let plain = try base("text/plain", "a=1")
        #expect(!plain.contains("a%3D1"))
        #expect(try base("multipart/form-data; boundary=a=1", "a=1") == plain)
        for type in ["application/x-www-form-urlencoded", "Application/X-WWW-Form-URLencoded ; charset=UTF-8"] {
            #expect(try base(type, "a=1").contains("&a%3D1%26oauth_"))
        }
    }

    @Test func `the form and the query take the parameters too`() throws {
        var signer = signer()
        signer.placement = .query
        let get = try signer.sign(
            HTTPRequest(.get, try uri("https://api.example/p?x=a+b#f")), timestamp: time, nonce: nonce)
        #expect(get.fields["Authorization"] == nil)
        #expect(get.url.text.hasPrefix("https://api.example/p?x=a+b&oauth_consumer_key=ck-open&"))
        #expect(get.url.text.hasSuffix("#f"))
        let query = try #require(FormParameters(decoding: get.url.encodedQuery ?? ""))
        #expect(query["oauth_signature"]?.isEmpty == false)

        signer.placement = .form
        let post = try signer.sign(
            HTTPRequest(.post, try uri("https://api.example/p"), body: .form(["x": "a b"])), timestamp: time,
            nonce: nonce)
        #expect(post.form["x"] == "a b")
        #expect(post.form["oauth_signature"]?.isEmpty == false)
        let bytes = try signer.sign(
            HTTPRequest(
                .post, try uri("https://api.example/p"),
                fields: ["Content-Type": "application/x-www-form-urlencoded"], body: .bytes(Array("x=a+b".utf8))),
            timestamp: time, nonce: nonce)
        let text = String(decoding: bytes.bodyBytes ?? [], as: UTF8.self)
        #expect(text.hasPrefix("x=a+b&oauth_consumer_key=ck-open&"))
        #expect(FormParameters(decoding: text)?["oauth_signature"] == post.form["oauth_signature"])
        let empty = try signer.sign(
            HTTPRequest(.post, try uri("https://api.example/p")), timestamp: time, nonce: nonce)
        #expect(empty.form.count == 6)
    }

    @Test func `what cannot be signed is refused by name`() throws {
        func error(_ placement: ParameterPlacement, _ request: HTTPRequest) -> TernError.Reason? {
            var signer = signer()
            signer.placement = placement
            do throws(TernError) {
                _ = try signer.sign(request, timestamp: time, nonce: nonce)
                return nil
            } catch { return error.reason }
        }
        func field(_ reason: TernError.Reason?) -> String? {
            if case .invalidConfiguration(let field, _) = reason { field } else { nil }
        }
        let address = try uri("https://api.example/p")
        #expect(field(error(.form, HTTPRequest(.get, address))) == "placement")
        #expect(field(error(.form, HTTPRequest(.post, address, body: .bytes([1])))) == "placement")
        for placement in ParameterPlacement.allCases {
            #expect(
                field(error(placement, HTTPRequest(.post, address, body: .form(["oauth_nonce": "x"])))) == "oauth_nonce"
            )
            let query = HTTPRequest(.post, try uri("https://api.example/p?oauth%5Ftoken=x"))
            #expect(field(error(placement, query)) == "oauth_token")
        }
        #expect(field(error(.header, HTTPRequest(.get, try uri("https://u:p@api.example/p")))) == "url")
        #expect(field(error(.header, HTTPRequest(.get, try uri("mailto:x")))) == "url")
        #expect(
            throws: (any Error).self,
            performing: { try OAuth1SigningKey(.rsaSHA1, secret: ClientSecret("x")) })
    }

    @Test(
        arguments: [
            (OAuth1SignatureMethod.hmacSHA1, "Lve95gjOVATpfV8EL5X4nxwjKHE="),
            (.hmacSHA256, "f4OxZX/x/FO5LcGBSKHWXfwtSx+j1ncoSt3SABJtkGk="), (.plaintext, "Lve95gjOVATpfV8EL5X4nxwjKHE="),
        ])
    func `the body hash is the method's, and forms have none`(method: OAuth1SignatureMethod, hash: String) throws {
        var signer = signer(try OAuth1SigningKey(method, secret: ClientSecret("cs")))
        signer.hashesBody = true
        func parameters(_ body: HTTPRequest.Body) throws -> String {
            let request = HTTPRequest(.post, try uri("https://api.example/p"), body: body)
            return try #require(
                try signer.sign(request, timestamp: time, nonce: nonce).fields["Authorization"])
        }
        // The digests of "Hello World!" and of nothing.
        let encoded = PercentCodec.encode(hash)
        #expect(try parameters(.bytes(Array("Hello World!".utf8))).contains("oauth_body_hash=\"\(encoded)\""))
        #expect(try parameters(.none).contains("oauth_body_hash=\""))
        #expect(try !parameters(.form(["a": "b"])).contains("oauth_body_hash"))
        signer.placement = .form
        let empty = try signer.sign(
            HTTPRequest(.post, try uri("https://api.example/p")), timestamp: time, nonce: nonce)
        #expect(empty.form["oauth_body_hash"] == nil)
    }

    @Test func `nonces are letters and digits, thirty of them, and differ`() {
        let random = SystemRandomSource()
        let nonces = Set((0..<1_000).map { _ in OAuth1Signer.nonce(from: random) })
        #expect(nonces.count == 1_000)
        #expect(nonces.allSatisfy { $0.utf8.count == 30 && $0.allSatisfy(\.isHexDigit) })
    }

    @Test func `a realm cannot leave its quotes`() throws {
        var signer = signer()
        signer.realm = "a\"b\\c\r\nX: y"
        let signed = try signer.sign(
            HTTPRequest(.get, try uri("https://api.example/p")), timestamp: time, nonce: nonce)
        #expect(signed.fields["Authorization"]?.hasPrefix("OAuth realm=\"a\\\"b\\\\cX: y\", oauth_") == true)
    }

    @Test func `keys and signers print nothing`() {
        let secret = ClientSecret("very-secret")
        let signer = OAuth1Signer(clientID: "ck", .hmacSHA1(secret), token: token("tok-1", "tok-secret-1"))
        var text = ""
        dump(signer, to: &text)
        dump(OAuth1SigningKey.plaintext(secret), to: &text)
        dump(OAuth1Signer(clientID: "ck", .plaintext(secret)), to: &text)
        for part in ["very-secret", "tok-1", "tok-secret-1"] { #expect(!text.contains(part)) }
    }
}
