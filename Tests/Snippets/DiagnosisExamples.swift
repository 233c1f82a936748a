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
}
