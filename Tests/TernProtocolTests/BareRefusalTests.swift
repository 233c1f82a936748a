import TernProtocol
import Testing

/// Servers that refuse in fewer words than RFC 6749 §4.1.2.1 and §5.2 give them.
struct BareRefusalTests {
    @Test func emptyTextCountsAsNone() {
        let words = ServerError(code: "unauthorized_client", detail: "", uri: "")
        #expect(words.detail == nil)
        #expect(words.uri == nil)
        #expect(ServerError(code: "unauthorized_client", detail: "\u{1}\u{7F}").detail == nil)
        let error = TernError(.serverError(words), at: .authorizationResponse)
        #expect(error.explanation.whatHappened == "The server answered \"unauthorized_client\".")
    }

    @Test(arguments: [400, 401, 403])
    func bareStatusIsExplainedByItsStep(_ status: Int) {
        let refreshError = TernError(.httpStatus(status, location: nil), at: .refresh)
        let refresh = refreshError.explanation
        #expect(refresh.whatHappened == "The server refused with HTTP status \(status) and did not say why.")
        #expect(refreshError.likeliestCause == "access_revoked")
        #expect(refresh.likelyCauses.contains { $0.contains("refresh token") })
        let revocation = TernError(.httpStatus(status, location: nil), at: .revocation).explanation
        #expect(revocation.likelyCauses.first?.contains("revoke") == true)
        #expect(revocation.whatToDo.first?.hasPrefix("nothing") == true)
    }

    @Test func otherStatusesSpeakOfTheAddress() {
        let missing = TernError(.httpStatus(404, location: nil), at: .refresh).explanation
        #expect(missing.whatHappened == "The server answered with HTTP status 404.")
        let moved = TernError(.httpStatus(302, location: "https://id.example/"), at: .tokenRequest).explanation
        #expect(moved.whatHappened.contains("https://id.example/"))
    }
}
