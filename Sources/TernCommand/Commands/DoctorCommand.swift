internal import Tern

/// `tern doctor`: makes every check of a client's set-up that needs no login.
struct DoctorCommand: Command {
    static let specification = CommandSpecification(
        "doctor", "check a server, a redirect and an app without signing in, and say what to change",
        discussion: """
            Looks at everything that can be looked at before anybody signs in: whether the server can be reached and trusted,
            its clock, metadata and keys, what its endpoints do with a wrong redirect and a wrong code, the redirect, an app's
            property list, entitlements and association file, and what must not be shipped. No secret is sent, nobody is
            signed in, and no host is asked but those of the issuer, of an https redirect, of --aasa and of --allow-host.
            The status is 1 where a check failed (with --strict also where one warns), and 4 where the server cannot be
            reached or trusted.
            """,
        options: [
            OptionSpecification("--issuer", value: "URL", "the server, as it is configured"),
            OptionSpecification(
                "--account", value: "NAME", "take server, client, redirect and scope from an account of `tern login`"),
            OptionSpecification("--client-id", value: "ID", "the client, as it is registered there"),
            SavedClient.AuthenticationMethod.specification,
            OptionSpecification("--redirect", value: "URI", "where answers arrive"),
            OptionSpecification("--scope", value: "\"A B\"", "what is asked for"),
            OptionSpecification(
                "--grant", value: "NAME",
                "another grant than authorization_code, such as device_code; several with commas"),
            OptionSpecification("--info-plist", value: "FILE", "the property list of the app"),
            OptionSpecification("--entitlements", value: "FILE", "the entitlements of the app"),
            OptionSpecification("--app-id", value: "ID", "the app identifier, such as ABCDE12345.com.example.app"),
            OptionSpecification(
                "--aasa", value: "URL|FILE", "the association file, where it is not yet at the redirect's host"),
            OptionSpecification("--allow-host", value: "HOST", "a further host that may be asked; several with commas"),
            OptionSpecification(
                "--ca-file", value: "FILE", "certificate authorities (PEM) in the place of the system's"),
            OptionSpecification("--strict", "end with status 1 where a check warns"),
        ],
        examples: [
            ("tern doctor --issuer https://id.example.com", "whether a client can work with the server"),
            (
                "tern doctor --issuer https://id.example.com --client-id my-app --client-auth none "
                    + "--redirect com.example.app:/callback",
                "whether the client is registered as it should be"
            ),
            (
                "tern doctor --redirect https://app.example.com/cb --info-plist Info.plist "
                    + "--entitlements App.entitlements",
                "whether answers can arrive at an app"
            ),
        ])

    private let arguments: Arguments
    private let authentication: SavedClient.AuthenticationMethod?
    private let grants: [String]
    private let hosts: Set<String>
    private let association: Association?

    /// Where the association file is.
    private enum Association {
        case address(URI)
        case file(String)
    }

    init(_ arguments: Arguments) throws(UsageError) {
        self.arguments = arguments
        let subjects = ["--issuer", "--account", "--redirect", "--info-plist", "--entitlements", "--aasa"]
        guard subjects.contains(where: { arguments.value($0) != nil }) else {
            throw UsageError(
                "there is nothing to look at: name --issuer, --account, --redirect, --info-plist or --aasa")
        }
        guard arguments.value("--issuer") == nil || arguments.value("--account") == nil else {
            throw UsageError("--issuer and --account exclude each other")
        }
        if arguments.value("--issuer") == nil, arguments.value("--account") == nil,
            let name = ["--client-auth", "--scope", "--grant", "--ca-file"].first(where: { arguments.value($0) != nil })
        {
            throw UsageError("\(name) is about a server: name it with --issuer")
        }
        authentication = try arguments.value("--client-auth").map(SavedClient.AuthenticationMethod.named)
        grants = Self.list(arguments.value("--grant")).map { Self.grantNames[$0] ?? $0 }
        hosts = try Self.hosts(arguments.value("--allow-host"))
        association = try arguments.value("--aasa").map { (text) throws(UsageError) in
            guard let address = URI(text), address.host != nil else { return .file(text) }
            guard address.isSecure || address.isLoopback else { throw UsageError("--aasa wants an https address") }
            return .address(address)
        }
    }

    private static let grantNames = [
        "device_code": "urn:ietf:params:oauth:grant-type:device_code", "ciba": "urn:openid:params:grant-type:ciba",
        "token_exchange": "urn:ietf:params:oauth:grant-type:token-exchange",
        "jwt_bearer": "urn:ietf:params:oauth:grant-type:jwt-bearer",
    ]

    private static func list(_ text: String?) -> [String] {
        (text ?? "").split { $0 == "," || $0 == " " }.map(String.init)
    }

    private static func hosts(_ text: String?) throws(UsageError) -> Set<String> {
        var hosts: Set<String> = []
        for name in list(text) {
            guard let host = URI("https://\(name)")?.host, host == name else {
                throw UsageError("--allow-host wants names of hosts, such as id.example.com, without scheme and port")
            }
            hosts.insert(host.lowercased())
        }
        return hosts
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        var policy = TransportPolicy(timeout: .seconds(15), connectTimeout: .seconds(10))
        var setUp = ClientSetUp()
        if let name = arguments.value("--account") {
            let accounts = try context.accounts()
            let client = try await accounts.client(of: try await accounts.chosen(name, context.console))
            guard client.oauth1 == nil else {
                throw TernError(
                    .invalidConfiguration(field: "--account", problem: "the account is one of OAuth 1.0a"),
                    at: .configuration)
            }
            policy.certificateAuthorities = try client.transportPolicy().certificateAuthorities
            setUp.issuer = client.issuer
            setUp.clientID = client.clientID
            setUp.authenticationMethod = client.authentication.registeredName
            setUp.redirectURI = client.redirectURI
            setUp.scope = client.scope
        }
        try read(into: &setUp)
        if let path = arguments.value("--ca-file") {
            policy.certificateAuthorities = try KeyFile.bytes(of: path, called: "--ca-file")
        }
        let doctor = Doctor(transport: SystemTransport(policy: policy), events: TraceFile.events)
        var report = try await doctor.examine(setUp)
        if let redirect = setUp.redirectURI, setUp.app == nil {
            let findings = DesktopSchemeCheck.findings(redirect: redirect, store: context.storeFolder)
            report.append(DoctorReport.Section(name: "desktop", title: "This desktop", findings: findings))
        }
        print(report, to: context.console)
        return status(of: report)
    }

    /// What the call says goes before what an account says.
    private func read(into setUp: inout ClientSetUp) throws(TernError) {
        setUp.issuer = arguments.value("--issuer") ?? setUp.issuer
        setUp.clientID = arguments.value("--client-id") ?? setUp.clientID
        setUp.authenticationMethod = authentication?.registeredName ?? setUp.authenticationMethod
        setUp.redirectURI = arguments.value("--redirect") ?? setUp.redirectURI
        setUp.scope = arguments.value("--scope").map { Scope($0) } ?? setUp.scope
        if !grants.isEmpty { setUp.grants = grants }
        setUp.furtherHosts = hosts
        let files = try ["--info-plist", "--entitlements"].map { (option) throws(TernError) in
            try arguments.value(option).map { (path) throws(TernError) in
                try PropertyListFile.read(path, option: option)
            }
        }
        if files.contains(where: { $0 != nil }) || arguments.value("--app-id") != nil {
            setUp.app = AppleApp(
                infoPropertyList: files[0], entitlements: files[1], appIdentifier: arguments.value("--app-id"))
        }
        switch association {
        case .address(let address): setUp.associationFile = .address(address)
        case .file(let path): setUp.associationFile = .file(try KeyFile.bytes(of: path, called: "--aasa"))
        case nil: break
        }
    }

    private func status(of report: DoctorReport) -> ExitStatus {
        if report.couldNotReachServer { return .unavailable }
        let isBad = report.findings.contains { finding in
            finding.level == .failed || finding.level == .warning && arguments.has("--strict")
        }
        return isBad ? .refused : .success
    }

    private func print(_ report: DoctorReport, to console: Console) {
        guard !console.isJSON else { return console.print(report.json) }
        let lines = FindingReport(report.findings)
        for section in report.sections {
            console.print(console.styled(section.title, .strong))
            for finding in section.findings {
                for line in lines.lines(of: finding, console) { console.print("  " + line) }
            }
            console.print("")
        }
        console.print(lines.summary + ".")
        console.print(
            report.requests.isEmpty
                ? "Nothing was asked of any server."
                : "\(report.requests.count) \(report.requests.count == 1 ? "request was" : "requests were") sent, without any "
                    + "secret; --json lists them.")
    }
}
