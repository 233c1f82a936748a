import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// draft-ietf-oauth-attestation-based-client-auth.
@Suite("Attestations of clients")
struct ClientAttestationTests {
    private static let attestation =
        "eyJ0eXAiOiJvYXV0aC1jbGllbnQtYXR0ZXN0YXRpb24rand0IiwiYWxnIjoiRVMyNTYiLCJraWQiOiIxMSJ9."
        + "eyJzdWIiOiJodHRwczovL2NsaWVudC5leGFtcGxlLmNvbSIsImlhdCI6MTc3MjQ4NzU5NSwiZXhwIjoyNTI5ODY2Mzk0LCJjbmYiOnsiandr"
        + "Ijp7Imt0eSI6IkVDIiwidXNlIjoic2lnIiwiY3J2IjoiUC0yNTYiLCJ4IjoiVmNLVk5CWjRJYUJBWVczanhNNHczVEpGVkE3bXllVUdReUd0LWdf"
        + "eXZwUSIsInkiOiJmLUUtaFlFM1RBV0t3aFZ2OXBlajlOQUJzOVNYOVhzTk84MHg1N2pGVHlVIn19fQ._TS4d-LAnRlwdN97wiVnl4z7C9gvm45I"
        + "Wr-BvGTzeZaHtZtgNZ88gvzroU3LElUPbgF4kWi_DFORnKzsx5yu6A"
    private static let proof =
        "eyJ0eXAiOiJvYXV0aC1jbGllbnQtYXR0ZXN0YXRpb24tcG9wK2p3dCIsImFsZyI6IkVTMjU2In0."
        + "eyJhdWQiOiJodHRwczovL2FzLmV4YW1wbGUuY29tIiwianRpIjoiZDI1ZDAwYWItNTUyYi00NmZjLWFlMTktOThmNDQwZjI1MDY0IiwiaWF0Ijox"
        + "NzcyNDg3NTk1LCJjaGFsbGVuZ2UiOiI1YzFhOWUxMC0yOWZmLTRjMmItYWU3My01N2MwOTU3YzA5YzQifQ.M4Uc4rWVAqaLlmDDUXQKkKPbAQKj"
        + "0JrTizLgWhZndmbkvM3VL8y-w_QJr7Z0HZlH94E64cLa8L5fSjJItYv0jg"

    @Test("The draft's example: the proof's key is the attested one")
    func example() throws {
        let claims = try JWT(compact: Self.attestation).claims
        let key = try JWK(try #require(claims["cnf"]?["jwk"]))
        let proof = try JWT(compact: Self.proof)
        try proof.jws.verify(with: key, allowed: [.es256])
        #expect(proof.claims.members.names == ["aud", "jti", "iat", "challenge"])
        // A key whose private half is elsewhere: it signs nothing here.
        let holder = try SigningKey(publicKey: key, algorithm: .es256) { (_) throws(JOSEError) in [] }
        #expect(throws: Never.self) { try ClientAttestation(Self.attestation, key: holder) }
    }

    @Test("The attested key must be the one that signs")
    func otherKey() throws {
        let other = try SigningKey(try JWK.generate(for: .es256))
        #expect(
            try reason { try ClientAttestation(Self.attestation, key: other) }?.invalidField == "client_attestation")
        #expect(try reason { try ClientAttestation("x.y.z", key: other) }?.invalidField == "client_attestation")
    }

    @Test("Two fields, the issuer as audience, the challenge where there is one")
    func fields() throws {
        let key = try SigningKey(try JWK.generate(for: .es256))
        let attester = try SigningKey(try JWK.generate(for: .es256))
        let text = try JWT.sign(
            JWTClaims(["sub": "app", "exp": 2, "cnf": ["jwk": .object(try #require(key.publicKey.publicJSON()))]]),
            type: "oauth-client-attestation+jwt", key: attester)
        let attestation = try ClientAttestation(text, key: key)
        let metadata = ServerMetadata(members: ["issuer": "https://idp.example"])
        var occasion = ClientAuthentication.Occasion(at: metadata, now: NumericDate(1_750_000_000))
        let way = ClientAuthentication.attestation(ClientAttester(attestation))
        var request = HTTPRequest(.post, try address("https://idp.example/t"))
        #expect(
            try reason { try way.authenticate(&request, clientID: "app", on: occasion) }?.invalidField
                == "client_attestation")
        occasion.attestation = attestation
        occasion.challenge = "c1"
        try way.authenticate(&request, clientID: "app", on: occasion)
        #expect(request.form == ["client_id": "app"])
        #expect(request.fields.values(of: "OAuth-Client-Attestation") == [text])
        let proof = try JWT(compact: try #require(request.fields["OAuth-Client-Attestation-PoP"]))
        try proof.jws.verify(with: key.publicKey, allowed: [.es256])
        #expect(proof.header.type == "oauth-client-attestation-pop+jwt")
        #expect(proof.claims["aud"] == "https://idp.example")
        #expect(proof.claims["iat"] == 1_750_000_000)
        #expect(proof.claims["challenge"] == "c1")
        #expect(proof.claims["jti"] != nil)
        #expect(!"\(attestation)".contains(text))
        occasion.issuer = nil
        #expect(try reason { try way.authenticate(&request, clientID: "app", on: occasion) }?.invalidField == "issuer")
    }

    @Test("The challenge endpoint's answer")
    func challenge() throws {
        let exchange = AttestationChallengeRequest(endpoint: try address("https://idp.example/c"))
        #expect(exchange.request().method == .post)
        #expect(try exchange.answer(from: answer(200, body: #"{"attestation_challenge":"AYjc"}"#)) == "AYjc")
        #expect(
            try reason { try exchange.answer(from: answer(200, body: "{}")) }?.malformedField
                == "attestation_challenge")
    }
}

private func answer(_ status: Int, body: String) -> HTTPResponse {
    HTTPResponse(status: status, fields: ["Content-Type": "application/json"], body: Array(body.utf8))
}
