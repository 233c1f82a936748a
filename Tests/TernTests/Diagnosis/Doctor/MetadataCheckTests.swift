import Tern
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("The doctor's look at metadata")
struct MetadataCheckTests {
    private func findings(
        _ name: String, _ changes: [String: JSON?], _ change: (inout ClientSetUp) -> Void = { _ in }
    ) async throws -> [Finding] {
        var world = DoctorWorld { $0.metadataChanges = changes }
        change(&world.setUp)
        return try await world.report()[name]
    }

    private func failures(_ name: String, _ changes: [String: JSON?]) async throws -> [String] {
        try await findings(name, changes).filter { $0.level == .failed }.map(\.title)
    }

    @Test(
        "Every endpoint that a sign-in needs is missed",
        arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri"])
    func missing(_ name: String) async throws {
        #expect(try await failures("metadata_endpoints", [name: .some(nil)]) == ["There is no \(name)"])
        #expect(
            try await failures("metadata_endpoints", [name: "/relative"]) == ["\(name) is not an absolute address"])
    }

    @Test("An endpoint on plain http is told, and not asked")
    func plainHTTP() async throws {
        var world = DoctorWorld { $0.metadataChanges["token_endpoint"] = "http://id.example.com/token" }
        world.setUp.furtherHosts = ["id.example.com"]
        let report = try await world.report()
        #expect(report["endpoints_https"].map(\.level) == [.failed])
        #expect(report["token_request"].isEmpty)
        #expect(!report.requests.contains { $0.contains("http://") })
    }

    @Test("PKCE that is not offered, or not with S256")
    func pkce() async throws {
        let silent = try await findings("pkce_advertised", ["code_challenge_methods_supported": .some(nil)])
        #expect(silent.map(\.level) == [.warning])
        let plain = try await findings("pkce_advertised", ["code_challenge_methods_supported": ["plain"]])
        #expect(plain.map(\.level) == [.failed])
    }

    @Test("Grants: offered, not offered, and not spoken of")
    func grants() async throws {
        let name = "grants_advertised"
        let without = try await findings(name, ["grant_types_supported": ["client_credentials"]])
        #expect(without.map(\.level) == [.failed])
        let device = "urn:ietf:params:oauth:grant-type:device_code"
        let both = try await findings(name, ["grant_types_supported": ["authorization_code"]]) {
            $0.grants = ["authorization_code", device]
        }
        #expect(both.map(\.level) == [.passed, .failed])
        let silent = try await findings(name, ["grant_types_supported": .some(nil)])
        #expect(silent.map(\.level) == [.passed])
        let silentDevice = try await findings(name, ["grant_types_supported": .some(nil)]) { $0.grants = [device] }
        #expect(silentDevice.map(\.level) == [.warning])
    }

    @Test("A promised grant needs its endpoint")
    func consistency() async throws {
        let device: JSON = ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"]
        let changes: [String: JSON?] = ["grant_types_supported": device, "device_authorization_endpoint": .some(nil)]
        #expect(try await findings("consistency", changes).map(\.level) == [.warning])
        let needed = try await findings("grants_advertised", changes) {
            $0.grants = ["urn:ietf:params:oauth:grant-type:device_code"]
        }
        #expect(needed.map(\.level) == [.failed])
        #expect(
            try await failures(
                "consistency",
                [
                    "require_pushed_authorization_requests": true, "pushed_authorization_request_endpoint": .some(nil),
                ]
            ).count == 1)
    }

    @Test("The response type code is not offered")
    func responseType() async throws {
        let found = try await findings("response_type_advertised", ["response_types_supported": ["id_token"]])
        #expect(found.map(\.level) == [.failed])
    }

    @Test("The client's authentication is not among those offered")
    func authentication() async throws {
        let name = "client_authentication_advertised"
        let changes: [String: JSON?] = ["token_endpoint_auth_methods_supported": ["private_key_jwt"]]
        #expect(
            try await findings(name, changes) { $0.authenticationMethod = "client_secret_post" }.map(\.level) == [
                .warning
            ])
        #expect(try await findings(name, changes).map(\.level) == [.note])
        #expect(
            try await findings(name, changes) { $0.authenticationMethod = "private_key_jwt" }.map(\.level) == [.passed])
        let silent: [String: JSON?] = ["token_endpoint_auth_methods_supported": .some(nil)]
        #expect(
            try await findings(name, silent) { $0.authenticationMethod = "client_secret_post" }.map(\.level) == [
                .warning
            ])
        #expect(
            try await findings(name, silent) { $0.authenticationMethod = "client_secret_basic" }.map(\.level) == [
                .passed
            ])
        #expect(try await findings(name, changes) { $0.authenticationMethod = nil }.isEmpty)
    }

    @Test("Scopes that are not published")
    func scopes() async throws {
        let name = "scopes_advertised"
        let openID = try await findings(name, ["scopes_supported": ["profile"]])
        #expect(openID.map(\.level) == [.warning])
        let other = try await findings(name, ["scopes_supported": ["openid"]])
        #expect(other.map(\.level) == [.note])
        #expect(other.first?.title == "Not among those published: profile")
    }

    @Test("ID tokens without a signature that Tern takes")
    func algorithms() async throws {
        let found = try await findings(
            "id_token_algorithms", ["id_token_signing_alg_values_supported": ["HS256", "none"]])
        #expect(found.map(\.level) == [.failed, .warning])
    }
}

@Suite("The doctor's look at keys")
struct KeyCheckTests {
    @Test("Keys that cannot be had, and what is no key set")
    func unreachable() async throws {
        let missing = try await DoctorWorld(faults: Fault(at: .keys, .status(404))).report()
        #expect(try missing.only("keys_reachable").level == .failed)
        let page = try await DoctorWorld(faults: Fault(at: .keys, .text("<html></html>"))).report()
        #expect(try page.only("keys_usable").level == .failed)
        let broken = try await DoctorWorld(faults: Fault(at: .keys, .dropRequest)).report()
        #expect(try broken.only("keys_reachable").level == .failed)
    }

    @Test("A key that cannot be used is told with the reason, and a set without any fit key fails")
    func unusable() async throws {
        let elliptic: JSON = ["kty": "EC", "crv": "P-256", "x": "AA", "y": "AA", "kid": "odd"]
        let report = try await DoctorWorld(faults: Fault(at: .keys, .member("keys", .set([elliptic])))).report()
        let key = try report.only("key")
        #expect(key.level == .warning)
        #expect(key.title.contains("\"odd\" cannot be used"))
        #expect(try report.only("keys_for_algorithms").level == .failed)
    }

    @Test("A private key in the set is an alarm")
    func privateKey() async throws {
        let key: JSON = ["kty": "oct", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA", "kid": "shared"]
        let report = try await DoctorWorld(faults: Fault(at: .keys, .member("keys", .insert(key)))).report()
        #expect(try report.only("private_key").level == .failed)
        #expect(!JSON.object(report.json).text.contains("c2VjcmV0"))
    }

    @Test("An algorithm without a key is only a note, since servers make keys when clients ask")
    func algorithm() async throws {
        let report = try await DoctorWorld {
            $0.metadataChanges["id_token_signing_alg_values_supported"] = ["RS256", "ES384"]
        }.report()
        let finding = try report.only("keys_for_algorithms")
        #expect(finding.level == .note)
        #expect(finding.title == "No key for ES384")
    }
}
