internal import Tern
internal import TernCrypto

/// Which token `tern introspect` and `tern revoke` are about, and which client asks: an account's own, or one from standard
/// input, with an account's client or with one that is named in the call.
struct TokenSubject: Sendable {
    /// A token with its kind.
    enum Token: Sendable {
        case access(AccessToken)
        case refresh(RefreshToken)

        var name: String {
            switch self {
            case .access: "access token"
            case .refresh: "refresh token"
            }
        }
    }

    private enum Kind: String, CaseIterable {
        case access, refresh
    }

    static let specifications =
        [
            .account,
            OptionSpecification("--type", value: "KIND", "access or refresh"),
            OptionSpecification("--stdin", "take the token from standard input"),
            OptionSpecification("--issuer", value: "URL", "ask this server, as another client than an account's"),
            OptionSpecification("--client-id", value: "ID", "the client, with --issuer"),
            OptionSpecification(
                "--client-auth", value: "METHOD",
                "basic, post, raw-basic, client-secret-jwt, private-key-jwt or tls, with --issuer"),
            OptionSpecification(
                "--client-key", value: "FILE", "the client's private key (JWK or PEM), for your eyes alone"),
            OptionSpecification(
                "--client-certificate", value: "FILE", "the certificate (PEM) that is shown in TLS, with --client-key"),
            OptionSpecification(
                "--ca-file", value: "FILE", "certificate authorities (PEM) in the place of the system's"),
        ] + SavedClient.SecretSource.specifications

    private let account: String?
    private let kind: Kind?
    private let readsInput: Bool
    private let client: SavedClient?

    init(_ arguments: Arguments) throws(UsageError) {
        account = arguments.value("--account")
        kind = try arguments.value("--type").map { (word) throws(UsageError) in
            guard let kind = Kind(rawValue: word) else {
                throw UsageError.unknown("kind", word, among: Kind.allCases.map(\.rawValue))
            }
            return kind
        }
        let secret = try SavedClient.SecretSource(arguments)
        guard let issuer = arguments.value("--issuer") else {
            let further = [
                "--client-id", "--client-auth", "--client-key", "--client-certificate", "--ca-file",
            ].first { arguments.value($0) != nil }
            guard secret == nil, further == nil else {
                throw UsageError(
                    "\(further ?? "a client's secret") wants --issuer; an account's client is kept already")
            }
            client = nil
            readsInput = arguments.has("--stdin")
            return
        }
        guard account == nil else { throw UsageError("--account and --issuer exclude each other") }
        // `--audience` is somebody else's here, and which one the server wants is found out.
        let files = try ClientKeyFiles(arguments, knowsAudience: false)
        let method = try SavedClient.AuthenticationMethod(arguments, secret, files, knowsAudience: false)
        var asking = SavedClient(
            issuer: issuer, clientID: try arguments.required("--client-id"), scope: [],
            redirectURI: OAuthClient.loopbackRedirect, authentication: method, secret: secret,
            authoritiesFile: arguments.value("--ca-file"))
        asking.keys = files
        client = asking
        // Without an account there is no other token.
        readsInput = true
    }

    /// The client that asks, the token, and the account whose it is.
    ///
    /// - Parameter prefersRefresh: whether a refresh token is meant where the call does not say it.
    func resolve(
        _ context: CommandContext, prefersRefresh: Bool
    ) async throws(TernError) -> (client: OAuthClient, token: Token, account: StoreKey?) {
        if let client {
            let asking = try await client.client(account: nil, store: MemoryStore())
            return (asking, try typed(), nil)
        }
        let session = try await context.session(account)
        if readsInput { return (session.client, try typed(), nil) }
        let credential = try await session.credential()
        guard credential.tokenSecret == nil else {
            throw TernError(.unsupported("this for an account of OAuth 1.0a"), at: .configuration)
        }
        if kind == .refresh || kind == nil && prefersRefresh {
            if let token = credential.refreshToken { return (session.client, .refresh(token), session.account) }
            guard kind == nil else {
                throw TernError(
                    .invalidConfiguration(field: "--type", problem: "the account has no refresh token"),
                    at: .configuration)
            }
        }
        return (session.client, .access(credential.accessToken), session.account)
    }

    private func typed() throws(TernError) -> Token {
        let text = try TokenInput.read()
        return kind == .refresh ? .refresh(RefreshToken(text)) : .access(AccessToken(text))
    }
}

/// A token on standard input: never an argument, which other users of the machine could see.
enum TokenInput {
    /// The longest token that is read, in bytes.
    static let maximumByteCount = 65_536

    static func read() throws(TernError) -> String {
        let bytes = Process.standardInput(limit: maximumByteCount)
        func invalid(_ problem: String) -> TernError {
            TernError(.invalidConfiguration(field: "--stdin", problem: problem), at: .configuration)
        }
        guard bytes.count <= maximumByteCount else { throw invalid("there are more than \(maximumByteCount) bytes") }
        let text = String(String(decoding: bytes, as: UTF8.self).trimmingASCIIWhitespace)
        guard !text.isEmpty else { throw invalid("there is no token on standard input") }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw invalid("what is on standard input is no token: it holds a blank or more than ASCII")
        }
        return text
    }
}
