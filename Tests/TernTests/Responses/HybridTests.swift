import Tern
import TernTesting
import Testing

/// OpenID Connect Core 1.0 §3.3.
@Suite("Hybrid flow")
struct HybridTests {
    private static let types = [ResponseType.codeIDToken, .codeToken, .codeIDTokenToken]

    @Test("Each form signs in, and what is kept is the tokens of the token endpoint", arguments: types)
    func forms(type: ResponseType) async throws {
        let world = try World.answering(type)
        let signIn = try await world.client.begin()
        let callback = try await world.callback(of: signIn)
        let answer = try #require(FormParameters(decoding: callback.encodedFragment ?? ""))
        #expect(answer["code"] != nil)
        #expect((answer["id_token"] != nil) == type.hasIDToken)
        #expect((answer["access_token"] != nil) == type.hasToken)
        let credential = try await world.client.finish(signIn, callback: callback)
        #expect(credential.subject == TestUser.ada.subject)
        #expect(credential.refreshToken != nil)
        #expect(credential.accessToken.exposedText != answer["access_token"])
        #expect(credential.idToken?.exposedText != answer["id_token"])
        let session = try #require(try await world.client.session())
        #expect(try await session.userInfo().subject == TestUser.ada.subject)
    }

    @Test("That the server's keys cannot be had now uses nothing up")
    func keysAreMissing() async throws {
        let world = try World.answering(.codeIDToken)
        world.server.add(Fault(at: .keys, on: .first(2), .replace(HTTPResponse(status: 503))))
        let signIn = try await world.client.begin()
        let callback = try await world.callback(of: signIn)
        var attempts = 0
        while try await failure(of: { try await world.client.finish(signIn, callback: callback) }) != nil, attempts < 5
        {
            #expect(world.server.count(of: .token) == 0)
            attempts += 1
        }
        #expect((1...2).contains(attempts))
        #expect(try await world.client.session() != nil)
    }

    /// What a sign-in fails with whose first ID token says something else. The code is not sent.
    private func reason(
        _ type: ResponseType, _ change: TokenChange
    ) async throws -> TernError.Reason? {
        let world = try World.answering(type)
        world.server.add(Fault(at: .interaction, .changeToken(change)))
        let reason = try await world.refusal()
        #expect(world.server.count(of: .token) == 0)
        return reason
    }

    @Test(
        "The hashes must fit what came along, and be there", arguments: [ResponseType.codeIDToken, .codeIDTokenToken])
    func hashes(type: ResponseType) async throws {
        #expect(
            try await reason(type, TokenChange(.claim("c_hash", .append("x")))) == .idTokenRejected(.codeHashMismatch))
        #expect(
            try await reason(type, TokenChange(.claim("c_hash", .remove)))
                == .idTokenRejected(.malformedClaim("c_hash")))
        #expect(
            try await reason(type, TokenChange(.claim("s_hash", .append("x")))) == .idTokenRejected(.stateHashMismatch))
        let wrong = try await reason(type, TokenChange(.claim("at_hash", .set("x"))), isFine: !type.hasToken)
        #expect(wrong == (type.hasToken ? .idTokenRejected(.accessTokenHashMismatch) : nil))
    }

    private func reason(
        _ type: ResponseType, _ change: TokenChange, isFine: Bool
    ) async throws -> TernError.Reason? {
        guard isFine else { return try await reason(type, change) }
        let world = try World.answering(type)
        world.server.add(Fault(at: .interaction, .changeToken(change)))
        return try await failure { try await world.client.signIn(with: world.robot) }
    }

    @Test("at_hash must be there where an access token is")
    func missingAccessTokenHash() async throws {
        #expect(
            try await reason(.codeIDTokenToken, TokenChange(.claim("at_hash", .remove)))
                == .idTokenRejected(.malformedClaim("at_hash")))
    }

    @Test("The first ID token is checked like any other")
    func firstIDToken() async throws {
        #expect(
            try await reason(.codeIDToken, TokenChange(.claim("nonce", .append("x"))))
                == .idTokenRejected(.nonceMismatch))
        #expect(
            try await reason(.codeIDToken, TokenChange(.claim("nonce", .remove))) == .idTokenRejected(.nonceMissing))
        #expect(
            try await reason(.codeIDToken, TokenChange(.claim("aud", .set("other"))))
                == .idTokenRejected(.audienceMismatch))
        #expect(
            try await reason(.codeIDToken, TokenChange(.claim("iss", .append("/"))))?.code
                == "id_token_issuer_mismatch")
        #expect(try await reason(.codeIDToken, TokenChange(signature: .turned())) == .idTokenRejected(.signature))
        #expect(
            try await reason(.codeIDToken, TokenChange(signature: .none))
                == .idTokenRejected(.unsupportedAlgorithm("none")))
    }

    @Test("Another code or access token than the one that the ID token vouches for is not sent anywhere")
    func swapped() async throws {
        let world = try World.answering(.codeIDTokenToken)
        #expect(
            try await world.refusal { $0.replacing("code=code-", with: "code=code-x") }
                == .idTokenRejected(.codeHashMismatch))
        #expect(
            try await world.refusal { $0.replacing("access_token=", with: "access_token=x") }
                == .idTokenRejected(.accessTokenHashMismatch))
        #expect(try await world.refusal { $0.replacing("id_token=", with: "id=") }?.code == "malformed_callback")
        #expect(try await world.refusal { $0.replacing("#code=", with: "?code=") }?.code == "unexpected_response_mode")
        #expect(world.server.count(of: .token) == 0)
    }

    @Test("The two ID tokens name one user and one issuer (§3.3.3.6)")
    func secondIDToken() async throws {
        func reason(_ action: FaultAction) async throws -> TernError.Reason? {
            let world = try World.answering(.codeIDToken)
            world.server.add(Fault(at: .token, action))
            return try await world.refusal()
        }
        #expect(
            try await reason(.changeToken(TokenChange(.claim("sub", .append("x")))))
                == .idTokenRejected(.subjectMismatch))
        #expect(
            try await reason(.changeToken(TokenChange(.claim("iss", .append("x")))))?.code == "id_token_issuer_mismatch"
        )
        #expect(try await reason(.member("id_token", .remove))?.code == "malformed_response")
    }

    @Test("Without the scope openid there is no nonce, and nothing is asked for")
    func withoutOpenID() async throws {
        let world = try World.answering(.codeIDToken, configure: { $0.scope = ["api"] })
        guard case .invalidConfiguration(field: "nonce", _) = try await world.refusal() else {
            Issue.record("asked")
            return
        }
        let plain = try World.answering(.codeToken, configure: { $0.scope = ["api"] })
        #expect(try await plain.client.signIn(with: plain.robot).credential().idToken == nil)
    }

    @Test("A type without a code is not for signing in", arguments: ResponseType.all.filter { !$0.hasCode })
    func withoutCode(type: ResponseType) async throws {
        let world = try World.answering(type)
        guard case .invalidConfiguration(field: "response_type", _) = try await world.refusal() else {
            Issue.record("asked")
            return
        }
        #expect(world.server.count(of: .authorization) == 0)
    }

    @Test("A code that comes twice ends the token that came beside it as well")
    func replay() async throws {
        let world = try World.answering(.codeToken)
        let signIn = try await world.client.begin()
        let callback = try await world.callback(of: signIn)
        let answer = try #require(FormParameters(decoding: callback.encodedFragment ?? ""))
        func status() async throws -> Int {
            let url = try uri(world.server.server.apiAddress("notes"))
            let fields: HTTPFields = ["Authorization": "Bearer " + (answer["access_token"] ?? "")]
            return try await world.transport.send(HTTPRequest(.get, url, fields: fields), step: .resourceRequest).status
        }
        try await world.client.finish(signIn, callback: callback)
        #expect(try await status() == 200)
        let form: FormParameters = [
            "grant_type": "authorization_code", "code": answer["code"] ?? "", "client_id": TestClient.app.clientID,
            "redirect_uri": world.client.configuration.redirectURI.text,
            "code_verifier": String(repeating: "v", count: 43),
        ]
        let token = try uri(world.server.server.address(of: .token))
        let again = try await world.transport.send(HTTPRequest(.post, token, body: .form(form)), step: .tokenRequest)
        #expect(again.status == 400)
        #expect(try await status() == 401)
    }
}
