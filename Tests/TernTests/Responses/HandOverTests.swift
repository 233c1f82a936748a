import TernCrypto
import TernProtocol
import Testing

@testable import Tern

/// What the listener of a sign-in does with fragments and posted forms.
@Suite("Fragments and forms at the loopback listener")
struct HandOverTests {
    private let callbacks = LoopbackCallbacks(page: CallbackPage())
    private let judged = Locked<[String]>([])

    init() throws {
        let judged = judged
        callbacks.begin(at: try RedirectURI("http://127.0.0.1:7777/cb")) { callback in
            judged.withLock { $0.append(callback.text) }
            return callback.text.contains("state=s") ? .success : .refused("its state is another one")
        }
    }

    private func send(
        _ method: HTTPMethod, _ path: String = "/cb", _ form: FormParameters? = nil,
        type: String = "application/x-www-form-urlencoded"
    ) throws -> HTTPResponse {
        var request = HTTPRequest(method, try uri("http://127.0.0.1:7777" + path))
        if let form {
            request.body = .bytes(Array(form.encoded.utf8))
            request.fields["Content-Type"] = type
        }
        return callbacks.answer(request)
    }

    private func key(of page: HTTPResponse) throws -> String {
        let text = String(decoding: page.body, as: UTF8.self)
        return String(try #require(text.firstMatch(of: /name="key" value="([^"]+)"/)?.1))
    }

    @Test("The page runs one script, and posts to itself alone")
    func page() throws {
        let page = try send(.get)
        let text = String(decoding: page.body, as: UTF8.self)
        let script = try #require(text.firstMatch(of: /(?s)<script>(.*)<\/script>/)?.1)
        let digest = Base64.encode(HashFunction.sha256.digest(Array(script.utf8)))
        #expect(page.status == 200)
        let policy = try #require(page.fields["Content-Security-Policy"])
        #expect(policy.contains("script-src 'sha256-\(digest)'") && policy.contains("form-action 'self'"))
        #expect(text.contains("action=\"/cb\"") && text.contains("<noscript>"))
        #expect(page.fields["Cache-Control"] == "no-store" && page.fields["Referrer-Policy"] == "no-referrer")
        #expect(try key(of: page) == key(of: try send(.get)), "the key is the visit's")
        let other = LoopbackCallbacks(page: CallbackPage())
        other.begin(at: try RedirectURI("http://127.0.0.1:7777/cb")) { _ in .refused("") }
        #expect(try key(of: other.answer(HTTPRequest(.get, try uri("http://127.0.0.1:7777/cb")))) != key(of: page))
    }

    @Test("What it posts is the callback with its fragment")
    func handedOver() throws {
        let key = try key(of: try send(.get))
        let answer = try send(.post, "/cb", ["key": key, "fragment": "code=a%20b&state=s"])
        #expect(answer.status == 200)
        #expect(judged.withLock { $0.last } == "http://127.0.0.1:7777/cb#code=a%20b&state=s")
    }

    @Test("Without the key it is a form like any other")
    func wrongKey() throws {
        for key in ["", "x"] {
            #expect(try send(.post, "/cb", ["key": key, "fragment": "code=c&state=s"]).status == 400)
            #expect(judged.withLock { $0.last }?.hasSuffix("&fragment=code%3Dc%26state%3Ds#form_post") == true)
        }
    }

    @Test("A form is a callback that says so")
    func posted() throws {
        #expect(try send(.post, "/cb", ["code": "c", "state": "s"]).status == 200)
        #expect(judged.withLock { $0 } == ["http://127.0.0.1:7777/cb?code=c&state=s#form_post"])
    }

    @Test("What is no form is not read")
    func noForm() throws {
        #expect(try send(.post, "/cb", ["code": "c", "state": "s"], type: "text/plain").status == 415)
        #expect(try send(.post, "/cb", ["code": "c", "state": "s"], type: "application/json").status == 415)
        let large: FormParameters = ["code": String(repeating: "x", count: 300 << 10), "state": "s"]
        #expect(try send(.post, "/cb", large).status == 415)
        #expect(try send(.post, "/cb").status == 405)
        #expect(try send(.post, "/other", ["code": "c", "state": "s"]).status == 404)
        #expect(judged.withLock { $0.isEmpty })
    }

    @Test("An address whose query is an answer is not asked for its fragment")
    func queryFirst() throws {
        #expect(try send(.get, "/cb?code=c&state=x").status == 400)
        #expect(try send(.get, "/cb?x=y").status == 200, "the page that reads the fragment")
        #expect(try send(.get, "/cb?code=c&state=s").status == 200)
        #expect(judged.withLock { $0.last } == "http://127.0.0.1:7777/cb?code=c&state=s")
    }
}
