import Testing
import TernProtocol

@testable import Tern

@Suite struct HTTPRequestReaderTests {
    private func head(_ text: String) throws(HTTPRefusal) -> HTTPRequestHead? {
        var reader = HTTPRequestReader()
        reader.feed(Array(text.utf8))
        return try reader.nextHead()
    }

    @Test func readsAPlainRequest() throws {
        let head = try #require(
            try head("GET /cb?code=a%20b HTTP/1.1\r\nHost: 127.0.0.1:8400\r\nAccept:  text/html \r\nX-Empty:\r\n\r\n"))
        #expect(head.method == .get)
        #expect(head.target == "/cb?code=a%20b")
        #expect(head.host == "127.0.0.1:8400")
        #expect(head.fields["accept"] == "text/html")
        #expect(head.fields["x-empty"] == "")
        #expect(head.contentLength == 0)
        #expect(head.keepsAlive)
        #expect(!head.expectsContinue)
    }

    @Test func readsByteByByteAndKeepsWhatFollows() throws {
        let text =
            "POST /a HTTP/1.1\r\nHost: localhost:1\r\nContent-Length: 3\r\n\r\nabcGET /b HTTP/1.1\r\nHost: x\r\n\r\n"
        var reader = HTTPRequestReader()
        var targets: [String] = []
        var bodies: [[UInt8]] = []
        var open: HTTPRequestHead?
        for byte in text.utf8 {
            reader.feed(CollectionOfOne(byte))
            if open == nil { open = try reader.nextHead() }
            if let head = open, let body = reader.body(head.contentLength) {
                targets.append(head.target)
                bodies.append(body)
                open = nil
            }
        }
        #expect(targets == ["/a", "/b"])
        #expect(bodies == [Array("abc".utf8), []])
        #expect(reader.isEmpty)
    }

    @Test(arguments: [
        ("1.1", "", true), ("1.1", "Connection: close\r\n", false), ("1.1", "Connection: x, Close\r\n", false),
        ("1.0", "", false), ("1.0", "Connection: keep-alive\r\n", true),
    ])
    func decidesWhetherTheConnectionStays(version: String, line: String, stays: Bool) throws {
        #expect(try head("GET / HTTP/\(version)\r\nHost: a\r\n\(line)\r\n")?.keepsAlive == stays)
    }

    @Test func overlooksOneEmptyLineBefore() throws {
        #expect(try head("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")?.target == "/")
        #expect(throws: HTTPRefusal.badRequest) { try head("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n") }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\nHost: a\n\n",
        "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
        "GET / HTTP/1.1\rHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\tfolded: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        "GET / HTTP/1.1\r\n: a\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nNoColon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: \u{0}\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: \u{7F}\r\n\r\n",
        "GET /\u{0} HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1 \r\nHost: a\r\n\r\n",
        " GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /\r\nHost: a\r\n\r\n",
        "GET / http/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1,1\r\nHost: a\r\n\r\n",
        "GET / HTTP/11\r\nHost: a\r\n\r\n",
        "GET / HTTP/x.1\r\nHost: a\r\n\r\n",
        "G(T / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
        "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /ä HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost:\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x3\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc",
        "\u{16}\u{3}\u{1}\u{2}",
    ])
    func refusesWhatCouldBeReadInTwoWays(text: String) {
        #expect(throws: HTTPRefusal.badRequest) { try head(text) }
    }

    @Test(arguments: [
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity, chunked\r\n\r\n", 411),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999999\r\n\r\n", 413),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        ("GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505),
        ("GET /" + String(repeating: "a", count: 17_000), 431),
        ("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 100) + "\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "y", count: 16_384) + "\r\n\r\n", 431),
    ])
    func refusesWhatIsTooMuch(text: String, status: Int) {
        #expect(throws: HTTPRefusal(status: status)) { try head(text) }
    }

    @Test func waitsForTheRest() throws {
        for text in ["", "G", "GET / HTTP/1.1\r", "GET / HTTP/1.1\r\nHost: a\r\n\r"] {
            #expect(try head(text) == nil)
        }
    }

    @Test func aConnectionAnswersLateRequestsWith408AndForgetsSilentOnes() throws {
        var silent = HTTPConnection(-1, now: 0)
        #expect(silent.deadline == HTTPConnection.requestTime)
        silent.timeOut(now: 5_000)
        #expect(silent.phase == .closed)
        var late = HTTPConnection(-1, now: 0)
        late.feed(Array("GET / HT".utf8), now: 4_000)
        #expect(late.deadline == 9_000)
        late.feed(Array("TP/1.1".utf8), now: 8_999)
        #expect(late.deadline == 9_000, "later bytes must not move the deadline")
        #expect(late.nextRequest(["a"], now: 9_000) == nil)
        late.timeOut(now: 9_000)
        #expect(late.phase == .writing)
    }

    @Test func answersHaveNoBodyWhereNoneIsAllowed() {
        let response = HTTPResponse(status: 204, fields: ["X-A": "b", "Content-Length": "9"], body: [1, 2])
        #expect(
            HTTPResponseWriter.bytes(of: response, withBody: true, keepsAlive: true)
                == Array("HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n".utf8))
        let page = HTTPResponse(status: 200, body: [0x61])
        #expect(
            HTTPResponseWriter.bytes(of: page, withBody: false, keepsAlive: false)
                == Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\n".utf8))
    }
}
