import Tern
import TernTesting
import Testing

extension World {
    /// A client that asks for answers of one kind, and a server that gives every kind.
    static func answering(
        _ type: ResponseType = .code, _ mode: AuthorizationRequest.ResponseMode? = nil,
        at redirect: String = "com.example.app:/callback",
        registered change: (inout TestClient) throws -> Void = { _ in },
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> World {
        var app = TestClient.app
        try change(&app)
        var server = AuthorizationServer(clients: [app])
        server.settings.responseTypes = Set(ResponseType.all)
        let redirectURI = try RedirectURI(redirect)
        return try World(server) {
            $0.redirectURI = redirectURI
            $0.responseType = type
            $0.responseMode = mode
            configure(&$0)
        }
    }

    /// Goes the user's way from a sign-in's page to its callback.
    func callback(of signIn: SignIn) async throws -> URI {
        try await RobotBrowser(transport: transport)
            .signIn(at: signIn.address, stoppingAt: client.configuration.redirectURI)
    }

    /// What a sign-in fails with, and that it left nothing behind.
    func refusal() async throws -> TernError.Reason? {
        let reason = try await failure { try await client.signIn(with: robot) }
        #expect(try await store.keys().isEmpty)
        return reason
    }

    /// What a sign-in fails with whose callback is changed on its way.
    func refusal(changing change: (String) -> String) async throws -> TernError.Reason? {
        let signIn = try await client.begin()
        let callback = try await callback(of: signIn)
        let changed = change(callback.text)
        #expect(changed != callback.text, "nothing was changed")
        let reason = try await failure { try await client.finish(signIn, callback: try uri(changed)) }
        #expect(try await store.accounts().isEmpty)
        return reason
    }

    /// The parameters of the last request to the authorization endpoint.
    var asked: FormParameters? {
        server.requests(to: .authorization).last.flatMap {
            FormParameters(decoding: $0.request.url.encodedQuery ?? "")
        }
    }
}

/// A key that opens what is encrypted for the client, and how the server encrypts with its public half.
struct AnswerEncryption {
    let key: JWK
    let encryption: TestEncryption

    init(_ algorithm: KeyManagementAlgorithm = .ecdhESA256KW, _ content: ContentEncryption = .a256GCM) throws {
        key = try JWK.generate(for: algorithm, encryption: content, keyID: "enc-1")
        encryption = TestEncryption(algorithm, content, key: key.publicHalf ?? key)
    }
}
