import TernCrypto
import TernJOSE
import TernOAuth1
import TernProtocol
import Testing

/// Answers of the two endpoints, of the page, and refusals.
@Suite struct FlowTests {
    private func uri(_ text: String) throws -> URI { try #require(URI(text)) }

    private func server(_ change: (inout OAuth1Server) -> Void = { _ in }) throws -> OAuth1Server {
        var server = try OAuth1Server(
            temporaryCredentialEndpoint: "https://a.example/r?x=1",
            authorizationEndpoint: "https://a.example/p?d=touch",
            tokenEndpoint: "https://a.example/t")
        change(&server)
        return server
    }

    private func response(_ body: String, _ status: Int = 200, _ fields: HTTPFields = [:]) -> HTTPResponse {
        HTTPResponse(status: status, fields: fields, body: Array(body.utf8))
    }

    private func error(_ response: HTTPResponse) -> TernError? {
        do throws(TernError) {
            _ = try OAuth1TokenResponse(reading: response, step: .tokenRequest)
            return nil
        } catch { return error }
    }

    @Test(
        arguments: [
            ("oauth_token=a%2Bb+c&oauth_token_secret=&oauth_callback_confirmed=true&user_id=7", "a+b c"),
            (
                "{\"oauth_token\":\"tok\",\"oauth_token_secret\":\"\",\"oauth_callback_confirmed\":true,\"user_id\":7}",
                "tok"
            ),
            ("  oauth_token=tok&oauth_token_secret=&oauth_callback_confirmed=True&user_id=7\r\n", "tok"),
        ])
    func `credentials in form data or JSON`(body: String, token: String) throws {
        // A blank would end the token in a header field, so such a token is none.
        guard !token.contains(" ") else {
            #expect(error(response(body))?.reason.code == "malformed_response")
            return
        }
        let answer = try OAuth1TokenResponse(reading: response(body), step: .tokenRequest)
        #expect(answer.token == OAuth1Token(AccessToken(token), secret: OAuth1TokenSecret("")))
        #expect(answer.confirmsCallback)
        #expect(answer.additionalMembers.count == 1)
    }

    @Test(
        arguments: [
            ("oauth_token_secret=s", "oauth_token"), ("oauth_token=&oauth_token_secret=s", "oauth_token"),
            ("oauth_token=t", "oauth_token_secret"), ("", "body"), ("<html>hi</html>", "body"),
            ("oauth_token=t&oauth_token=u&oauth_token_secret=s", "body"),
        ])
    func `answers without credentials`(body: String, field: String) throws {
        guard case .malformedResponse(field, _)? = error(response(body))?.reason else {
            Issue.record("\(String(describing: error(response(body))))")
            return
        }
    }

    @Test func `refusals in every known form`() throws {
        func check(_ response: HTTPResponse, _ code: String, _ detail: String?) {
            let error = error(response)?.serverError
            #expect(error?.code == code && error?.detail == detail)
        }
        check(response("oauth_problem=nonce_used&oauth_problem_advice=try+later", 401), "nonce_used", "try later")
        check(
            response(
                "", 401, ["WWW-Authenticate": "Basic realm=\"x\", OAuth realm=\"y\", oauth_problem=\"token_rejected\""]),
            "token_rejected", nil)
        check(
            response("{\"errors\":[{\"code\":32,\"message\":\"Could not authenticate you.\"}]}", 401), "32",
            "Could not authenticate you.")
        check(response("{\"error\":\"invalid_client\"}", 400), "invalid_client", nil)
        check(response("error=invalid_nonce&error_description=used", 401), "invalid_nonce", "used")
        check(
            response(
                "<?xml version=\"1.0\"?>\n<hash>\n  <error>Invalid / expired Token</error>\n  <request>/r</request></hash>",
                401, ["Content-Type": "application/xml"]), "http_status_401", "Invalid / expired Token /r")
        check(
            response("Failed to validate oauth signature and token", 401), "http_status_401",
            "Failed to validate oauth signature and token")
        #expect(error(response("<html><b>x</b></html>", 404))?.reason == .httpStatus(404, location: nil))
        #expect(error(response("", 401))?.reason == .httpStatus(401, location: nil))
        let silent = TernError(.httpStatus(401, location: nil), at: .temporaryCredentials).explanation
        #expect(silent.likelyCauses.contains { $0.contains("secret") })
        for status in [429, 500, 503] {
            #expect(error(response("oauth_problem=x", status))?.reason == .transient(status: status, retryAfter: nil))
        }
    }

    @Test func `OA-05 an answer without the confirmation is refused, unless the service is known for it`() throws {
        let answer = response("oauth_token=rq&oauth_token_secret=sq")
        let callback = try RedirectURI("myapp://cb")
        let request = OAuth1TemporaryCredentialRequest(server: try server(), callback: callback)
        #expect(throws: TernError(.callbackNotConfirmed, at: .temporaryCredentials)) {
            try request.answer(from: answer)
        }
        let lenient = OAuth1TemporaryCredentialRequest(
            server: try server { $0.omitsCallbackConfirmation = true }, callback: callback)
        #expect(try lenient.answer(from: answer).token.token == AccessToken("rq"))
    }

    @Test func `further parameters at every step, each once`() throws {
        let callback = try RedirectURI("myapp://cb")
        let full = try server {
            $0.temporaryCredentialParameters = ["scope": "read_public"]
            $0.authorizationParameters = ["name": "My App"]
            $0.tokenParameters = ["k": "v"]
            $0.fields = ["User-Agent": "App/1"]
        }
        var first = OAuth1TemporaryCredentialRequest(server: full, callback: callback)
        first.additionalParameters = ["x_auth_access_type": "read"]
        let request = try first.request()
        #expect(request.form == ["scope": "read_public", "x_auth_access_type": "read"])
        #expect(request.url.text == "https://a.example/r?x=1" && request.fields["User-Agent"] == "App/1")
        #expect(first.protocolParameters == ["oauth_callback": "myapp://cb"])
        first.additionalParameters = ["scope": "other"]
        #expect(throws: TernError.self) { try first.request() }
        first = OAuth1TemporaryCredentialRequest(
            server: try server {
                $0.endpointMethod = .get
                $0.temporaryCredentialParameters = ["scope": "a b"]
                $0.callbackRule = .registered
            }, callback: callback)
        #expect(try first.request().url.text == "https://a.example/r?x=1&scope=a%20b")
        #expect(first.protocolParameters.isEmpty)

        let token = OAuth1Token(AccessToken("t+t"), secret: OAuth1TokenSecret("s"))
        var page = OAuth1AuthorizationRequest(server: full, clientID: "ck", token: token, callback: callback)
        #expect(try page.url().text == "https://a.example/p?d=touch&oauth_token=t%2Bt&name=My%20App")
        page.server.callbackRule = .everywhere
        page.server.authorizationTokenParameter = "token"
        page.server.authorizationClientParameter = "key"
        page.additionalParameters = ["lang": "de"]
        #expect(
            try page.url().text
                == "https://a.example/p?d=touch&token=t%2Bt&key=ck&oauth_callback=myapp%3A%2F%2Fcb&name=My%20App&lang=de"
        )
        page.additionalParameters = ["d": "x"]
        #expect(throws: TernError.self) { try page.url() }
        let third = OAuth1TokenRequest(server: full, verifier: OAuth1Verifier("v"))
        #expect(try third.request().form == ["k": "v"] && third.protocolParameters == ["oauth_verifier": "v"])
    }

    private func callback(
        _ query: String, _ delivery: CallbackDelivery = .open, verifierOptional: Bool = false
    ) -> Result<OAuth1AuthorizationResponse?, TernError> {
        do throws(TernError) {
            guard let uri = URI("myapp://cb" + query) else { return .success(nil) }
            let expected = OAuth1AuthorizationResponse.Expectation(
                redirectURI: try RedirectURI("myapp://cb"), token: AccessToken("tok"),
                allowsMissingVerifier: verifierOptional, delivery: delivery)
            return .success(try OAuth1AuthorizationResponse(callback: uri, expecting: expected))
        } catch { return .failure(error) }
    }

    private func code(_ result: Result<OAuth1AuthorizationResponse?, TernError>) -> String? {
        if case .failure(let error) = result { error.code } else { nil }
    }

    @Test func `callbacks are held against the token that was asked for`() throws {
        let good = try callback("?oauth_token=tok&oauth_verifier=v%2B1&x=y").get()
        #expect(good?.verifier == OAuth1Verifier("v+1") && good?.additionalParameters == ["x": "y"])
        for (query, expected) in [
            ("?oauth_token=other&oauth_verifier=v", "state_mismatch"), ("?oauth_verifier=v", "state_mismatch"),
            ("?oauth_token=tok", "malformed_callback"), ("?oauth_token=tok&oauth_verifier=", "malformed_callback"),
            ("?oauth_token=tok&oauth_token=tok&oauth_verifier=v", "malformed_callback"),
            ("?oauth_token=tok&oauth_verifier=v&oauth_verifier=w", "malformed_callback"),
            ("?denied=tok", "access_denied"), ("?denied=other", "state_mismatch"),
            ("?oauth_token=tok&oauth_problem=user_refused", "user_refused"),
            ("?oauth_token=other&oauth_problem=user_refused", "state_mismatch"),
            ("?oauth_token=tok&error=access_denied&oauth_verifier=v", "access_denied"),
            ("?error=access_denied", "state_mismatch"), ("", "state_mismatch"),
        ] {
            #expect(code(callback(query)) == expected, "\(query)")
        }
        #expect(try callback("?oauth_token=tok", verifierOptional: true).get()?.verifier == nil)
        #expect(code(callback("", verifierOptional: true)) == "state_mismatch")
        #expect(try callback("?oauth_token=tok&oauth_verifier=v", verifierOptional: true).get()?.verifier != nil)
        #expect(try callback("?oauth_verifier=v", .pasted).get()?.verifier == OAuth1Verifier("v"))
        #expect(code(callback("?oauth_token=other&oauth_verifier=v", .pasted)) == "state_mismatch")
        #expect(code(callback("?error=access_denied", .system)) == "access_denied")
        #expect(try callback("/else?oauth_token=tok&oauth_verifier=v").get() == nil)
    }

    @Test(
        arguments: [
            ("", "request_token_url"), ("ftp://a.example", "request_token_url"),
            ("https://u@a.example", "request_token_url"), ("https://a.example#f", "request_token_url"),
        ])
    func `a service's addresses are checked`(address: String, field: String) throws {
        let error = #expect(throws: TernError.self) {
            try OAuth1Server(
                temporaryCredentialEndpoint: address, authorizationEndpoint: "https://a.example/p",
                tokenEndpoint: "https://a.example/t")
        }
        guard case .invalidConfiguration(field, _)? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: TernError(.insecureEndpoint(field: "access_token_url"), at: .configuration)) {
            try OAuth1Server(
                temporaryCredentialEndpoint: "https://a.example/r", authorizationEndpoint: "https://a.example/p",
                tokenEndpoint: "http://a.example/t")
        }
    }
}
