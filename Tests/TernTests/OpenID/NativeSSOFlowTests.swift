import Tern
import TernTesting
import Testing

/// Sign-ins that applications of one maker share (OpenID Connect Native SSO for Mobile Apps 1.0), with a server that does.
@Suite("Native SSO")
struct NativeSSOFlowTests {
    private static func application(_ clientID: String, maker: String?) -> TestClient {
        var client = TestClient(clientID)
        client.maker = maker
        client.scopes.insert("device_sso")
        return client
    }

    private static let mail = application("mail", maker: "Example")
    private static let notes = application("notes", maker: "Example")
    private static let scope: Scope = ["openid", "device_sso", "api"]

    private let provider = TestProvider(
        AuthorizationServer(clients: [mail, notes, application("stranger", maker: "Other"), .app]))

    private func client(_ clientID: String, scope: Scope = Self.scope) throws -> OAuthClient {
        let registration = try #require(provider.server.server.clients.first { $0.clientID == clientID })
        return try provider.client(registration, scope: scope)
    }

    /// What the first application leaves for the others.
    private func signedIn() async throws -> (session: Session, idToken: EncodedIDToken, secret: DeviceSecret) {
        let session = try await client("mail").signIn(with: provider.userAgent)
        let credential = try await session.credential()
        return (session, try #require(credential.idToken), try #require(credential.deviceSecret))
    }

    private func code(_ body: () async throws -> some Any) async -> String? {
        do { _ = try await body() } catch { return (error as? TernError)?.serverError?.code }
        return nil
    }

    private func ask(_ change: (inout FormParameters) -> Void) async throws -> String? {
        let (_, idToken, secret) = try await signedIn()
        var form: FormParameters = [
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "client_id": "notes",
            "audience": provider.issuer, "subject_token": idToken.exposedText,
            "subject_token_type": "urn:ietf:params:oauth:token-type:id_token", "actor_token": secret.exposedText,
            "actor_token_type": "urn:openid:params:token-type:device-secret", "scope": "openid",
        ]
        change(&form)
        let address = try #require(URI(provider.server.server.address(of: .token)))
        let answer = try await provider.transport.send(
            HTTPRequest(.post, address, body: .form(form)), step: .tokenRequest)
        return try JSON(parsing: answer.body)["error"]?.string
    }

    @Test("The second application needs no page, and is signed in as the same user in the same session")
    func sharing() async throws {
        let (first, idToken, secret) = try await signedIn()
        let original = try await client("mail").verify(
            idToken, nonce: .ifPresent(first.credential().nonce))
        try original.requireBinding(to: secret)
        let pages = provider.server.count(of: .authorization)

        let notes = try client("notes")
        let session = try await notes.signIn(sharing: idToken, secret)
        let credential = try await session.credential()
        #expect(credential.subject == TestUser.ada.subject && credential.clientID == "notes")
        #expect(credential.refreshToken != nil && credential.deviceSecret == secret)
        #expect(provider.server.count(of: .authorization) == pages)
        let own = try await notes.verify(try #require(credential.idToken), nonce: .ifPresent(nil))
        #expect(own.sessionID == original.sessionID && own.claims["aud"]?.string == "notes")
        try own.requireBinding(to: secret)
        try await session.refresh()
        #expect(try await session.userInfo().subject == TestUser.ada.subject)
        #expect(try await notes.metadata().members["native_sso_supported"]?.bool == true)
    }

    @Test("The ID token may be over; the session may not")
    func ends() async throws {
        let (first, idToken, secret) = try await signedIn()
        provider.clock.advance(by: .seconds(2_000))
        _ = try await client("notes").signIn(sharing: idToken, secret)
        provider.server.change { $0.revokeGrants(ofUser: TestUser.ada.subject) }
        #expect(await code { try await client("notes").signIn(sharing: idToken, secret) } == "invalid_grant")

        let (second, newIDToken, newSecret) = try await signedIn()
        _ = try await second.signOut()
        #expect(await code { try await client("notes").signIn(sharing: newIDToken, newSecret) } == "invalid_grant")
        _ = first
    }

    @Test("Nobody gets in with a secret of their own, with another ID token, or from another maker")
    func strangers() async throws {
        let (_, idToken, secret) = try await signedIn()
        await provider.browser.forgetCookies()
        let (_, otherIDToken, otherSecret) = try await signedIn()
        #expect(secret != otherSecret)
        let notes = try client("notes")
        #expect(await code { try await notes.signIn(sharing: idToken, otherSecret) } == "invalid_request")
        #expect(await code { try await notes.signIn(sharing: otherIDToken, secret) } == "invalid_request")
        #expect(await code { try await notes.signIn(sharing: idToken, DeviceSecret("guess")) } == "invalid_request")
        let forged = EncodedIDToken(idToken.exposedText + "A")
        #expect(await code { try await notes.signIn(sharing: forged, secret) } == "invalid_request")
        let stranger = try client("stranger")
        #expect(await code { try await stranger.signIn(sharing: idToken, secret) } == "unauthorized_client")
        let app = try client("test-app", scope: ["openid"])
        #expect(await code { try await app.signIn(sharing: idToken, secret) } == "unauthorized_client")
        #expect(try await notes.session() == nil)
    }

    @Test(
        "Whatever the profile demands of the request has to be there",
        arguments: [
            ("audience", nil, "invalid_request"), ("audience", "https://other.example", "invalid_target"),
            ("actor_token", nil, "invalid_request"), ("subject_token", nil, "invalid_request"),
            ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token", "invalid_request"),
            ("requested_token_type", "urn:ietf:params:oauth:token-type:jwt", "invalid_request"),
            ("scope", "openid unknown", "invalid_scope"), ("scope", "openid", nil),
        ] as [(String, String?, String?)])
    func requests(name: String, value: String?, error: String?) async throws {
        let received = try await ask { form in
            form = FormParameters(form.parameters.filter { $0.name != name })
            if let value { form.append(name, value) }
        }
        #expect(received == error)
    }

    @Test("Without the scope there is no secret, and without the secret nothing to share")
    func withoutScope() async throws {
        let session = try await client("mail", scope: ["openid"]).signIn(with: provider.userAgent)
        let credential = try await session.credential()
        #expect(credential.deviceSecret == nil)
        let idToken = try #require(credential.idToken)
        let notes = try client("notes")
        #expect(await code { try await notes.signIn(sharing: idToken, DeviceSecret("x")) } == "invalid_request")
    }

    @Test("A device that shows its secret keeps it over the next sign-in")
    func sameDevice() async throws {
        let (_, _, secret) = try await signedIn()
        var configuration = try client("mail").configuration
        configuration.additionalTokenParameters = ["device_secret": secret.exposedText]
        let again = try await OAuthClient(configuration, in: provider.environment).signIn(with: provider.userAgent)
        #expect(try await again.credential().deviceSecret == secret)
        configuration.additionalTokenParameters = ["device_secret": "guess"]
        let other = try await OAuthClient(configuration, in: provider.environment).signIn(with: provider.userAgent)
        #expect(try await other.credential().deviceSecret?.exposedText != "guess")
    }
}
