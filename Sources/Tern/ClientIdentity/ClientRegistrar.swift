internal import TernCrypto
internal import TernJOSE
public import TernProtocol

/// Registers clients at one server, and looks after their registrations (RFC 7591, RFC 7592).
///
/// ```swift
/// let registrar = ClientRegistrar(server: .issuer(try Issuer("https://id.example.com")), in: environment)
/// let information = try await registrar.register(
///     ClientMetadata(redirectURIs: ["http://127.0.0.1/callback"], name: "Notes", authenticationMethod: "none"))
/// let client = OAuthClient(try information.configuration(server: registrar.server), in: environment)
/// ```
///
/// What it returns holds the client's secrets and is stored nowhere: keep ``/TernProtocol/ClientInformation/exposedMembers``
/// where credentials are kept.
public struct ClientRegistrar: Sendable {
    /// The server.
    public let server: ClientConfiguration.Server
    private let caller: EndpointCaller
    private let directory: ServerDirectory

    /// Makes a registrar.
    public init(server: ClientConfiguration.Server, in environment: Environment) {
        self.server = server
        caller = EndpointCaller(
            transport: ObservedTransport(environment.transport, telling: environment.events), clientID: "",
            authentication: .none, clock: environment.clock,
            serverClock: ServerClock(clock: environment.clock), random: environment.random)
        directory = ServerDirectory(server: server, caller: caller, clock: environment.clock)
    }

    /// Registers a client.
    ///
    /// - Parameters:
    ///   - metadata: what the client says about itself.
    ///   - token: what allows it to register, where the server does not let everybody.
    /// - Returns: what the server has registered, which may differ from what was asked for; see
    ///   ``/TernProtocol/ClientInformation/differences(from:)``.
    /// - Throws: ``/TernProtocol/TernError``: `missingMetadata` with the field `registration_endpoint` for a server without
    ///   registration; what ``/TernProtocol/ClientMetadata/check()`` throws; the server's refusal; `outcomeUnknown` when the
    ///   answer was lost: the server may then have a client that nobody uses.
    public func register(
        _ metadata: ClientMetadata, initialAccessToken token: InitialAccessToken? = nil
    ) async throws(TernError) -> ClientInformation {
        try metadata.check()
        let endpoint = try await directory.metadata(naming: .registration).address(
            of: .registration, for: .registration)
        return try await caller.perform(
            ClientRegistrationRequest(endpoint: endpoint, metadata: metadata, initialAccessToken: token)
        ).answer
    }

    /// What is registered now. A token or secret that the server has changed is in the result; store it at once.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `unsupported` when the server gave no way to look; the server's refusal, such as
    ///   `invalid_token` for a client that was deleted.
    public func read(_ client: ClientInformation) async throws(TernError) -> ClientInformation {
        try await caller.perform(ClientReadRequest(of: client)).answer
    }

    /// Replaces what is registered. A token or secret that the server has changed is in the result; store it at once.
    ///
    /// - Throws: as ``register(_:initialAccessToken:)`` and ``read(_:)`` do.
    public func update(
        _ client: ClientInformation, to metadata: ClientMetadata
    ) async throws(TernError) -> ClientInformation {
        try await caller.perform(ClientUpdateRequest(of: client, metadata: metadata)).answer
    }

    /// Ends a registration; the client's tokens end with it.
    ///
    /// - Throws: as ``read(_:)`` does.
    public func delete(_ client: ClientInformation) async throws(TernError) {
        _ = try await caller.perform(ClientDeleteRequest(of: client))
    }
}

extension ClientInformation {
    /// The configuration of the registered client.
    ///
    /// - Parameters:
    ///   - server: the server at which it is registered.
    ///   - key: what it signs with, where it is registered for `private_key_jwt`.
    ///   - assertion: how its assertions are made.
    ///   - redirectURI: which of its redirect URIs to use; the first by default.
    ///   - scope: what is asked for; the registered scope by default, `openid` where there is none.
    /// - Throws: ``/TernProtocol/TernError`` with the field that is missing or wrong; `unsupported` for a way of
    ///   authentication that is unknown here.
    public func configuration(
        server: ClientConfiguration.Server, key: SigningKey? = nil, assertion: ClientAssertion = ClientAssertion(),
        redirectURI: String? = nil, scope: Scope? = nil
    ) throws(TernError) -> ClientConfiguration {
        var configuration = try ClientConfiguration(
            server: server, clientID: clientID,
            redirectURI: try RedirectURI(
                redirectURI ?? metadata.redirectURIs.first ?? OAuthClient.loopbackRedirect),
            scope: scope ?? metadata.scope ?? ["openid"],
            authentication: try authentication(key: key, assertion: assertion))
        configuration.wantsCertificateBoundTokens = metadata.bindsTokensToCertificate
        return configuration
    }

    /// How the registered client proves who it is.
    ///
    /// - Throws: as ``configuration(server:key:assertion:redirectURI:scope:)`` does.
    public func authentication(
        key: SigningKey? = nil, assertion: ClientAssertion = ClientAssertion()
    ) throws(TernError) -> ClientAuthentication {
        func missing(_ field: String) -> TernError {
            TernError(
                .invalidConfiguration(
                    field: field, problem: "the client is registered for a method that needs it, and it is missing"),
                at: .configuration)
        }
        func secret() throws(TernError) -> ClientSecret {
            guard let clientSecret else { throw missing("client_secret") }
            return clientSecret
        }
        switch metadata.authenticationMethod ?? "client_secret_basic" {
        case "none": return .none
        // A server that gives no secret and names no method has registered a public client.
        case "client_secret_basic" where clientSecret == nil && metadata.authenticationMethod == nil: return .none
        case "client_secret_basic": return .basic(try secret())
        case "client_secret_post": return .post(try secret())
        case "client_secret_jwt":
            let algorithm = metadata.authenticationAlgorithm.flatMap { SignatureAlgorithm(rawValue: $0) } ?? .hs256
            return .secretJWT(try secret(), algorithm: algorithm, assertion)
        case "private_key_jwt":
            guard let key else { throw missing("client_key") }
            return .privateKeyJWT(key, assertion)
        case "tls_client_auth", "self_signed_tls_client_auth": return .tls
        case let other: throw TernError(.unsupported("the client authentication \(other)"), at: .configuration)
        }
    }
}

extension OAuthClient {
    /// Registers a client and makes it ready for use. The result's secrets are the caller's to keep, see ``ClientRegistrar``.
    ///
    /// - Parameters:
    ///   - metadata: what the client says about itself.
    ///   - server: where to register.
    ///   - token: what allows it to register, where the server does not let everybody.
    ///   - key: what the client signs with, for `private_key_jwt`; where the metadata holds no keys, its public half is
    ///     registered.
    ///   - environment: the edges of the world.
    /// - Throws: ``/TernProtocol/TernError`` as ``ClientRegistrar/register(_:initialAccessToken:)`` and
    ///   `configuration(server:key:assertion:redirectURI:scope:)` of the information do.
    public static func register(
        _ metadata: ClientMetadata, at server: ClientConfiguration.Server,
        initialAccessToken token: InitialAccessToken? = nil, key: SigningKey? = nil, in environment: Environment
    ) async throws(TernError) -> (client: OAuthClient, information: ClientInformation) {
        var metadata = metadata
        if let key, metadata["jwks"] == nil, metadata.keysAddress == nil { metadata.keys = JWKSet([key.publicKey]) }
        let information = try await ClientRegistrar(server: server, in: environment)
            .register(metadata, initialAccessToken: token)
        return (OAuthClient(try information.configuration(server: server, key: key), in: environment), information)
    }
}
