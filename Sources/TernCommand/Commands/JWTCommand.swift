internal import Tern
internal import TernJOSE

/// `tern jwt`: shows what is in a token, and whether it was verified.
struct JWTCommand: Command {
    static let specification = CommandSpecification(
        "jwt", "show what is in a token, and whether it can be believed", operand: "decode|verify",
        discussion: """
            The token comes on standard input, or is one of an account's. The first words of what is printed are VERIFIED or
            NOT VERIFIED. `decode` checks nothing, so that is always NOT VERIFIED. `verify` checks the signature with the keys
            of a server or of a file, the times, and the issuer and the audience where they are named; the status is 1 when
            anything does not fit. Neither the token nor its signature is printed, nor are tokens inside it.
            """,
        options: [
            OptionSpecification("--jwks", value: "FILE", "the key set (JSON) to verify with"),
            OptionSpecification("--issuer", value: "URL", "the server whose keys verify and whose name iss must be"),
            OptionSpecification("--audience", value: "NAME", "what aud must hold"),
            .account,
            OptionSpecification("--id-token", "the account's ID token, verified with its server's keys"),
            OptionSpecification("--access-token", "the account's access token, verified with its server's keys"),
            OptionSpecification(
                "--ca-file", value: "FILE", "certificate authorities (PEM) in the place of the system's"),
        ],
        examples: [
            ("tern jwt decode --id-token", "what the server says about you"),
            ("tern token | tern jwt verify --issuer https://id.example.com", "whether an API should take the token"),
        ])

    private enum Action: String, CaseIterable { case decode, verify }

    private let action: Action
    private let keysFile: String?
    private let issuer: String?
    private let audience: String?
    private let account: String?
    private let kept: Kept?
    private let authoritiesFile: String?

    private enum Kept { case idToken, accessToken }

    init(_ arguments: Arguments) throws(UsageError) {
        guard let word = arguments.operand else { throw UsageError("say decode or verify") }
        guard let action = Action(rawValue: word) else {
            throw UsageError.unknown("action", word, among: Action.allCases.map(\.rawValue))
        }
        self.action = action
        keysFile = arguments.value("--jwks")
        issuer = arguments.value("--issuer")
        audience = arguments.value("--audience")
        account = arguments.value("--account")
        authoritiesFile = arguments.value("--ca-file")
        switch (arguments.has("--id-token"), arguments.has("--access-token")) {
        case (true, true): throw UsageError("--id-token and --access-token exclude each other")
        case (true, false): kept = .idToken
        case (false, true): kept = .accessToken
        case (false, false): kept = nil
        }
        guard account == nil || kept != nil else { throw UsageError("--account wants --id-token or --access-token") }
        guard keysFile == nil || issuer == nil else { throw UsageError("--jwks and --issuer exclude each other") }
        guard action == .verify else {
            let further = ["--jwks", "--issuer", "--audience"].first { arguments.value($0) != nil }
            if let further { throw UsageError("\(further) is for `tern jwt verify`") }
            return
        }
        guard keysFile != nil || issuer != nil || kept != nil else {
            throw UsageError("verify wants --jwks FILE or --issuer URL")
        }
    }

    /// What came of the checks.
    private enum Verdict {
        case verified(by: String)
        case notVerified(String)
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let (text, client) = try await subject(context)
        let token = try TokenText(text)
        let now = SystemWallClock().now
        guard action == .verify else {
            show(token, .notVerified("nothing was checked, and anybody can write this"), now, context.console)
            return .success
        }
        let (keys, name) = try await keys(client)
        let verdict = verdict(on: token, keys, name, now)
        show(token, verdict, now, context.console)
        if case .verified = verdict { return .success }
        return .refused
    }

    private func subject(_ context: CommandContext) async throws(TernError) -> (String, OAuthClient?) {
        guard let kept else {
            guard let issuer else { return (try TokenInput.read(), nil) }
            let client = try await SavedClient(
                issuer: issuer, clientID: "tern", scope: [], redirectURI: OAuthClient.loopbackRedirect,
                authentication: .none, secret: nil, authoritiesFile: authoritiesFile
            ).client(account: nil, store: MemoryStore())
            return (try TokenInput.read(), client)
        }
        let session = try await context.session(account)
        let credential = try await session.credential()
        guard kept == .idToken else { return (credential.accessToken.exposedText, session.client) }
        guard let idToken = credential.idToken else {
            throw TernError(
                .invalidConfiguration(field: "--id-token", problem: "the account has none"), at: .configuration)
        }
        return (idToken.exposedText, session.client)
    }

    /// The keys, and the issuer that they belong to where it is known.
    private func keys(_ client: OAuthClient?) async throws(TernError) -> (JWKSet, String?) {
        if let keysFile {
            guard let bytes = SmallFile.read(keysFile), let keys = try? JWKSet(parsing: bytes) else {
                throw TernError(
                    .invalidConfiguration(field: "--jwks", problem: "there is no key set in it"), at: .configuration)
            }
            return (keys, nil)
        }
        guard let client else {
            throw TernError(.invalidConfiguration(field: "--issuer", problem: "it is missing"), at: .configuration)
        }
        return (try await client.keys(), try await client.metadata().issuer)
    }

    private func verdict(on token: TokenText, _ keys: JWKSet, _ issuer: String?, _ now: NumericDate) -> Verdict {
        let key: JWK
        let algorithm: String
        do throws(JOSEError) {
            let jws = try JWS(compact: token.compact)
            key = try jws.verify(with: keys, allowed: SignatureAlgorithm.asymmetric)
            algorithm = jws.header.algorithm.rawValue
        } catch {
            return .notVerified(error.description)
        }
        guard let members = token.claims else { return .notVerified("there are no claims in it") }
        let claims = JWTClaims(members)
        do throws(JOSEError) {
            let good = "the signature is good, but "
            if let end = try claims.expiration, now >= end { return .notVerified(good + "it ended at \(end)") }
            if let start = try claims.notBefore, now + Self.leeway < start {
                return .notVerified(good + "it becomes valid only at \(start)")
            }
            if let time = try claims.issuedAt, now + Self.leeway < time {
                return .notVerified(good + "it comes from the future: \(time)")
            }
            if let issuer, try claims.issuer.map({ Array($0.utf8) == Array(issuer.utf8) }) != true {
                return .notVerified(good + "its issuer is not \(issuer)")
            }
            if let audience, try claims.audience?.contains(audience) != true {
                return .notVerified(good + "it is not for \(audience)")
            }
        } catch {
            return .notVerified("the signature is good, but \(error.description)")
        }
        return .verified(by: key.keyID.map { "the key \"\($0)\", \(algorithm)" } ?? "a key without ID, \(algorithm)")
    }

    private static let leeway = Duration.seconds(60)

    private func show(_ token: TokenText, _ verdict: Verdict, _ now: NumericDate, _ console: Console) {
        let isVerified: Bool
        let words: String
        switch verdict {
        case .verified(let key): (isVerified, words) = (true, key)
        case .notVerified(let reason): (isVerified, words) = (false, reason)
        }
        guard !console.isJSON else {
            var object: JSONObject = [
                "verified": .bool(isVerified), isVerified ? "key" : "reason": .string(words),
                "kind": .string(token.kind), "header": .object(TokenText.json(token.header)),
            ]
            object["claims"] = token.claims.map { .object(TokenText.json($0)) }
            return console.print(object)
        }
        console.print(
            isVerified
                ? "\(console.styled("VERIFIED", .good)) by \(Console.plain(words))"
                : "\(console.styled("NOT VERIFIED", .bad)): \(Console.plain(words))")
        console.print("It is \(token.kind).")
        console.print("header")
        for line in TokenText.lines(token.header, now: now) { console.print(line) }
        if let claims = token.claims {
            console.print("claims")
            for line in TokenText.lines(claims, now: now) { console.print(line) }
            console.print("signature: \(token.signatureByteCount) bytes, not shown")
        } else {
            console.print(token.isEncrypted ? "Its claims are encrypted." : "Its claims cannot be read.")
        }
    }
}
