internal import Tern

/// That a call means the client which is registered here at the server, because it names none.
struct RegisteredClientUse: Sendable {
    private let setsScope: Bool
    private let setsRedirect: Bool

    /// `nil` where the call names a client.
    init?(_ arguments: Arguments) throws(UsageError) {
        guard arguments.value("--client-id") == nil else { return nil }
        let others = ["--client-auth", "--client-secret-env", "--client-secret-file"]
        if let other = others.first(where: { arguments.value($0) != nil }) {
            throw UsageError("\(other) wants --client-id; how a registered client proves itself is kept already")
        }
        setsScope = arguments.value("--scope") != nil
        setsRedirect = arguments.value("--redirect") != nil
    }

    /// The settings of a call with what is known of the registered client.
    func complete(_ settings: SavedClient, _ accounts: Accounts) async throws(TernError) -> SavedClient {
        let issuer = try Issuer(settings.issuer ?? "")
        guard let registered = try await accounts.registeredClient(at: issuer) else {
            throw TernError(
                .invalidConfiguration(
                    field: "--client-id",
                    problem:
                        "it is missing, and no client is registered from here at this server; `tern register` does "
                        + "that where the server allows it"),
                at: .configuration)
        }
        var settings = settings
        settings.clientID = registered.clientID
        settings.authentication = registered.authentication
        settings.isRegistered = true
        if !setsScope { settings.scope = registered.scope }
        if !setsRedirect { settings.redirectURI = registered.redirectURI }
        settings.keys.keyFile = settings.keys.keyFile ?? registered.keys.keyFile
        settings.keys.certificateFile = settings.keys.certificateFile ?? registered.keys.certificateFile
        if settings.keys.audience == .issuer { settings.keys.audience = registered.keys.audience }
        settings.authoritiesFile = settings.authoritiesFile ?? registered.authoritiesFile
        return settings
    }
}

extension SavedClient {
    /// What the server gave when the client was registered from here.
    func registration(at issuer: Issuer, in store: any CredentialStore) async throws(TernError) -> ClientInformation {
        guard let registration = try await store.registration(at: issuer), registration.clientID == clientID else {
            throw TernError(
                .invalidConfiguration(
                    field: "client_id",
                    problem: "it was registered from here and is not any more; register anew and sign in"),
                at: .configuration)
        }
        return registration
    }
}

extension Accounts {
    /// How the client is set up that is registered from here at a server; `nil` where none is.
    func registeredClient(at issuer: Issuer) async throws(TernError) -> SavedClient? {
        guard let record = try await clients.load(.registration(at: issuer)) else { return nil }
        return try SavedClient(record)
    }

    func saveRegistered(_ client: SavedClient, at issuer: Issuer) async throws(TernError) {
        try await clients.save(client.record, for: .registration(at: issuer))
    }

    func forgetRegistered(at issuer: Issuer) async throws(TernError) {
        try await clients.delete(.registration(at: issuer))
    }
}
