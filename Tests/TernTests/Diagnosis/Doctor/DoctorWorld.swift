import Tern
import TernJOSE
import TernProtocol
import TernTesting
import Testing

/// A doctor, a server to look at, and a client whose set-up is right.
struct DoctorWorld {
    let provider: TestProvider
    var setUp = ClientSetUp()
    var hosts: [Origin: TestTransport.Handler] = [:]

    init(_ server: AuthorizationServer = AuthorizationServer()) {
        provider = TestProvider(server)
        setUp.issuer = provider.issuer
        setUp.clientID = TestClient.app.clientID
        setUp.authenticationMethod = "none"
        setUp.redirectURI = "com.example.app:/callback"
        setUp.scope = ["openid", "profile"]
    }

    init(_ change: (inout ServerSettings) -> Void) {
        var server = AuthorizationServer()
        change(&server.settings)
        self.init(server)
    }

    /// A world whose server has faults.
    init(faults: Fault...) {
        self.init()
        for fault in faults { provider.server.add(fault) }
    }

    var transport: InspectedTransport {
        var base = provider.transport
        for (origin, handler) in hosts { base = base.answering(origin, with: handler) }
        return InspectedTransport(base: base, certificates: InspectedTransport.goodChain(at: provider.clock.now))
    }

    func report(
        over transport: (any HTTPTransport)? = nil, events: (any EventSink)? = nil
    ) async throws -> DoctorReport {
        let doctor = Doctor(
            transport: transport ?? self.transport, clock: provider.clock, random: SeededRandomSource(seed: 7),
            events: events)
        return try await doctor.examine(setUp)
    }
}

/// A transport that tells certificates.
struct InspectedTransport: CertificateInspecting {
    let base: any HTTPTransport
    var certificates: [ServerCertificate]

    static func goodChain(at now: NumericDate) -> [ServerCertificate] {
        [
            ServerCertificate(
                subject: "CN = id.example.com", issuer: "CN = Example CA", notBefore: now + .seconds(-86_400),
                notAfter: now + .seconds(60 * 86_400)),
            ServerCertificate(
                subject: "CN = Example CA", issuer: "CN = Example CA", notBefore: now + .seconds(-8_640_000),
                notAfter: now + .seconds(400 * 86_400)),
        ]
    }

    func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
        try await base.send(request, step: step)
    }

    func certificates(of origin: URI, step: Step) async throws(TernError) -> [ServerCertificate] { certificates }
}

extension DoctorReport {
    /// The findings of a name.
    subscript(name: String) -> [Finding] { findings.filter { $0.name == name } }

    /// The findings that are neither passed nor notes, as `level name`.
    var complaints: [String] {
        findings.filter { ![.passed, .note].contains($0.level) }.map { "\($0.level.rawValue) \($0.name)" }
    }

    /// The one finding of a name.
    func only(_ name: String) throws -> Finding {
        let found = self[name]
        try #require(found.count == 1, "\(name): \(found)")
        return found[0]
    }
}
