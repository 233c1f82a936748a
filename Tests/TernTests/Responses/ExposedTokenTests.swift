import Tern
import TernTesting
import Testing

/// RFC 6749 §4.2, OpenID Connect Core 1.0 §3.2.
@Suite("Tokens through the browser (implicit flow)")
struct ExposedTokenTests {
    @Test("Under the name that says so it works, without a refresh token")
    func works() async throws {
        let world = try World.answering()
        let session = try await world.client.signInExposingTokens(with: world.robot)
        #expect(world.asked?["response_type"] == "id_token token")
        #expect(world.asked?["code_challenge"] == nil)
        let credential = try await session.credential()
        #expect(credential.subject == TestUser.ada.subject)
        #expect(credential.refreshToken == nil)
        #expect(world.server.count(of: .token) == 0)
        #expect(try await session.userInfo().subject == TestUser.ada.subject)
        #expect(try await world.client.session() != nil)
        world.clock.advance(by: .seconds(3_600))
        #expect(try await failure { try await session.accessToken() } != nil, "there is nothing to renew it with")
    }

    @Test("An access token alone says nothing about the user")
    func tokenAlone() async throws {
        let world = try World.answering(.token)
        let credential = try await world.client.signInExposingTokens(with: world.robot).credential()
        #expect(world.asked?["response_type"] == "token")
        #expect(credential.subject == nil && credential.idToken == nil)
    }

    @Test("In two halves, in each mode that is no query", arguments: AuthorizationRequest.ResponseMode.allCases)
    func halves(mode: AuthorizationRequest.ResponseMode) async throws {
        let world = try World.answering(.idTokenToken, mode)
        guard mode != .query, mode != .queryJWT else {
            let reason = try await failure { try await world.client.beginExposingTokens() }
            #expect(reason?.code == "invalid_configuration")
            return
        }
        let signIn = try await world.client.beginExposingTokens()
        let callback = try await world.callback(of: signIn)
        #expect(try await world.client.finish(signIn, callback: callback).subject == TestUser.ada.subject)
        #expect(
            try await failure { try await world.client.finish(signIn, callback: callback) }
                == .strayCallback(.alreadyUsed))
    }

    @Test("What is asked for must be of that kind")
    func kinds() async throws {
        for type in ResponseType.all where type.hasCode || !type.hasToken {
            let world = try World.answering()
            var options = SignInOptions()
            options.responseType = type
            let reason = try await failure {
                try await world.client.signInExposingTokens(options, with: world.robot)
            }
            #expect(reason?.code == "invalid_configuration")
        }
        let bound = try World.answering(.idTokenToken, configure: { $0.dpop = DPoP() })
        guard
            case .invalidConfiguration(field: "dpop", _) = try await failure(of: {
                try await bound.client.signInExposingTokens(with: bound.robot)
            })
        else {
            Issue.record("a token that is bound to nothing was taken")
            return
        }
    }

    @Test("The ID token must vouch for the access token")
    func vouching() async throws {
        for (edit, rejection) in [
            (Edit.append("x"), IDTokenRejection.accessTokenHashMismatch), (.remove, .malformedClaim("at_hash")),
        ] {
            let world = try World.answering(.idTokenToken)
            world.server.add(Fault(at: .interaction, .changeToken(TokenChange(.claim("at_hash", edit)))))
            let reason = try await failure { try await world.client.signInExposingTokens(with: world.robot) }
            #expect(reason == .idTokenRejected(rejection))
            #expect(try await world.store.keys().isEmpty)
        }
        let world = try World.answering(.idTokenToken)
        let signIn = try await world.client.beginExposingTokens()
        let callback = try await world.callback(of: signIn)
        let swapped = try uri(callback.text.replacing("access_token=", with: "access_token=x"))
        #expect(
            try await failure { try await world.client.finish(signIn, callback: swapped) }
                == .idTokenRejected(.accessTokenHashMismatch))
    }

    @Test("A server that does not offer it says so")
    func notOffered() async throws {
        let world = try World(AuthorizationServer())
        let reason = try await failure { try await world.client.signInExposingTokens(with: world.robot) }
        #expect(reason?.code == "unsupported_response_type")
    }
}

@Suite("Identification alone")
struct IdentificationTests {
    @Test(
        "It brings the claims, calls no token endpoint and keeps nothing",
        arguments: AuthorizationRequest.ResponseMode.allCases)
    func identifies(mode: AuthorizationRequest.ResponseMode) async throws {
        guard mode != .query, mode != .queryJWT else { return }
        let world = try World.answering(.code, mode)
        let token = try await world.client.identify(with: world.robot)
        #expect(world.asked?["response_type"] == "id_token")
        #expect(token.subject == TestUser.ada.subject)
        #expect(token.claims["email"]?.string != nil, "where nothing else fetches them, they are in the ID token")
        #expect(world.server.count(of: .token) == 0)
        #expect(try await world.store.keys().isEmpty)
        // Nothing stands in the way of the next one.
        _ = try await world.client.identify(with: world.robot)
    }

    @Test("In two halves, for web servers")
    func halves() async throws {
        let world = try World.answering(.code, .formPost)
        let signIn = try await world.client.beginIdentifying()
        let callback = try await world.callback(of: signIn)
        #expect(try await world.store.keys().isEmpty)
        #expect(try await world.client.finishIdentifying(signIn, callback: callback).subject == TestUser.ada.subject)
    }

    @Test("Neither half takes the other's kind")
    func kinds() async throws {
        let world = try World.answering(.code, .formPost)
        let identification = try await world.client.beginIdentifying()
        let callback = try await world.callback(of: identification)
        guard
            case .invalidConfiguration(field: "response_type", _) = try await failure(of: {
                try await world.client.finish(identification, callback: callback)
            })
        else {
            Issue.record("finish took it")
            return
        }
        let signIn = try await world.client.begin()
        let other = try await world.callback(of: signIn)
        guard
            case .invalidConfiguration(field: "response_type", _) = try await failure(of: {
                try await world.client.finishIdentifying(signIn, callback: other)
            })
        else {
            Issue.record("finishIdentifying took it")
            return
        }
        #expect(try await world.client.finish(signIn, callback: other).subject == TestUser.ada.subject)
    }

    @Test("The ID token is all there is, so all of it is checked")
    func checks() async throws {
        func reason(_ change: TokenChange, _ options: SignInOptions = SignInOptions()) async throws -> TernError.Reason?
        {
            let world = try World.answering()
            world.server.add(Fault(at: .interaction, .changeToken(change)))
            return try await failure { try await world.client.identify(options, with: world.robot) }
        }
        #expect(
            try await reason(TokenChange(.claim("nonce", .append("x")))) == .idTokenRejected(.nonceMismatch))
        #expect(try await reason(TokenChange(.claim("aud", .set("x")))) == .idTokenRejected(.audienceMismatch))
        #expect(try await reason(TokenChange(signature: .byForeignKey)) == .idTokenRejected(.signature))
        var options = SignInOptions()
        options.maxAge = .seconds(60)
        #expect(
            try await reason(TokenChange(.claim("auth_time", .move(.seconds(-600)))), options)?.code
                == "id_token_authentication_too_old")
        options = SignInOptions()
        options.expectedSubject = "somebody else"
        #expect(try await reason(TokenChange(), options) == .idTokenRejected(.subjectMismatch))
        options = SignInOptions()
        options.acrValues = ["urn:strong"]
        #expect(
            try await reason(TokenChange(.claim("acr", .set("urn:weak"))), options)?.code
                == "id_token_acr_mismatch")
    }

    @Test("Who says no is not identified")
    func refused() async throws {
        let world = try World.answering()
        let robot = RobotUserAgent(transport: world.transport, consent: .deny)
        #expect(try await failure { try await world.client.identify(with: robot) }?.code == "access_denied")
    }
}
