import TernProtocol
import Testing

/// The knowledge behind explanations: each cause is brought about and must come out first.
@Suite("Causes")
struct CauseTests {
    static let provocations =
        Provocation.network + Provocation.metadata + Provocation.redirect + Provocation.callback
        + Provocation.authorization + Provocation.client + Provocation.grant + Provocation.answers
        + Provocation.idToken + Provocation.signedTokens + Provocation.accessTokens + Provocation.api
        + Provocation.store + Provocation.oauth1
        + Provocation.registration

    @Test("Each is named first when it is what happened", .timeLimit(.minutes(1)), arguments: provocations)
    func ranksFirst(_ provocation: Provocation) async throws {
        let error = try await provocation.provoke()
        let points = Cause.ranked(for: error).map { "\($0.id) \($0.points(for: error) ?? 0)" }
        #expect(
            error.likeliestCause == provocation.cause,
            "\(error.symptomNames) at \(error.step): \(points); \(error.clues)")
        #expect(!error.explanation.whatToDo.isEmpty)
    }

    @Test("None is without such a test, and none is brought about that is not known")
    func complete() {
        #expect(Set(Self.provocations.map(\.cause)) == Set(Cause.all.map(\.id)))
        #expect(Set(Cause.all.map(\.id)).count == Cause.all.count)
    }

    @Test("Each says what is wrong and what to do, in whole words", arguments: Cause.all)
    func words(_ cause: Cause) {
        #expect(cause.text.count > 15 && cause.text.first?.isUppercase != true || cause.text.hasPrefix("Google"))
        #expect(!cause.whatToDo.isEmpty)
        for text in [cause.text] + cause.whatToDo { #expect(!text.hasSuffix(".") && !text.contains("  ")) }
    }

    @Test("At most so many are named, and none that speaks against what is known")
    func bounded() {
        let error = TernError(.serverError(ServerError(code: "invalid_client")), at: .tokenRequest)
        #expect(error.explanation.causes.count <= Cause.maximumCount)
        let secretless = error.with(Evidence([.publicClient]))
        #expect(!secretless.explanation.causes.contains { $0.id.hasPrefix("secret_") })
    }
}
