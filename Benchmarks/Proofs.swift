internal import Tern

/// What a client signs anew for each request: a proof of possession, and the assertion that it authenticates with; beside
/// them the bare signature.
struct Proofs {
    let inputs: Inputs
    let meter: Meter

    func run() throws {
        try measureProof()
        try measureAssertion()
    }

    private func measureProof() throws {
        guard meter.wants("dpop_proof_es256") else { return }
        let key = try DPoPKey(SigningKey(try JWK.generate(for: .es256, keyID: "bench-dpop")))
        let url = try URI.required("https://api.bench.example/v1/accounts/17/entries?page=2", field: "url")
        let token = AccessToken(Base64URL.encode(SystemRandomSource().bytes(96)))
        let (clock, nonce) = (SystemWallClock(), Base64URL.encode(SystemRandomSource().bytes(24)))
        var request = HTTPRequest(.get, url)
        let proof = try key.proof(.get, url, accessToken: token, nonce: nonce, now: clock.now)
        request.fields["DPoP"] = proof
        _ = try DPoPProof(of: request, expecting: .init(accessToken: token, nonce: nonce), now: clock.now)
        try measure("dpop_proof_es256", beside: proof) {
            let proof = try key.proof(.get, url, accessToken: token, nonce: nonce, now: clock.now)
            if proof.utf8.count < 300 { throw Failure("the proof is too short") }
        }
    }

    private func measureAssertion() throws {
        guard meter.wants("private_key_jwt_es256") else { return }
        let key = try JWK.generate(for: .es256, keyID: "bench-client-key")
        let authentication = ClientAuthentication.privateKeyJWT(try SigningKey(key))
        let metadata = try ServerMetadata(
            issuer: inputs.issuer, authorizationEndpoint: inputs.authorizationEndpoint,
            tokenEndpoint: inputs.tokenEndpoint)
        let clock = SystemWallClock()
        let request = try HTTPRequest.get(inputs.tokenEndpoint)
        func assertion() throws -> String {
            var request = request
            request.body = .form([:])
            try authentication.authenticate(
                &request, clientID: inputs.clientID, on: .init(at: metadata, now: clock.now))
            guard case .form(let form) = request.body, let text = form["client_assertion"] else {
                throw Failure("there is no assertion")
            }
            return text
        }
        let text = try assertion()
        _ = try JWS(compact: text).verify(with: JWKSet([key.publicHalf ?? key]), allowed: [.es256])
        try measure("private_key_jwt_es256", beside: text) { _ = try assertion() }
    }

    private func measure(_ name: String, beside token: String, _ work: () throws -> Void) throws {
        #if TERN_OPENSSL
            // What is signed is the token up to its last dot.
            let signed = token.utf8.count - 87
            let bare = try BareSigning(byteCount: signed)
            try meter.measure(name, work, beside: name + "_bare") { try bare.sign() }
        #else
            try meter.measure(name, work)
        #endif
    }
}
