import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// RFC 9449 §4.
@Suite("Proofs of possession")
struct DPoPProofTests {
    private static let now = NumericDate(1_562_262_618)

    /// The request of RFC 9449 §7.1, figure 12, with its proof and token.
    private func example() throws -> HTTPRequest {
        let proof =
            "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6Ik"
            + "VDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCR"
            + "nMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JE"
            + "QSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIj"
            + "oiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0Z"
            + "WRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNF"
            + "c05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71E"
            + "OptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA"
        return HTTPRequest(
            .get, try address("https://resource.example.org/protectedresource"), fields: ["DPoP": proof])
    }

    private let exampleToken = AccessToken("Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU")

    @Test("The example of RFC 9449 §7.1, with its key's thumbprint of §6.1")
    func example71() throws {
        let proof = try DPoPProof(of: try example(), expecting: .init(accessToken: exampleToken), now: Self.now)
        #expect(proof.thumbprint == "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
        #expect(proof.tokenID == "e1j3V_bKic8-LAEB")
        #expect(proof.issuedAt == Self.now)
    }

    private func proven(
        _ claims: (inout JSONObject) -> Void = { _ in }, header: JSONObject = [:], type: String? = "dpop+jwt"
    ) throws -> HTTPRequest {
        let key = try SigningKey(try JWK.generate(for: .es256))
        var payload: JSONObject = [
            "jti": "j1", "htm": "POST", "htu": "https://idp.example/t", "iat": 1_562_262_618,
        ]
        claims(&payload)
        var parameters: JSONObject = ["jwk": .object(try #require(key.publicKey.publicJSON()))]
        for (name, value) in header { parameters[name] = value }
        let jwt = try JWT.sign(JWTClaims(payload), type: type, parameters: parameters, key: key)
        return HTTPRequest(.post, try address("https://idp.example/t?x=1"), fields: ["DPoP": jwt])
    }

    private func problem(_ request: HTTPRequest, _ expected: DPoPProof.Expectation = .init()) -> String? {
        do throws(TernError) {
            _ = try DPoPProof(of: request, expecting: expected, now: Self.now)
            return nil
        } catch {
            guard case .proofRejected(let problem) = error.reason else { return error.code }
            return problem
        }
    }

    @Test("Each check of §4.3 refuses what it is for")
    func refusals() throws {
        #expect(problem(try proven()) == nil)
        #expect(problem(try proven { $0["htu"] = "HTTPS://IDP.example:443/t#f" }) == nil)
        #expect(problem(try proven { $0["jti"] = nil }) == "jti is missing")
        #expect(problem(try proven { $0["jti"] = "" }) == "jti is missing")
        #expect(problem(try proven { $0["htm"] = "GET" }) == "htm is not the method")
        #expect(problem(try proven { $0["htm"] = "post" }) == "htm is not the method")
        for address in ["https://idp.example/T", "http://idp.example/t", "https://idp.example:444/t", "/t", ""] {
            #expect(problem(try proven { $0["htu"] = .string(address) }) == "htu is not the address")
        }
        #expect(problem(try proven { $0["iat"] = nil }) == "iat is missing")
        #expect(problem(try proven { $0["iat"] = "1562262618" }) == "iat is missing")
        #expect(problem(try proven { $0["iat"] = 1_562_262_557 }) == "iat is too old or ahead")
        #expect(problem(try proven { $0["iat"] = 1_562_262_679 }) == "iat is too old or ahead")
        #expect(problem(try proven { $0["iat"] = 1_562_262_558 }) == nil)
        #expect(problem(try proven(type: "JWT")) == "typ is not dpop+jwt")
        #expect(problem(try proven(type: nil)) == "typ is not dpop+jwt")
        #expect(problem(try proven(), .init(nonce: "n1")) == "nonce is not the one that was given")
        #expect(problem(try proven { $0["nonce"] = "n1" }, .init(nonce: "n1")) == nil)
        #expect(problem(try proven(), .init(accessToken: exampleToken)) == "ath is not of the access token")
        #expect(problem(try example(), .init(accessToken: AccessToken("x"))) == "ath is not of the access token")
        var none = DPoPProof.Expectation()
        none.algorithms = [.rs256]
        #expect(problem(try proven(), none) != nil)
    }

    @Test("A private key in the header, a foreign key, a symmetric one, and a missing or doubled field are refused")
    func keys() throws {
        let other = try JWK.generate(for: .es256)
        #expect(
            problem(try proven(header: ["jwk": .object(other.privateJSON())])) == "its key is a private one")
        #expect(problem(try proven(header: ["jwk": .object(try #require(other.publicJSON()))])) != nil)
        #expect(problem(try proven(header: ["jwk": "k"])) != nil)
        var request = try proven()
        request.fields.append("DPoP", "x")
        #expect(problem(request) == "there are several")
        request.fields["DPoP"] = nil
        #expect(problem(request) == "there is none")
        request.fields["DPoP"] = "a.b"
        #expect(problem(request) != nil)
    }

    @Test(
        "A made proof has what §4.2 asks for and nothing more, for every algorithm",
        arguments: SignatureAlgorithm.asymmetric)
    func made(algorithm: SignatureAlgorithm) throws {
        let key = DPoPKey(try SigningKey(try JWK.generate(for: algorithm, keyID: "k1")))
        let url = try address("https://api.example:8443/v1/items?x=1#f")
        let token = AccessToken("at-1")
        let text = try key.proof(.get, url, accessToken: token, nonce: "n1", now: NumericDate(1000.9))
        let jwt = try JWT(compact: text)
        #expect(jwt.header.parameters.names.sorted() == ["alg", "jwk", "typ"])
        #expect(jwt.claims["htu"] == "https://api.example:8443/v1/items")
        #expect(jwt.claims["htm"] == "GET")
        #expect(jwt.claims["iat"] == 1000)
        #expect(jwt.claims["nonce"] == "n1")
        let publicKey = try #require(jwt.header.parameters["jwk"])
        #expect(publicKey["kid"] == nil && publicKey["d"] == nil && publicKey["alg"] == nil)
        let proof = try DPoPProof(
            of: HTTPRequest(.get, url, fields: ["DPoP": text]), expecting: .init(accessToken: token, nonce: "n1"),
            now: NumericDate(1000))
        #expect(proof.thumbprint == key.thumbprint)
        let again = try JWT(compact: try key.proof(.get, url, now: NumericDate(1000)))
        #expect(again.claims["jti"] != jwt.claims["jti"])
        #expect(again.claims["ath"] == nil && again.claims["nonce"] == nil)
    }

    @Test("Key and binding print nothing")
    func silence() throws {
        let key = DPoPKey(try SigningKey(try JWK.generate(for: .es256)))
        #expect("\(key)" == "<DPoP key>")
        #expect(Mirror(reflecting: key).children.isEmpty)
    }
}
