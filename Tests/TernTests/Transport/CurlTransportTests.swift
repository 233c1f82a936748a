#if TERN_CURL || os(Linux)
    import TernCrypto
    import TernProtocol
    import Testing

    @testable import Tern

    @Suite struct CurlTransportTests {
        private func serve(_ handler: @escaping HTTPListener.Handler) throws -> HTTPListener {
            let listener = try HTTPListener(handler: handler)
            try listener.start()
            return listener
        }

        private func url(_ port: Int, _ path: String = "/") throws -> URI {
            try URI.required("http://127.0.0.1:\(port)\(path)", field: "url")
        }

        private func failure(
            _ request: HTTPRequest, _ policy: TransportPolicy = TransportPolicy()
        ) async -> TernError.Reason? {
            do throws(TernError) {
                _ = try await CurlTransport(policy: policy).send(request, step: .tokenRequest)
                return nil
            } catch {
                #expect(error.step == .tokenRequest)
                return error.reason
            }
        }

        @Test func sendsWhatItIsGiven() async throws {
            let seen = Locked<[HTTPRequest]>([])
            let listener = try serve { request in
                seen.withLock { $0.append(request) }
                return HTTPResponse(status: 201, fields: ["X-One": "1", "x-one": "2"], body: Array("ok".utf8))
            }
            let transport = CurlTransport(policy: TransportPolicy(userAgentName: "test/1"))
            var form = HTTPRequest(.post, try url(listener.port, "/token/../t?a=%2B"))
            form.form = ["grant_type": "x y", "é": "+"]
            let answer = try await transport.send(form, step: .tokenRequest)
            #expect(answer.status == 201)
            #expect(answer.fields.values(of: "X-ONE") == ["1", "2"])
            #expect(answer.body == Array("ok".utf8))
            let put = HTTPRequest(
                .put, try url(listener.port), fields: ["Content-Type": "text/x", "X-Empty": "", "Host": "evil"],
                body: .bytes([0, 1, 2]))
            _ = try await transport.send(put, step: .resourceRequest)
            _ = try await transport.send(HTTPRequest(.delete, try url(listener.port)), step: .resourceRequest)
            _ = try await transport.send(HTTPRequest(.post, try url(listener.port)), step: .resourceRequest)
            let head = try await transport.send(HTTPRequest(.head, try url(listener.port)), step: .resourceRequest)
            #expect(head.body.isEmpty)
            #expect(head.status == 201)
            let requests = seen.withLock { $0 }
            #expect(requests.map(\.method) == [.post, .put, .delete, .post, .head])
            #expect(requests[0].url.text == "http://127.0.0.1:\(listener.port)/token/../t?a=%2B")
            #expect(requests[0].fields["Content-Type"] == "application/x-www-form-urlencoded")
            #expect(requests[0].fields["User-Agent"] == "test/1")
            #expect(requests[0].bodyBytes == Array("grant_type=x%20y&%C3%A9=%2B".utf8))
            #expect(requests[1].fields["Content-Type"] == "text/x")
            #expect(requests[1].fields["X-Empty"] == "")
            #expect(requests[1].bodyBytes == [0, 1, 2])
            #expect(requests[3].bodyBytes == nil)
            #expect(requests[3].fields["Content-Type"] == nil)
            #expect(transport.counters == TransportCounters(requests: 5, connections: 1))
            await listener.stop()
        }

        @Test func doesNothingBeforeTheFirstRequestAndEndsItsThread() async throws {
            let listener = try serve { _ in HTTPResponse(status: 200) }
            let ended = OneShot<Bool>()
            var transport: CurlTransport? = CurlTransport(policy: TransportPolicy(), whenEnded: { ended.resolve(true) })
            #expect(transport?.isStarted == false)
            _ = try await transport?.send(HTTPRequest(.get, try url(listener.port)), step: .discovery)
            #expect(transport?.isStarted == true)
            transport = nil
            #expect(await ended.value(whenCancelled: false))
            await listener.stop()
        }

        @Test func followsNoRedirect() async throws {
            let seen = Locked(0)
            let listener = try serve { request in
                seen.withLock { $0 += 1 }
                return HTTPResponse(status: 302, fields: ["Location": "/elsewhere"])
            }
            for method: HTTPMethod in [.get, .post] {
                let answer = try await CurlTransport().send(
                    HTTPRequest(method, try url(listener.port)), step: .tokenRequest)
                #expect(answer.status == 302)
                #expect(answer.fields["Location"] == "/elsewhere")
            }
            #expect(seen.withLock { $0 } == 2)
            await listener.stop()
        }

        @Test func refusesAnswersBeyondTheLimit() async throws {
            let listener = try serve { request in
                HTTPResponse(
                    status: 200, body: Array(repeating: 0x78, count: request.url.encodedPath == "/1" ? 1_001 : 1_000))
            }
            let policy = TransportPolicy(bodyLimit: 1_000)
            #expect(await failure(HTTPRequest(.get, try url(listener.port, "/0")), policy) == nil)
            #expect(
                await failure(HTTPRequest(.get, try url(listener.port, "/1")), policy)
                    == .responseTooLarge(limit: 1_000))
            await listener.stop()
            let endless = try ScriptedServer([
                [.answer("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 3 << 20))]
            ])
            #expect(
                await failure(HTTPRequest(.post, try url(endless.port))) == .responseTooLarge(limit: 1 << 20))
            let fields = try ScriptedServer([
                [.answer("HTTP/1.1 200 OK\r\n" + String(repeating: "X-Y: zzzzzzzzzzzzzzzz\r\n", count: 20_000))]
            ])
            #expect(await failure(HTTPRequest(.get, try url(fields.port))) == .malformedResponse(field: "header"))
        }

        @Test func aLostAnswerOfAPostIsUnknownAndNothingIsSentTwice() async throws {
            let post = try ScriptedServer([[.hangUp]])
            #expect(await failure(HTTPRequest(.post, try url(post.port))) == .outcomeUnknown)
            #expect(await post.requestCount() == 1)
            let get = try ScriptedServer([[.hangUp]])
            #expect(await failure(HTTPRequest(.get, try url(get.port))) == .network(.connectionLost))
            let cut = try ScriptedServer([[.answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")]])
            #expect(await failure(HTTPRequest(.get, try url(cut.port))) == .network(.connectionLost))
        }

        @Test func aKeptConnectionThatBreaksUnderAPostIsNotTriedAgain() async throws {
            let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
            // The second connection is opened for the repeat, which is then not sent.
            let server = try ScriptedServer([[.answer(ok), .hangUp], [], [.answer(ok), .hangUp], [.answer(ok)]])
            let transport = CurlTransport()
            _ = try await transport.send(HTTPRequest(.get, try url(server.port)), step: .discovery)
            let error = await #expect(throws: TernError.self) {
                try await transport.send(
                    HTTPRequest(.post, try url(server.port), body: .form(["code": "c"])), step: .tokenRequest)
            }
            #expect(error?.reason == .outcomeUnknown)
            // What is idempotent may go out again.
            _ = try await transport.send(HTTPRequest(.get, try url(server.port)), step: .discovery)
            let answer = try await transport.send(HTTPRequest(.get, try url(server.port)), step: .discovery)
            #expect(answer.status == 200)
            #expect(await server.requestCount() == 5)
        }

        @Test func namesTheKindOfFailure() async throws {
            let closed = try ReservedPort()
            #expect(await failure(HTTPRequest(.post, try url(closed.number))) == .network(.connectionFailed))
            let name = String(repeating: "a", count: 64)
            #expect(await failure(try .get("http://\(name).invalid/")) == .network(.hostNotFound))
            let silent = try ScriptedServer([[.silence], [.silence]])
            let hurried = TransportPolicy(timeout: .milliseconds(100))
            #expect(await failure(HTTPRequest(.get, try url(silent.port)), hurried) == .network(.timedOut))
            #expect(await failure(HTTPRequest(.post, try url(silent.port)), hurried) == .outcomeUnknown)
        }

        @Test(arguments: ["ftp://a.example/", "file:///etc/passwd", "http://user:pw@127.0.0.1/", "http:///x"])
        func refusesAddressesThatAreNotForIt(address: String) async throws {
            guard case .invalidConfiguration("url", _) = await failure(try .get(address)) else {
                Issue.record("not refused")
                return
            }
        }

        @Test(arguments: ["", "get", "GET / HTTP/1.1\r\nX:", "A B"])
        func refusesMethodsThatAreNone(method: String) async throws {
            let request = HTTPRequest(HTTPMethod(rawValue: method), try url(1))
            guard case .invalidConfiguration("method", _) = await failure(request) else {
                Issue.record("not refused")
                return
            }
        }

        @Test func cancellationEndsTheCall() async throws {
            let arrived = OneShot<Bool>()
            let listener = try serve { _ in
                arrived.resolve(true)
                _ = await OneShot<Bool>().value(whenCancelled: true)
                return HTTPResponse(status: 200)
            }
            let request = HTTPRequest(.post, try url(listener.port))
            let transport = CurlTransport()
            let task = Task { try await transport.send(request, step: .refresh) }
            _ = await arrived.value(whenCancelled: false)
            task.cancel()
            let error = await #expect(throws: TernError.self) { try await task.value }
            #expect(error?.reason == .cancelled)
            await listener.stop()
        }

        @Test(.timeLimit(.minutes(2))) func fifteenThousandCancelsAtRandomMoments() async throws {
            let listener = try serve { _ in HTTPResponse(status: 200, body: Array("ok".utf8)) }
            let request = HTTPRequest(.get, try url(listener.port))
            let transport = CurlTransport()
            let tally = Locked([String: Int]())
            await withTaskGroup(of: Void.self) { group in
                for lane in 0..<4 {
                    group.addTask {
                        for round in 0..<3_750 {
                            let call = Task {
                                do throws(TernError) {
                                    _ = try await transport.send(request, step: .discovery)
                                    return "ok"
                                } catch {
                                    return error.code
                                }
                            }
                            for _ in 0..<((round &* 7 &+ lane) % 40) { await Task.yield() }
                            call.cancel()
                            let result = await call.value
                            tally.withLock { $0[result, default: 0] += 1 }
                        }
                    }
                }
            }
            let counts = tally.withLock { $0 }
            #expect(counts["ok", default: 0] + counts["cancelled", default: 0] == 15_000, "\(counts)")
            #expect(try await transport.send(request, step: .discovery).status == 200)
            await listener.stop()
        }

        @Test func manyAtOnce() async throws {
            let listener = try serve { request in HTTPResponse(status: 200, body: Array(request.url.encodedPath.utf8)) }
            let transport = CurlTransport()
            let port = listener.port
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<400 {
                    group.addTask {
                        let request = try HTTPRequest.get("http://127.0.0.1:\(port)/\(index)")
                        return try await transport.send(request, step: .discovery).body == Array("/\(index)".utf8)
                    }
                    if index >= 32 { #expect(try await group.next() == true) }
                }
                for try await isRight in group { #expect(isRight) }
            }
            #expect(transport.counters.requests == 400)
            await listener.stop()
        }
    }
#endif
