import TernCrypto
import Testing

@testable import TernJOSE

@Suite("The form of signed tokens (RFC 7515 §5.2)")
struct TokenFormTests {
    private func refusal(_ token: String) -> JOSEError? {
        do throws(JOSEError) {
            _ = try JWS(compact: token)
            return nil
        } catch {
            return error
        }
    }

    private func token(header: String, payload: String = "{}", signature: String = "AAAA") -> String {
        "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(payload.utf8))).\(signature)"
    }

    @Test(
        "Number of parts",
        arguments: [
            ("", JOSEError.malformed("token")), ("e30", .malformed("token")), ("e30.e30", .malformed("token")),
            ("e30.e30.e30.e30", .malformed("token")), ("a.b.c.d.e", .encrypted), ("....", .encrypted),
            (".....", .malformed("token")), ("..", .json(JSONError(.unexpectedEnd, at: 0))),
        ] as [(String, JOSEError)])
    func parts(token: String, error: JOSEError) {
        #expect(refusal(token) == error)
    }

    @Test("Strict Base64url: no padding, no other alphabet, no white space, no stray bits")
    func base64() throws {
        let header = Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8))
        #expect(refusal("\(header).e30.AAAA") == nil)
        #expect(refusal("\(header).e30.") == nil)
        #expect(refusal("\(header)..AAAA") == nil)
        for part in ["e30=", "e3", "e3 0", "e3+0", "e3/0", "e31", "e", "e30\n", "é30", "e30\0"] {
            #expect(refusal("\(part).e30.AAAA") != nil)
            #expect(refusal("\(header).\(part).AAAA") == .malformed("payload"))
            #expect(refusal("\(header).e30.\(part)") == .malformed("signature"))
        }
    }

    @Test(
        "The header",
        arguments: [
            ("", JOSEError.json(JSONError(.unexpectedEnd, at: 0))),
            ("[]", .malformed("header")),
            ("{}", .malformed("header.alg")),
            (#"{"alg":1}"#, .malformed("header.alg")),
            (#"{"alg":null}"#, .malformed("header.alg")),
            (#"{"alg":"none"}"#, .unsupportedAlgorithm("none")),
            (#"{"alg":"es256"}"#, .unsupportedAlgorithm("es256")),
            (#"{"alg":"ES256","alg":"ES256"}"#, .json(JSONError(.repeatedMember("alg"), at: 15))),
            (#"{"alg":"ES256","kid":1}"#, .malformed("header.kid")),
            (#"{"alg":"ES256","typ":[]}"#, .malformed("header.typ")),
            (#"{"alg":"ES256","crit":["exp"],"exp":1}"#, .criticalHeader),
            (#"{"alg":"ES256","crit":[]}"#, .criticalHeader),
            (#"{"alg":"ES256","b64":false,"crit":["b64"]}"#, .criticalHeader),
            (#"{"alg":"ES256","b64":false}"#, .criticalHeader),
            ("\u{feff}{\"alg\":\"ES256\"}", .json(JSONError(.unexpectedByte, at: 0))),
        ] as [(String, JOSEError)])
    func headers(header: String, error: JOSEError) {
        #expect(refusal(token(header: header)) == error)
    }

    @Test("The name of an unknown algorithm is cut off in the error")
    func longAlgorithm() {
        let name = String(repeating: "x", count: 5000)
        let error = refusal(token(header: "{\"alg\":\"\(name)\"}"))
        #expect(error == .unsupportedAlgorithm(String(repeating: "x", count: 64)))
        let forged = refusal(token(header: #"{"alg":"x\n\u001b[2K\"\u202e"}"#))
        #expect(forged == .unsupportedAlgorithm(#"x\n\u{1B}[2K\"\u{202E}"#))
    }

    @Test("RFC 7515 A.5 and E: no signature, and an unknown critical extension")
    func unsecured() {
        #expect(refusal(RFC7515.unsecured) == .unsupportedAlgorithm("none"))
        // Its algorithm is none, which is refused whatever else is in the header.
        #expect(refusal(RFC7515.unknownCritical) == .unsupportedAlgorithm("none"))
    }

    @Test("Size")
    func size() {
        let head = Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8)) + "."
        func token(_ byteCount: Int) -> String {
            head + String(repeating: "A", count: byteCount - head.utf8.count - 5) + ".AAAA"
        }
        #expect(refusal(token(65_536)) == nil)
        #expect(refusal(token(65_537)) == .tooLarge)
        #expect(refusal(token(1_000_000)) == .tooLarge)
        #expect(throws: JOSEError.tooLarge) { try JWS(compact: "a.b.c", maximumByteCount: 4) }
    }

    @Test("A token prints nothing of itself")
    func printing() throws {
        let jwt = try JWT(compact: FieldVectors.token2)
        var printed = "\(jwt) \(String(reflecting: jwt)) \(jwt.jws)"
        dump(jwt, to: &printed)
        dump(jwt.jws, to: &printed)
        #expect(!printed.contains("eyJ"))
        #expect(!printed.contains("Yrof"))
        #expect(!printed.contains("native-app-1"))
    }

    @Test("Parameters of a header for signing cannot contradict its fields")
    func parameters() {
        let one = JWSHeader(algorithm: .es256, keyID: "a", parameters: ["kid": "b", "alg": "none", "typ": "x"])
        #expect(one.parameters == ["alg": "ES256", "kid": "a", "typ": "x"])
        #expect(one.keyID == "a")
        #expect(one.type == "x")
        #expect(JWSHeader(algorithm: .es256, parameters: ["kid": "b"]).keyID == "b")
    }

    @Test("A header for signing refuses what is not supported")
    func criticalWhenSigning() throws {
        let key = try JWK.generate(for: .edDSA)
        let header = JWSHeader(algorithm: .edDSA, parameters: ["b64": false, "crit": ["b64"]])
        #expect(throws: JOSEError.criticalHeader) { try JWS.sign(payload: [], header: header, key: key) }
    }

    @Test("No change of a token makes the reader trap")
    func mutations() throws {
        let seed = Array(FieldVectors.token1.utf8)
        let key = try JWKSet(parsing: Array(FieldVectors.keys1.utf8))
        var state: UInt64 = 42
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<5_000 {
            var token = seed
            switch random(3) {
            case 0: token[random(token.count)] = UInt8(random(128))
            case 1: token.remove(at: random(token.count))
            default: token.removeSubrange(random(token.count)...)
            }
            guard token != seed, let jwt = try? JWT(compact: String(decoding: token, as: UTF8.self)) else { continue }
            #expect(throws: JOSEError.self) {
                try jwt.jws.verify(with: key, allowed: SignatureAlgorithm.asymmetric)
            }
        }
    }
}
