import TernCrypto
import TernProtocol
import Testing

@testable import Tern

/// Answers that break off, fields that would smuggle others, and callers that give up.
@Suite(.timeLimit(.minutes(2))) struct TransportHazardTests {
    private func request(_ method: HTTPMethod, _ port: Int, _ fields: HTTPFields = [:]) throws -> HTTPRequest {
        HTTPRequest(method, try URI.required("http://127.0.0.1:\(port)/", field: "url"), fields: fields)
    }

    private func failure(_ request: HTTPRequest, _ transport: CurlTransport = CurlTransport()) async -> TernError? {
        do throws(TernError) {
            _ = try await transport.send(request, step: .tokenRequest)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5",
    ])
    func anAnswerThatBreaksOffIsNoAnswer(text: String) async throws {
        let server = try ScriptedServer([[.answer(text)], [.answer(text)]])
        #expect(await failure(try request(.get, server.port))?.reason == .network(.connectionLost))
        #expect(await failure(try request(.post, server.port))?.reason == .outcomeUnknown)
        #expect(await server.requestCount() == 2)
    }

    @Test func wholeChunksAreAnAnswer() async throws {
        let text =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-Late: 1\r\n\r\n"
        let server = try ScriptedServer([[.answer(text)]])
        let answer = try await CurlTransport().send(try request(.get, server.port), step: .discovery)
        #expect(answer.body == Array("abcde".utf8))
        #expect(answer.fields["X-Late"] == nil)
    }

    @Test func theFieldsAreThoseOfTheLastHead() async throws {
        let text =
            "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\nX-Real: 2\r\nContent-Length: 0\r\n\r\n"
        let server = try ScriptedServer([[.answer(text)]])
        let answer = try await CurlTransport().send(try request(.get, server.port), step: .discovery)
        #expect(answer.status == 200)
        #expect(answer.fields["X-Early"] == nil)
        #expect(answer.fields["X-Real"] == "2")
    }

    @Test func noFieldSmugglesAnother() async throws {
        let seen = Locked<[HTTPRequest]>([])
        let listener = try HTTPListener { request in
            seen.withLock { $0.append(request) }
            return HTTPResponse(status: 200)
        }
        try listener.start()
        let fields: HTTPFields = [
            "X-A": "1\r\nX-Evil: 1", "X-B\r\nX-Evil": "1", "X-C: X-Evil": "1", "X-D": "1\nX-Evil: 1",
            "X-E": "fine: yes",
            "Content-Length": "5", "Transfer-Encoding": "chunked",
        ]
        let transport = CurlTransport(policy: TransportPolicy(userAgentName: "a\r\nX-Evil: 1"))
        _ = try await transport.send(try request(.post, listener.port, fields), step: .resourceRequest)
        let received = try #require(seen.withLock { $0.first })
        #expect(received.fields["X-Evil"] == nil)
        #expect(received.fields["X-E"] == "fine: yes")
        #expect(received.fields["User-Agent"] == "Tern")
        #expect(received.fields["Transfer-Encoding"] == nil)
        #expect(received.fields["Content-Length"] == "0")
        #expect(seen.withLock { $0.count } == 1)
        await listener.stop()
    }

    @Test func oneConnectionServesThreeRequests() async throws {
        let listener = try HTTPListener { _ in HTTPResponse(status: 200) }
        try listener.start()
        let transport = CurlTransport()
        for _ in 0..<3 { _ = try await transport.send(try request(.get, listener.port), step: .discovery) }
        #expect(transport.counters == TransportCounters(requests: 3, connections: 1))
        await listener.stop()
    }

    @Test func aCallerThatGaveUpBeforehandSendsNothing() async throws {
        let seen = Locked(0)
        let listener = try HTTPListener { _ in
            seen.withLock { $0 += 1 }
            return HTTPResponse(status: 200)
        }
        try listener.start()
        let request = try request(.post, listener.port)
        let transport = CurlTransport()
        let mayBegin = OneShot<Bool>()
        let call = Task {
            _ = await mayBegin.value(whenCancelled: false)
            return await failure(request, transport)
        }
        call.cancel()
        #expect(await call.value == TernError(.cancelled, at: .tokenRequest))
        #expect(transport.counters.requests == 0)
        #expect(seen.withLock { $0 } == 0)
        await listener.stop()
    }

    @Test func callsAtOnceAreAnsweredOrCancelledEachForItself() async throws {
        let arrived = Locked(0)
        let allArrived = OneShot<Bool>()
        let mayAnswer = Locked<[OneShot<Bool>]>([])
        let listener = try HTTPListener { request in
            let gate = OneShot<Bool>()
            mayAnswer.withLock { $0.append(gate) }
            let count = arrived.withLock { arrived in
                arrived += 1
                return arrived
            }
            if count == 60 { allArrived.resolve(true) }
            _ = await gate.value(whenCancelled: true)
            return HTTPResponse(status: 200, body: Array((request.fields["X-Number"] ?? "").utf8))
        }
        try listener.start()
        let port = listener.port
        let transport = CurlTransport()
        // The listener takes 64 connections.
        let calls = (0..<60).map { number in
            Task {
                let request = try request(.get, port, ["X-Number": "\(number)"])
                return try await transport.send(request, step: .discovery).body
            }
        }
        _ = await allArrived.value(whenCancelled: false)
        for (number, call) in calls.enumerated() where number % 2 == 1 { call.cancel() }
        for (number, call) in calls.enumerated() where number % 2 == 1 {
            let error = await #expect(throws: TernError.self) { try await call.value }
            #expect(error?.reason == .cancelled)
        }
        for gate in mayAnswer.withLock({ $0 }) { gate.resolve(true) }
        for (number, call) in calls.enumerated() where number % 2 == 0 {
            #expect(try await call.value == Array("\(number)".utf8))
        }
        await listener.stop()
    }

    @Test func aHundredAtOnce() async throws {
        // Two, because a listener takes 64 connections and closes idle ones for more.
        let listeners = try (0..<2).map { _ in
            try HTTPListener { HTTPResponse(status: 200, body: Array(($0.fields["X-Number"] ?? "").utf8)) }
        }
        for listener in listeners { try listener.start() }
        let ports = listeners.map(\.port)
        let transport = CurlTransport()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let request = try request(.get, ports[number % 2], ["X-Number": "\(number)"])
                    return try await transport.send(request, step: .discovery).body == Array("\(number)".utf8)
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        #expect(transport.counters.requests == 100)
        for listener in listeners { await listener.stop() }
    }
}
