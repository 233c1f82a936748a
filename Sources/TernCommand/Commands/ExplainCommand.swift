internal import Tern

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// `tern explain`: says what something is, what is wrong with it, and what Tern would do.
struct ExplainCommand: Command {
    static let specification = CommandSpecification(
        "explain", "say what a callback, token, answer or error is, and what is wrong with it", operand: "[TEXT]",
        discussion: """
            What it is, is found out: a callback or authorization URL, an answer of a server, a JWT or JWE, keys, metadata, a
            WWW-Authenticate header, claims, a base string or header of OAuth 1.0a, or an error code. It comes from the call,
            a file, or standard input; arguments can be seen by others on this machine, so secrets belong into one of the
            others. No connection is made, and codes, tokens, states and keys are not printed. Of a token the first words are
            VERIFIED or NOT VERIFIED. The status is 1 where something is wrong.
            """,
        options: [
            OptionSpecification("--file", value: "FILE", "take it from a file"),
            OptionSpecification(
                "--as", value: "KIND",
                "what it is, where that is not found out: \(kindNames.prefix(4).joined(separator: ", ")), …"),
            OptionSpecification(
                "--redirect-uri", value: "URI", "where a callback should arrive, or an answer is asked to"),
            OptionSpecification("--state", value: "TEXT", "the state that was sent"),
            OptionSpecification("--issuer", value: "URL", "the server that it should be from"),
            OptionSpecification(
                "--response-mode", value: "MODE", "how the answer was asked for: query, fragment, form_post, …"),
            OptionSpecification(
                "--client-id", value: "ID", "the client, or of an access token the API, that it should be for"),
            OptionSpecification("--nonce", value: "TEXT", "the nonce that was sent"),
            OptionSpecification("--jwks", value: "FILE", "the keys (JSON or PEM) to verify or open a token with"),
            OptionSpecification("--against", value: "FILE|TEXT", "OAuth 1.0a: the other side's base string or header"),
        ],
        examples: [
            ("tern explain invalid_grant", "what a server means by it"),
            (
                "tern explain --redirect-uri myapp:/cb --state abc 'myapp:/cb?error=access_denied&state=abc'",
                "why it failed"
            ),
            (
                "tern explain --file token.txt --jwks keys.json --issuer https://id.example.com",
                "whether to believe a token"
            ),
            ("curl -si https://api.example.com | tern explain", "why an API refuses"),
        ])

    private static let kindNames = Specimen.Kind.allCases.map { name(of: $0) }

    private static func name(of kind: Specimen.Kind) -> String {
        String(kind.rawValue.map { $0 == "_" ? "-" : $0 })
    }

    private let text: String?
    private let file: String?
    private let kind: Specimen.Kind?
    private let keysFile: String?
    private let against: String?
    private let responseMode: AuthorizationRequest.ResponseMode?
    private let arguments: Arguments

    init(_ arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        text = arguments.operand == "-" ? nil : arguments.operand
        file = arguments.value("--file")
        guard text == nil || file == nil else {
            throw UsageError("the text stands in the call already; leave out --file")
        }
        kind = try arguments.value("--as").map { (word) throws(UsageError) in
            guard let kind = Specimen.Kind.allCases.first(where: { [Self.name(of: $0), $0.rawValue].contains(word) })
            else {
                throw UsageError.unknown("kind", word, among: Self.kindNames)
            }
            return kind
        }
        responseMode = try arguments.value("--response-mode").map { (word) throws(UsageError) in
            guard let mode = AuthorizationRequest.ResponseMode(rawValue: word) else {
                throw UsageError.unknown(
                    "response mode", word, among: AuthorizationRequest.ResponseMode.allCases.map(\.rawValue))
            }
            return mode
        }
        keysFile = arguments.value("--jwks")
        against = arguments.value("--against")
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let specimen = Specimen(try input(context.console), as: kind)
        var known = ExplanationContext(now: SystemWallClock().now)
        known.redirectURI = arguments.value("--redirect-uri")
        known.state = arguments.value("--state")
        known.issuer = arguments.value("--issuer")
        known.responseMode = responseMode
        known.clientID = arguments.value("--client-id")
        known.nonce = arguments.value("--nonce")
        known.keys = try keysFile.map { (path) throws(TernError) in try KeyFile.read(path, called: "--jwks") }
        known.counterpart = try counterpart(of: specimen)
        let findings = specimen.findings(in: known)
        print(findings, about: specimen, to: context.console)
        return findings.contains { $0.level == .failed } ? .refused : .success
    }

    private func input(_ console: Console) throws(TernError) -> [UInt8] {
        if let text { return Array(text.utf8) }
        if let file { return try KeyFile.bytes(of: file, called: "--file") }
        if isatty(0) == 1 { console.remark("Paste it here, and end with Ctrl-D on a line of its own.") }
        let bytes = Process.standardInput(limit: Specimen.maximumByteCount)
        guard bytes.contains(where: { $0 > 0x20 }) else {
            throw TernError(
                .invalidConfiguration(field: "TEXT", problem: "there is nothing in the call or on standard input"),
                at: .configuration)
        }
        return bytes
    }

    private func counterpart(of specimen: Specimen) throws(TernError) -> String? {
        guard let against else { return nil }
        guard specimen.kind == .oauth1BaseString || specimen.kind == .oauth1Header else {
            throw TernError(
                .invalidConfiguration(
                    field: "--against", problem: "it goes with a base string or a header of OAuth 1.0a alone"),
                at: .configuration)
        }
        let kind = Specimen(against).kind
        if kind == .oauth1BaseString || kind == .oauth1Header { return against }
        return String(decoding: try KeyFile.bytes(of: against, called: "--against"), as: UTF8.self)
    }

    private func print(_ findings: [Finding], about specimen: Specimen, to console: Console) {
        let isToken = specimen.kind == .jwt || specimen.kind == .jwe
        let isVerified = findings.first?.name == "verified" && findings.first?.level == .passed
        guard !console.isJSON else {
            var facts: JSONObject = ["kind": specimen.kind.map { .string($0.rawValue) } ?? .null]
            if isToken { facts["verified"] = .bool(isVerified) }
            return FindingReport(findings).print(to: console, adding: facts)
        }
        var rest = findings[...]
        if isToken, let first = rest.popFirst() {
            let word = isVerified ? console.styled("VERIFIED", .good) : console.styled("NOT VERIFIED", .bad) + ":"
            let detail = first.detail.map { " (" + Console.plain($0) + ")" } ?? ""
            console.print("\(word) \(Console.plain(first.title))\(detail)")
        } else if let kind = specimen.kind {
            console.print("It is \(kind.words).")
        }
        FindingReport(Array(rest)).print(to: console)
    }
}
