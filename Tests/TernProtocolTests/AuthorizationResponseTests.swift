import TernCrypto
import TernProtocol
import Testing

/// RFC 6749 §4.1.2, RFC 9207.
@Suite("Authorization response")
struct AuthorizationResponseTests {
    private func response(
        _ callback: String, issuer: String? = "https://idp.example", requiresIssuer: Bool = false,
        mode: AuthorizationRequest.ResponseMode = .query, delivery: CallbackDelivery = .open
    ) throws -> AuthorizationResponse? {
        try AuthorizationResponse(
            callback: try address(callback),
            expecting: AuthorizationResponse.Expectation(
                redirectURI: try RedirectURI("http://127.0.0.1:7777/cb"), state: "st", issuer: issuer,
                requiresIssuer: requiresIssuer, responseMode: mode, delivery: delivery))
    }

    private let base = "http://127.0.0.1:7777/cb"

    @Test("The code and what else came")
    func code() throws {
        let response = try #require(try response(base + "?code=SplxlOBeZQQYbYS6WxSbIA&state=st&session_state=a%20b"))
        #expect(response.code.exposedText == "SplxlOBeZQQYbYS6WxSbIA")
        #expect(response.additionalParameters == ["session_state": "a b"])
    }

    @Test("RFC 9207: the issuer is compared where it is there and demanded where it is promised")
    func issuer() throws {
        let good = base + "?code=c&state=st&iss=https%3A%2F%2Fidp.example"
        #expect(try response(good) != nil)
        #expect(try response(good, requiresIssuer: true) != nil)
        #expect(
            try reason { try response(base + "?code=c&state=st", requiresIssuer: true) }
                == .issuerMismatch(expected: "https://idp.example", received: nil))
        #expect(
            try reason { try response(good, issuer: "https://other.example") }
                == .issuerMismatch(expected: "https://other.example", received: "https://idp.example"))
        #expect(try response(good, issuer: nil) != nil)
        // Servers that promise it leave it out of errors all the same.
        #expect(
            try reason { try response(base + "?error=access_denied&state=st", requiresIssuer: true) }?.words?.code
                == "access_denied")
    }

    @Test("An error needs this sign-in's state where anybody can call")
    func errorsByDelivery() throws {
        let error = base + "?error=access_denied"
        #expect(try reason { try response(error) } == .stateMismatch)
        for delivery in [CallbackDelivery.system, .pasted] {
            let words = try reason { try response(error, delivery: delivery) }?.words
            #expect(words?.code == "access_denied")
            #expect(words?.stateWasMissing == true)
        }
        for delivery in [CallbackDelivery.open, .system, .pasted] {
            #expect(try reason { try response(error + "&state=xx", delivery: delivery) } == .stateMismatch)
            let words = try reason { try response(error + "&state=st", delivery: delivery) }?.words
            #expect(words?.stateWasMissing == false)
        }
    }

    @Test("A code without state passes only where the user pasted it")
    func codesByDelivery() throws {
        let bare = base + "?code=c"
        #expect(try reason { try response(bare) } == .stateMismatch)
        #expect(try reason { try response(bare, delivery: .system) } == .stateMismatch)
        #expect(try response(bare, delivery: .pasted)?.code.exposedText == "c")
        #expect(try reason { try response(bare + "&state=xx", delivery: .pasted) } == .stateMismatch)
    }

    @Test("Repeated parameters", arguments: ["code", "state", "error", "iss"])
    func repeated(name: String) throws {
        let callback = base + "?code=c&state=st&\(name)=x&\(name)=x"
        guard case .malformedCallback(let problem) = try reason({ try response(callback) }) else {
            Issue.record("accepted")
            return
        }
        #expect(problem.contains(name))
    }

    @Test("Query and fragment")
    func responseModes() throws {
        #expect(try response(base + "#code=c&state=st", mode: .fragment)?.code.exposedText == "c")
        #expect(
            try reason { try response(base + "?code=c&state=st", mode: .fragment) }
                == .unexpectedResponseMode(expected: "fragment", received: "query"))
        #expect(
            try reason { try response(base + "#error=access_denied&state=st") }
                == .unexpectedResponseMode(expected: "query", received: "fragment"))
        #expect(try response(base + "?code=c&state=st#code=d&state=st")?.code.exposedText == "c")
    }

    @Test("An address elsewhere is nobody's failure")
    func foreign() throws {
        for foreign in ["http://127.0.0.1:7778/cb", "http://127.0.0.1:7777/", "https://127.0.0.1:7777/cb", "x:/cb"] {
            #expect(try response(foreign + "?code=c&code=d&state=zz") == nil)
        }
    }

    @Test("A hundred thousand pairs are refused")
    func hostile() throws {
        let callback = base + "?code=c&state=st" + String(repeating: "&a=b", count: 100_000)
        guard case .malformedCallback = try reason({ try response(callback) }) else {
            Issue.record("accepted")
            return
        }
    }

    @Test("Texts of the server are bounded and cleaned")
    func boundedTexts() throws {
        let long = String(repeating: "a", count: 10_000)
        let words = try reason {
            try response(base + "?error=x%0D%0Ay%1B&error_description=\(long)&state=st")
        }?.words
        #expect(words?.code == "xy")
        #expect(words?.detail?.count == ServerError.maximumLength)
    }
}
