import Tern
import Testing

@Suite("Client configuration")
struct ClientConfigurationTests {
    private func account(_ issuer: String, _ clientID: String = "app") throws -> String {
        try ClientConfiguration(
            server: .issuer(try Issuer(issuer)), clientID: clientID,
            redirectURI: try RedirectURI("com.example.app:/callback")
        ).account.name
    }

    @Test("Two issuers on one host have two accounts, and two clients of one issuer too")
    func accountNames() throws {
        #expect(try account("https://id.example.com") == "app@id.example.com")
        #expect(try account("https://id.example.com/realms/a") == "app@id.example.com/realms/a")
        #expect(try account("https://id.example.com/realms/b") == "app@id.example.com/realms/b")
        #expect(try account("http://127.0.0.1:9101") == "app@127.0.0.1%3A9101")
        #expect(try account("https://id.example.com", "my app") == "my%20app@id.example.com")
    }

    @Test("A name that would be too long is cut and stays unmistakable")
    func longNames() throws {
        let long = String(repeating: "a", count: 300)
        let one = try account("https://id.example.com/" + long + "/1")
        let other = try account("https://id.example.com/" + long + "/2")
        #expect(one.utf8.count == StoreKey.maximumByteCount && one != other)
    }

    @Test("A client ID that is empty or has control characters is refused", arguments: ["", "a\nb", "a\u{0}"])
    func refusesClientIDs(clientID: String) {
        let error = #expect(throws: TernError.self) { try account("https://id.example.com", clientID) }
        #expect(error?.code == "invalid_configuration")
    }
}
