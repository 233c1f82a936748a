internal import Tern

/// What is measured upon: from the folder `$BENCH_DATA`, or made anew.
struct Inputs {
    var issuer = "https://issuer.bench.example"
    var clientID = "bench-client"
    var nonce = Base64URL.encode(SystemRandomSource().bytes(32))
    var redirectURI = "https://app.bench.example/oauth/callback"
    var authorizationEndpoint = "https://issuer.bench.example/oauth2/authorize"
    var tokenEndpoint = "https://issuer.bench.example/oauth2/token"
    var scope = "openid profile email offline_access"
    var state = Base64URL.encode(SystemRandomSource().bytes(32))
    var callback = ""
    var keys: JWKSet
    var tokens: [SignatureAlgorithm: String] = [:]
    var tokenResponse: [UInt8] = []

    static let algorithms: [SignatureAlgorithm] = [.rs256, .es256, .edDSA]

    init() throws {
        if let folder = Surroundings.variable("BENCH_DATA") {
            keys = try JWKSet(parsing: Self.read(folder, "jwks.json"))
            try load(folder)
        } else {
            keys = JWKSet([])
            try make()
        }
    }

    private static func read(_ folder: String, _ name: String) throws -> [UInt8] {
        guard let bytes = Surroundings.file(folder + "/" + name) else { throw Missing(file: name) }
        return bytes
    }

    private mutating func load(_ folder: String) throws {
        let expect = try JSON(parsing: Self.read(folder, "expect.json"))
        issuer = expect["issuer"]?.string ?? issuer
        clientID = expect["client_id"]?.string ?? clientID
        nonce = expect["nonce"]?.string ?? nonce
        redirectURI = expect["redirect_uri"]?.string ?? redirectURI
        let given = try JSON(parsing: Self.read(folder, "callback.json"))
        state = given["state"]?.string ?? state
        callback = given["url"]?.string ?? callback
        authorizationEndpoint = given["authorization_endpoint"]?.string ?? authorizationEndpoint
        scope = given["scope"]?.string ?? scope
        for (algorithm, name) in zip(Self.algorithms, ["rs256", "es256", "eddsa"]) {
            tokens[algorithm] = String(decoding: try Self.read(folder, name + ".jwt"), as: UTF8.self)
        }
        tokenResponse = try Self.read(folder, "token_response.json")
    }

    private mutating func make() throws {
        let now = Int64(SystemWallClock().now.secondsSince1970)
        let random = SystemRandomSource()
        var made: [JWK] = []
        for algorithm in Self.algorithms {
            let key = try JWK.generate(for: algorithm, keyID: "bench-\(algorithm.rawValue)")
            made.append(key.publicHalf ?? key)
            let claims: JSONObject = [
                "iss": .string(issuer), "sub": "248289761001", "aud": .string(clientID), "azp": .string(clientID),
                "exp": .number(JSONNumber(now + 86_400)), "iat": .number(JSONNumber(now)),
                "auth_time": .number(JSONNumber(now - 5)), "nonce": .string(nonce),
                "email": "jane.doe@bench.example", "email_verified": true, "name": "Jane Doe",
                "given_name": "Jane", "family_name": "Doe", "preferred_username": "j.doe",
                "picture": "https://img.bench.example/u/248289761001/photo.jpg", "locale": "en-GB",
                "sid": "08a5019c-17e1-4977-8f42-65a12843ea02",
            ]
            tokens[algorithm] = try JWT.sign(
                JWTClaims(claims), header: JWSHeader(algorithm: algorithm, keyID: key.keyID, type: "JWT"), key: key)
        }
        keys = JWKSet(made)
        let parameters: FormParameters = [
            "code": Base64URL.encode(random.bytes(48)), "state": state, "iss": issuer,
        ]
        callback = redirectURI + "?" + parameters.encoded
        tokenResponse = JSON.object([
            "access_token": .string(Base64URL.encode(random.bytes(96))), "token_type": "Bearer", "expires_in": 3600,
            "refresh_token": .string(Base64URL.encode(random.bytes(48))), "scope": .string(scope),
        ]).serialized()
    }

    struct Missing: Error { let file: String }
}
