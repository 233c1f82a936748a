import Tern
import TernCrypto
import TernJOSE
import TernTesting
import Testing

/// What an API says of the tokens that it is sent.
extension Provocation {
    private static let audience = "https://api.example.com"

    static let accessTokens: [Provocation] = [
        verified("token_lacks_scope") { token, _ in try token.require(scope: ["admin"]) },
        verified("token_of_weak_login") { token, now in try token.require(acrValues: ["strong"], now: now) },
        Provocation("token_bound_elsewhere") {
            let (client, token, _) = try await signedIn { $0.dpop = DPoP() }
            // The proof that came with the call is of another key, or none.
            return try await whatFails { try await client.verify(token, for: audience) }
        },
        Provocation("token_encrypted") {
            let (client, _, _) = try await signedIn()
            let key = try JWK.generate(for: .rsaOAEP256, keyID: "e1")
            let sealed = try JWE.encrypt(
                payload: Array("{}".utf8), header: JWEHeader(algorithm: .rsaOAEP256, encryption: .a128GCM),
                key: try #require(key.publicHalf))
            return try await whatFails { try await client.verify(AccessToken(sealed), for: audience) }
        },
        Provocation("token_replayed") {
            var app = TestClient.app
            app.backChannelLogoutURI = "https://app.example/backchannel"
            let provider = TestProvider(AuthorizationServer(clients: [app]))
            let client = try provider.client()
            _ = try await client.signIn(with: provider.userAgent)
            let logout = provider.server.change {
                $0.logoutTokens(forUser: TestUser.ada.subject, at: provider.clock.now)
            }
            let token = try EncodedLogoutToken(postedBy: try #require(logout.first?.request))
            let store = MemoryReplayStore()
            _ = try await client.verify(token, replays: store)
            return try await whatFails { try await client.verify(token, replays: store) }
        },
        // Nothing in the library makes this one: an application does that compares subjects itself.
        Provocation("token_of_another_user") {
            TernError(.tokenRejected(TokenRejection(.accessToken, .subjectMismatch)), at: .resourceRequest)
        },
    ]

    private static func verified(
        _ cause: String, _ demand: @escaping @Sendable (JWTAccessToken, NumericDate) throws -> Void
    ) -> Provocation {
        Provocation(cause) {
            let (client, token, now) = try await signedIn()
            let verified = try await client.verify(token, for: audience)
            return try await whatFails { try demand(verified, now) }
        }
    }

    /// A client, a JWT access token that its server issued for the API, and the time.
    private static func signedIn(
        _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) async throws -> (OAuthClient, AccessToken, NumericDate) {
        var server = AuthorizationServer()
        server.settings.accessTokenFormat = .jwt(audience: audience)
        let (world, client) = try World.quiet(server, configure)
        let session = try await client.signIn(with: world.robot)
        return (client, try await session.accessToken(), world.clock.now)
    }
}
