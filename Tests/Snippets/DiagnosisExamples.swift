import Tern
import TernTesting
import Testing

@Suite("Examples of diagnosis")
struct DiagnosisExamples {
    @Test("A callback in hand")
    func specimen() {
        let specimen = Specimen("com.example.app:/callback?error=access_denied&state=af0ifjs")
        let findings = specimen.findings(in: ExplanationContext(now: SystemWallClock().now))
        #expect(specimen.kind == .callback && !findings.isEmpty)
    }

    @Test("A set-up that is examined")
    func doctor() throws {
        @Sendable func examine() async throws {
            var setUp = ClientSetUp()
            setUp.issuer = "https://id.example.com"
            setUp.clientID = "my-app"
            setUp.redirectURI = "com.example.app:/callback"
            let report = try await Doctor(transport: SystemTransport()).examine(setUp)
            for finding in report.findings where finding.level == .failed { print(finding.title) }
        }
    }
}
