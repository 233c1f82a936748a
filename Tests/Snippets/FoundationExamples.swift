import Foundation
import Tern
import TernFoundation
import TernTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum FoundationExamples {
    static func authorize(_ address: URL, _ session: Session) async throws -> (URLRequest?, Date?)? {
        guard let plain = HTTPRequest(URLRequest(url: address)) else { return nil }
        let request = URLRequest(try await session.authorize(plain))  // with the token on it, for a stack of your own
        let end = try await session.credential().expiration.map { Date($0) }
        return (request, end)
    }

    @Test("A request of Foundation's gets the token")
    static func request() async throws {
        let provider = TestProvider()
        let session = try await provider.client().signIn(with: provider.userAgent)
        let address = try #require(URL(string: provider.apiAddress("notes?of=today")))
        let (request, end) = try #require(try await authorize(address, session))
        let token = try await session.accessToken().exposedText
        #expect(request?.value(forHTTPHeaderField: "Authorization") == "Bearer \(token)")
        #expect(request?.url == address)
        #expect(end == Date(provider.clock.now + .seconds(3600)))
    }

    @Test("Foundation shows what happened")
    static func errors() {
        let error: any Error = TernError(.signedOut, at: .refresh)
        #expect(error.localizedDescription == "This account is not signed in.")
    }
}
