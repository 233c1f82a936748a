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

    /// Compiled and not run: it asks a server that is not there.
    func doctor() async throws {
        var setUp = ClientSetUp()
        setUp.issuer = "https://id.example.com"
        setUp.clientID = "my-app"
        setUp.redirectURI = "com.example.app:/callback"
        let report = try await Doctor(transport: SystemTransport()).examine(setUp)
        for finding in report.findings where finding.level == .failed { print(finding.title) }
    }

    @Test("A page of support shows what is wrong, and nothing secret")
    func support() {
        var shown: [String] = []
        func show(_ title: String, _ fix: String?) { shown.append(title + (fix ?? "")) }
        let pasted = "com.example.app:/callback?code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj-0123456789"
        let state = "another-state-0123456789"
        let specimen = Specimen(pasted)
        var context = ExplanationContext(now: SystemWallClock().now)
        context.redirectURI = "com.example.app:/callback"
        context.state = state
        for finding in specimen.findings(in: context) where finding.level == .failed {
            show(finding.title, finding.fix)
        }
        #expect(shown.count == 2)
        #expect(!shown.joined().contains("SplxlOBeZQQYbYS6WxSbIA"))
    }
}
