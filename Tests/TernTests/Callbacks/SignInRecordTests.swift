import Foundation
import TernTesting
import Testing

@testable import Tern

@Suite("The record of a sign-in")
struct SignInRecordTests {
    private func full() async throws -> SignIn {
        let processes = try Processes()
        var options = SignInOptions()
        options.maxAge = .seconds(3_600)
        options.acrValues = ["loa-2", "loa-1"]
        options.expectedSubject = "u-1"
        options.account = try StoreKey("work")
        options.attachment = ["place": "/inbox", "n": 7]
        return try await processes.newClient().begin(options)
    }

    @Test("Everything comes back, from the record and from Codable, which write the same JSON")
    func roundTrip() async throws {
        let signIn = try await full()
        #expect(try SignIn(signIn.record) == signIn)
        let encoded = try JSONEncoder().encode(signIn)
        #expect(try JSONDecoder().decode(SignIn.self, from: encoded) == signIn)
        #expect(try SignIn(StoredRecord(Array(encoded))) == signIn)
        #expect(try JSONDecoder().decode(SignIn.self, from: Data(signIn.record.exposedBytes)) == signIn)
        #expect(signIn.attachment["place"]?.string == "/inbox")
        #expect(signIn.expiresAt == signIn.begunAt + .seconds(600))
    }

    @Test("A record of a newer version, or without what is needed, is refused with a word")
    func damaged() async throws {
        let object = try #require(try JSON(parsing: try await full().record.exposedBytes).object)
        var newer = object
        newer["version"] = 2
        let error = #expect(throws: TernError.self) { try SignIn(StoredRecord(newer.serialized())) }
        #expect(error?.reason == .newerRecord(version: 2))
        let needed = [
            "address", "begun_at", "expires_at", "account", "client_id", "server", "redirect_uri", "state",
            "code_verifier",
        ]
        for name in needed {
            let error = #expect(throws: TernError.self) {
                try SignIn(StoredRecord(object.removing(name).serialized()))
            }
            #expect(error?.code == "corrupted_record", "\(name)")
        }
        for text in ["", "[]", "{", "null", "\u{0}"] {
            let error = #expect(throws: TernError.self) { try SignIn(StoredRecord(Array(text.utf8))) }
            #expect(error?.code == "corrupted_record")
        }
    }

    @Test("Members that may be missing take their defaults")
    func defaults() async throws {
        let object = try #require(try JSON(parsing: try await full().record.exposedBytes).object)
        let small = object.removing(
            "version", "scope", "iss", "nonce", "max_age", "acr_values", "sub", "kept", "attachment",
            "requires_issuer")
        let signIn = try SignIn(StoredRecord(small.serialized()))
        #expect(signIn.scope.isEmpty && signIn.nonce == nil && signIn.acrValues.isEmpty && !signIn.isKept)
    }

    @Test("A stranger who does not know the state cannot end a sign-in, however the address looks")
    func strangers() async throws {
        let signIn = try await full()
        let queries = [
            "#code=x", "#error=access_denied", "#code=x&state=y", "?error=access_denied", "?code=x&code=y", "?code=x",
            "?code=x&state=y", "?state=", "",
        ]
        for query in queries {
            guard case .refused = signIn.judge(try uri("com.example.app:/callback" + query), delivery: .open) else {
                Issue.record("\(query)")
                continue
            }
        }
        let own = try uri("com.example.app:/callback#code=x&state=" + signIn.state)
        guard case .failure = signIn.judge(own, delivery: .open) else {
            Issue.record("its own answer in the fragment")
            return
        }
    }
}
