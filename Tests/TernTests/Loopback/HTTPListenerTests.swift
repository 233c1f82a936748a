import TernCrypto
import TernProtocol
import Testing

@testable import Tern

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct HTTPListenerTests {
    /// Answers with method, path and body.
    private static let echo: HTTPListener.Handler = { request in
        let body = String(decoding: request.bodyBytes ?? [], as: UTF8.self)
        return HTTPResponse(
            status: 200, fields: ["Content-Type": "text/plain"],
            body: Array("\(request.method.rawValue) \(request.url.text) \(body)".utf8))
    }

    private func started(_ hosts: [LoopbackHost] = [.ipv4], port: Int = 0) throws -> HTTPListener {
        let listener = try HTTPListener(hosts: hosts, port: port, handler: Self.echo)
        try listener.start()
        return listener
    }

    @Test func answersARequest() async throws {
        let listener = try started()
        let port = listener.port
        #expect(listener.baseURL == "http://127.0.0.1:\(port)")
        let answer = await RawPeer.exchange(
            port: port, "GET /a?b=c HTTP/1.1\r\nHost: LOCALHOST:\(port)\r\nConnection: close\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: "))
        #expect(answer.hasSuffix("\r\n\r\nGET http://localhost:\(port)/a?b=c "))
        await listener.stop()
    }

    @Test func answersPipelinedRequestsInOrderOnOneConnection() async throws {
        let listener = try started()
        let host = "Host: 127.0.0.1:\(listener.port)\r\n"
        let answer = await RawPeer.exchange(
            port: listener.port,
            "POST /1 HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nabcHEAD /2 HTTP/1.1\r\n\(host)\r\n"
                + "GET /3 HTTP/1.1\r\n\(host)Connection: close\r\n\r\n")
        let first = try #require(answer.range(of: "/1 abc"))
        let last = try #require(answer.range(of: "/3 "))
        #expect(first.lowerBound < last.lowerBound)
        #expect(!answer.contains("/2"), "HEAD has no body")
        #expect(answer.components("HTTP/1.1 200 OK") == 3)
        await listener.stop()
    }

    @Test func sendsContinueToWhoWaitsForIt() async throws {
        let listener = try started()
        let answer = await RawPeer.onThread { [port = listener.port] in
            guard let socket = RawPeer.connect(port) else { return "" }
            defer { close(socket) }
            let head = Array(
                "POST /x HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"
                    .utf8)
            send(socket, head, head.count, 0)
            var buffer = [UInt8](repeating: 0, count: 25)
            recv(socket, &buffer, 25, Int32(MSG_WAITALL))
            send(socket, "hi", 2, 0)
            return String(decoding: buffer, as: UTF8.self) + RawPeer.readToEnd(socket)
        }
        #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK"))
        #expect(answer.hasSuffix("/x hi"))
        await listener.stop()
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: evil.example:PORT\r\n\r\n", "400 Bad Request"),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "400 Bad Request"),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", "400 Bad Request"),
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT@evil.example\r\n\r\n", "400 Bad Request"),
        ("GET / HTTP/1.0\r\n\r\n", "400 Bad Request"),
        ("nonsense\r\n\r\n", "400 Bad Request"),
        ("POST / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nTransfer-Encoding: chunked\r\n\r\n", "411 Length Required"),
    ])
    func refusesAndCloses(request: String, status: String) async throws {
        let listener = try started()
        let text = request.replacing("PORT", with: String(listener.port))
        let answer = await RawPeer.exchange(port: listener.port, text + "GET / HTTP/1.1\r\n\r\n")
        #expect(answer == "HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await listener.stop()
    }

    @Test func anAnswerSurvivesABodyThatIsNotRead() async throws {
        let listener = try started()
        let big = String(repeating: "x", count: 300_000)
        let answer = await RawPeer.exchange(
            port: listener.port, "POST / HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: 300000\r\n\r\n\(big)")
        #expect(answer.hasPrefix("HTTP/1.1 400"))
        await listener.stop()
    }

    @Test func silentConnectionsBlockNeitherOthersNorTheEnd() async throws {
        let listener = try started()
        let port = listener.port
        let silent = await RawPeer.onThread { (0..<150).compactMap { _ in RawPeer.connect(port) } }
        let answer = await RawPeer.exchange(
            port: port, "GET /ok HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
        #expect(answer.contains("/ok"))
        let start = ContinuousClock.now
        await listener.stop()
        #expect(ContinuousClock.now - start < .seconds(3))
        silent.forEach { close($0) }
    }

    @Test func stopWaitsForAnAnswerUnderWay() async throws {
        let arrived = OneShot<Bool>()
        let release = OneShot<Bool>()
        let listener = try HTTPListener { _ in
            arrived.resolve(true)
            _ = await release.value(whenCancelled: false)
            return HTTPResponse(status: 200, body: Array("late".utf8))
        }
        try listener.start()
        let port = listener.port
        async let answer = RawPeer.exchange(port: port, "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        _ = await arrived.value(whenCancelled: false)
        async let stopped: Void = listener.stop()
        release.resolve(true)
        #expect(await answer.hasSuffix("late"))
        await stopped
        await listener.stop()
        #expect(await RawPeer.exchange(port: port, "x") == "no connection")
        #expect(throws: TernError.self) { try listener.start() }
    }

    @Test func aHandlerThatNeverAnswersIsCancelledByStop() async throws {
        let arrived = OneShot<Bool>()
        let cancelled = OneShot<Bool>()
        let listener = try HTTPListener { _ in
            arrived.resolve(true)
            cancelled.resolve(await OneShot<Bool>().value(whenCancelled: true))
            return HTTPResponse(status: 200)
        }
        try listener.start()
        let port = listener.port
        async let answer = RawPeer.exchange(port: port, "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        _ = await arrived.value(whenCancelled: false)
        await listener.stop()
        #expect(await cancelled.value(whenCancelled: false))
        #expect(await answer.isEmpty)
    }

    @Test func twoAddressesHaveOnePort() async throws {
        let listener = try started([.ipv4, .ipv6])
        #expect(listener.hosts.first == .ipv4)
        let transport = CurlTransport()
        for host in listener.hosts {
            let answer = try await transport.send(
                .get("http://\(host.rawValue):\(listener.port)/v"), step: .resourceRequest)
            #expect(String(decoding: answer.body, as: UTF8.self) == "GET http://\(host.rawValue):\(listener.port)/v ")
        }
        await listener.stop()
    }

    @Test func aTakenPortIsAnError() async throws {
        let first = try started()
        let error = #expect(throws: TernError.self) { try HTTPListener(port: first.port, handler: Self.echo) }
        #expect(error?.reason == .portInUse([first.port]))
        let both = #expect(throws: TernError.self) {
            try HTTPListener(hosts: [.ipv6, .ipv4], port: first.port, handler: Self.echo)
        }
        #expect(both?.reason == .portInUse([first.port]))
        await first.stop()
        let again = try started(port: first.port)
        #expect(again.port == first.port)
        await again.stop()
    }

    @Test func listenersLeaveNoDescriptorBehind() async throws {
        // More than a process may have open by default, if each left one.
        for round in 0..<1_200 {
            let listener = try started()
            if round.isMultiple(of: 100) {
                _ = await RawPeer.exchange(
                    port: listener.port,
                    "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(listener.port)\r\nConnection: close\r\n\r\n")
            }
            await listener.stop()
        }
        for _ in 0..<1_200 { _ = try HTTPListener(handler: Self.echo) }
    }
}

extension String {
    fileprivate func range(of other: String) -> Range<String.Index>? { firstRange(of: other) }
    fileprivate func components(_ other: String) -> Int { ranges(of: other).count }
}
