import Tern
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Fake clock, seeded bytes, test transport") struct EdgeTests {
    @Test func sleepersWakeInTheirOrder() async throws {
        let clock = FakeClock(NumericDate(100))
        async let short: Void = clock.sleep(for: .seconds(5))
        async let long: Void = clock.sleep(for: .seconds(10))
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(5))
        try await short
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(5))
        try await long
        #expect(clock.now == NumericDate(110))
    }

    @Test func aCancelledSleepEnds() async throws {
        let clock = FakeClock()
        let task = Task { try await clock.sleep(for: .seconds(5)) }
        await clock.waitForSleepers()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test func sleepsCanPassAtOnce() async throws {
        let clock = FakeClock(NumericDate(0), sleepsPassAtOnce: true)
        try await clock.sleep(for: .milliseconds(1500))
        #expect(clock.now == NumericDate(1.5))
    }

    @Test func theSameSeedGivesTheSameBytes() {
        let one = SeededRandomSource(seed: 7)
        let other = SeededRandomSource(seed: 7)
        #expect(one.bytes(5) == other.bytes(5))
        #expect(one.bytes(32) == other.bytes(32))
        #expect(one.bytes(32) != one.bytes(32))
        // SplitMix64 with the seed 0 begins with E220A8397B1DCDAF.
        #expect(SeededRandomSource(seed: 0).bytes(8) == [0xAF, 0xCD, 0x1D, 0x7B, 0x39, 0xA8, 0x20, 0xE2])
    }

    @Test func serversAreToldApartByOriginAndPath() async throws {
        func server(_ issuer: String) throws -> ServedAuthorizationServer {
            ServedAuthorizationServer(AuthorizationServer(issuer: try #require(URI(issuer))))
        }
        let root = try server("https://one.example")
        let tenant = try server("https://one.example/tenant")
        let other = try server("https://two.example:8443")
        let transport = TestTransport(root, tenant, other)
        for server in [root, tenant, other] {
            for endpoint in [Endpoint.openIDConfiguration, .authorizationServerMetadata] {
                let request = try HTTPRequest.get(server.server.address(of: endpoint))
                let answer = try await transport.send(request, step: .discovery)
                #expect(answer.json["issuer"]?.string == server.issuer.text)
            }
        }
        let error = await #expect(throws: TernError.self) {
            try await transport.send(.get("https://two.example/jwks"), step: .keys)
        }
        #expect(error == TernError(.network(.hostNotFound), at: .keys))
    }

    @Test func largeAnswersAreRefused() async throws {
        let served = ServedAuthorizationServer()
        served.add(Fault(at: .keys, .body([UInt8](repeating: 0x20, count: 1_048_577))))
        let transport = TestTransport(served)
        let error = await #expect(throws: TernError.self) {
            try await transport.send(.get("https://id.example.com/jwks"), step: .keys)
        }
        #expect(error?.reason == .responseTooLarge(limit: 1_048_576))
    }

    @Test func aCancelledCallEnds() async throws {
        let rig = Rig()
        rig.served.add(Fault(at: .keys, .delay(.seconds(30))))
        let task = Task { try await rig.send(.get, rig.address(.keys)) }
        await rig.clock.waitForSleepers()
        task.cancel()
        let error = await #expect(throws: TernError.self) { try await task.value }
        #expect(error?.reason == .cancelled)
    }

    @Test func oldThingsAreForgotten() async throws {
        let rig = Rig()
        let old = try await rig.tokens()
        rig.clock.advance(by: .seconds(31 * 86_400))
        for _ in 0..<600 { _ = try await rig.send(.get, rig.address(.openIDConfiguration)) }
        #expect(try await rig.refresh(old.refresh).errorCode == "invalid_grant")
        #expect(rig.served.server.journal.count > 600)
    }
}
