public import TernCrypto
public import TernProtocol

/// Looks at everything about a client's set-up that can be looked at without a login, and says what is wrong and what to do.
///
/// ```swift
/// var setUp = ClientSetUp()
/// setUp.issuer = "https://id.example.com"
/// setUp.clientID = "my-app"
/// setUp.redirectURI = "com.example.app:/callback"
/// let report = try await Doctor(transport: SystemTransport()).examine(setUp)
/// for finding in report.findings where finding.level == .failed { print(finding.title) }
/// ```
///
/// It asks the host of the issuer, the host of an https redirect for its association file, and those that
/// ``ClientSetUp/furtherHosts`` names, and no others: 20 requests at most. It sends no secret, since it has none: codes and
/// states in its requests are made up, and nothing that it does signs anybody in or changes anything at the server.
public struct Doctor: Sendable {
    private let transport: any HTTPTransport
    private let clock: any WallClock
    private let random: any RandomSource
    private let events: (any EventSink)?

    /// Makes a doctor.
    ///
    /// - Parameters:
    ///   - transport: the way to the network, with the trust that the client has. One that is ``CertificateInspecting`` also
    ///     tells how long the server's certificates are good.
    ///   - clock: the time that the server's is held against.
    ///   - random: where made-up codes and states come from.
    ///   - events: where it is told what was sent, such as a ``TraceRecorder``.
    public init(
        transport: any HTTPTransport, clock: any WallClock = SystemWallClock(),
        random: any RandomSource = SystemRandomSource(), events: (any EventSink)? = nil
    ) {
        self.transport = transport
        self.clock = clock
        self.random = random
        self.events = events
    }

    /// Makes every check that the set-up has enough for.
    ///
    /// - Parameter setUp: what is known of the client.
    /// - Returns: what was found; trouble with the server is a finding and no error.
    /// - Throws: `TernError` `cancelled`.
    public func examine(_ setUp: ClientSetUp) async throws(TernError) -> DoctorReport {
        let visitor = Visitor(transport, hosts: Self.hosts(setUp), telling: events)
        let examination = Examination(setUp: setUp, visitor: visitor, clock: clock, random: random)
        var report = DoctorReport()
        func add(_ name: String, _ title: String, _ findings: [Finding]) {
            report.append(DoctorReport.Section(name: name, title: title, findings: findings))
        }

        if setUp.issuer != nil {
            let look = await ServerLook(examination)
            report.couldNotReachServer = look.isUnreachable
            add("server", "The server", look.findings)
            if let metadata = look.metadata {
                add("metadata", "What it says about itself", MetadataChecks.findings(metadata, setUp))
                add("keys", "Its keys", await KeyChecks.findings(metadata, examination))
                add("authorization", "Its sign-in page", await AuthorizationProbe.findings(metadata, examination))
                add("token", "Its token endpoint", await TokenProbe.findings(metadata, examination))
            }
        }
        if let redirect = setUp.redirectURI {
            add(
                "redirect", "The redirect",
                RedirectChecks.findings(redirect: redirect, app: setUp.app, clientID: setUp.clientID))
        }
        add("app", "The app", await AppExamination.findings(examination))
        add("release", "Before a release", Self.release(setUp))
        if Task.isCancelled { throw TernError(.cancelled, at: .configuration) }
        report.requests = visitor.requests
        return report
    }

    private static func release(_ setUp: ClientSetUp) -> [Finding] {
        let hasSecret = setUp.authenticationMethod?.hasPrefix("client_secret_") ?? false
        return ReleaseChecks.findings(
            redirect: setUp.redirectURI, issuer: setUp.issuer.flatMap { URI($0) }, app: setUp.app,
            appHasSecret: setUp.app != nil && hasSecret)
    }

    /// The hosts that the set-up names.
    private static func hosts(_ setUp: ClientSetUp) -> Set<String> {
        var addresses = [setUp.issuer, setUp.redirectURI].compactMap { $0.flatMap { URI($0) } }
            .filter { $0.isSecure || $0.text == setUp.issuer }
        if case .address(let address) = setUp.associationFile { addresses.append(address) }
        return setUp.furtherHosts.union(addresses.compactMap { $0.host?.asciiLowercased })
    }
}

/// What the checks work with.
struct Examination: Sendable {
    let setUp: ClientSetUp
    let visitor: Visitor
    let clock: any WallClock
    let random: any RandomSource
}
