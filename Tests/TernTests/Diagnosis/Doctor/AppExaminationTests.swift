import Tern
import TernProtocol
import TernTesting
import Testing

@Suite("The doctor's look at an app's association file")
struct AppExaminationTests {
    private static let address = "https://app.example.com/.well-known/apple-app-site-association"
    private static let good = #"{"webcredentials":{"apps":["ABCDE12345.com.example.app"]}}"#

    private func world(answering answer: HTTPResponse?) throws -> DoctorWorld {
        var world = DoctorWorld()
        world.setUp = ClientSetUp()
        world.setUp.redirectURI = "https://app.example.com/callback"
        world.setUp.app = AppleApp(
            infoPropertyList: ["CFBundleIdentifier": "com.example.app"],
            entitlements: ["com.apple.developer.associated-domains": ["webcredentials:app.example.com"]],
            appIdentifier: "ABCDE12345.com.example.app")
        let origin = try #require(URI(Self.address)?.origin)
        if let answer { world.hosts[origin] = { _, _ in Delivery(.answer(answer)) } }
        return world
    }

    private func served(_ text: String) -> HTTPResponse {
        HTTPResponse(status: 200, fields: ["Content-Type": "application/json"], body: Array(text.utf8))
    }

    @Test("It is fetched from the redirect's host, and nothing else is asked")
    func fetched() async throws {
        let report = try await world(answering: served(Self.good)).report()
        #expect(report.requests == ["GET \(Self.address)"])
        #expect(try report.only("association_webcredentials").level == .passed)
        #expect(report.complaints.isEmpty)
    }

    @Test("A host that names another app, one that redirects, and one that is not there")
    func wrong() async throws {
        let other = try await world(answering: served(Self.good.replacing("example.app", with: "example.apq"))).report()
        let finding = try other.only("association_webcredentials")
        #expect(finding.level == .failed)
        #expect(finding.comparison?.second == "ABCDE12345.com.example.apq")
        let moved = HTTPResponse(status: 302, fields: ["Location": "https://www.example.com/aasa"])
        #expect(try await world(answering: moved).report().only("association_redirected").level == .failed)
        #expect(try await world(answering: nil).report().only("association_reachable").level == .failed)
    }

    @Test("A file at hand is looked at without any request, and an address is asked in the place of the host's own")
    func given() async throws {
        var atHand = try world(answering: nil)
        atHand.setUp.associationFile = .file(Array(Self.good.utf8))
        let report = try await atHand.report()
        #expect(report.requests.isEmpty)
        #expect(try report.only("association_webcredentials").level == .passed)
        var elsewhere = try world(answering: nil)
        let address = try #require(URI("https://staging.example.com/aasa.json"))
        elsewhere.setUp.associationFile = .address(address)
        elsewhere.hosts[try #require(address.origin)] = { _, _ in Delivery(.answer(served(Self.good))) }
        let second = try await elsewhere.report()
        #expect(second.requests == ["GET https://staging.example.com/aasa.json"])
        #expect(try second.only("association_address").level == .failed)
    }

    @Test("Without an https redirect it is said that there was nothing to look at")
    func otherRedirect() async throws {
        var world = try world(answering: nil)
        world.setUp.redirectURI = "com.example.app:/callback"
        world.setUp.associationFile = .file(Array(Self.good.utf8))
        #expect(try await world.report().only("association_file").level == .unchecked)
    }
}
