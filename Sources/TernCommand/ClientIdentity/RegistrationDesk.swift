internal import Tern

/// Registers a client at one server and looks after it, one call at a time on this machine. Each answer is kept before
/// anything else happens, since what was kept may not be good any more.
struct RegistrationDesk: Sendable {
    let issuer: Issuer
    let registrar: ClientRegistrar
    let store: any CredentialStore
    /// The client that the call names; `nil` for the one that is kept.
    let clientID: String?

    func register(
        _ metadata: ClientMetadata, _ token: InitialAccessToken?
    ) async throws(TernError) -> RegistrationReport {
        try await alone { () async throws(TernError) in
            guard try await store.registration(at: issuer) == nil else {
                throw Self.invalid(
                    "--issuer",
                    "a client is registered there already; --show shows it, --update and --delete change that")
            }
            let information = try await registrar.register(metadata, initialAccessToken: token)
            try await store.keep(information, registeredAt: issuer)
            return RegistrationReport(
                issuer: issuer, information: information, differences: information.differences(from: metadata))
        }
    }

    /// What the server has, or, where it does not show it, what it said at the end.
    func show(_ console: Console) async throws(TernError) -> RegistrationReport {
        try await alone { () async throws(TernError) in
            var information = try await kept()
            if information.registrationAddress != nil, information.registrationAccessToken != nil {
                information = try await registrar.read(information)
                try await store.keep(information, registeredAt: issuer)
            } else {
                console.note("The server does not show registrations; this is what it said when it was made.")
            }
            return RegistrationReport(issuer: issuer, information: information)
        }
    }

    func update(_ wishes: RegistrationWishes) async throws(TernError) -> RegistrationReport {
        try await alone { () async throws(TernError) in
            let before = try await kept()
            let metadata = try wishes.applied(to: before.metadata)
            let information = try await registrar.update(before, to: metadata)
            try await store.keep(information, registeredAt: issuer)
            return RegistrationReport(
                issuer: issuer, information: information, differences: information.differences(from: metadata))
        }
    }

    /// - Returns: the client that is gone.
    func delete() async throws(TernError) -> String? {
        try await alone { () async throws(TernError) in
            let information = try await kept()
            try await registrar.delete(information)
            try await store.forgetRegistration(at: issuer)
            return information.clientID
        }
    }

    /// - Returns: the client that is forgotten; `nil` where what was kept could not be read.
    func forget() async throws(TernError) -> String? {
        try await alone { () async throws(TernError) in
            let clientID: String?
            do throws(TernError) {
                clientID = try await kept().clientID
            } catch {
                guard case .corruptedRecord = error.reason else { throw error }
                clientID = nil
            }
            try await store.forgetRegistration(at: issuer)
            return clientID
        }
    }

    private func kept() async throws(TernError) -> ClientInformation {
        guard let information = try await store.registration(at: issuer) else {
            throw Self.invalid("--issuer", "no client is registered from here at this server")
        }
        guard clientID == nil || clientID == information.clientID else {
            throw Self.invalid("CLIENT-ID", "the client that was registered from here at this server is another one")
        }
        return information
    }

    private func alone<Result: Sendable>(
        _ body: @Sendable () async throws(TernError) -> Result
    ) async throws(TernError) -> Result {
        try await store.withExclusiveAccess(to: .registration(at: issuer), body)
    }

    private static func invalid(_ field: String, _ problem: String) -> TernError {
        TernError(.invalidConfiguration(field: field, problem: problem), at: .configuration)
    }
}
