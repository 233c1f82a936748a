internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// An address that a browser is to open: each parameter of it, and whether it is right.
enum AuthorizationURLExplanation {
    static func findings(of text: String, _ context: ExplanationContext) -> [Finding] {
        guard let address = URI(text) else {
            return [Finding(.failed, "verdict", "It is not an address", fix: "encode blanks and special characters")]
        }
        var reading = AuthorizationURLReading(address, context)
        reading.read()
        return [verdict(reading.findings)] + reading.findings
    }

    private static func verdict(_ findings: [Finding]) -> Finding {
        let bad = findings.filter { $0.level == .failed }
        guard bad.isEmpty else {
            return Finding(
                .failed, "verdict", "Tern would not send the user there",
                "\(Shown.count(bad.count, "thing")) must be changed: \(bad.map(\.title).joined(separator: "; ")).")
        }
        let count = findings.filter { $0.level == .warning }.count
        return Finding(
            .passed, "verdict", "It is a good request",
            count == 0 ? nil : "\(Shown.count(count, "thing")) should be looked at.")
    }
}

private struct AuthorizationURLReading {
    private let address: URI
    private let parameters: FormParameters
    private let context: ExplanationContext
    private(set) var findings: [Finding] = []

    init(_ address: URI, _ context: ExplanationContext) {
        self.address = address
        self.context = context
        parameters = address.encodedQuery.flatMap { FormParameters(decoding: $0) } ?? [:]
    }

    /// Whether the parameters stand elsewhere, so that few of them must be here.
    private var isCarried: Bool { value("request") != nil || value("request_uri") != nil }
    private var type: ResponseType? { value("response_type").flatMap { try? ResponseType($0) } }
    private var asksForCode: Bool { type?.hasCode ?? true }
    private var scopes: [String] { Scope(value("scope") ?? "").values }

    private func value(_ name: String) -> String? { parameters[name].flatMap { $0.isEmpty ? nil : $0 } }

    private mutating func add(
        _ level: Finding.Level, _ name: String, _ title: String, _ detail: String? = nil, fix: String? = nil,
        comparison: Comparison? = nil
    ) {
        findings.append(Finding(level, name, title, detail, fix: fix, comparison: comparison))
    }

    mutating func read() {
        readEndpoint()
        readClient()
        readResponse()
        readRedirect()
        readProofKey()
        readTies()
        readScope()
        readCarrier()
        readQuestions()
        readStructures()
        readRest()
    }

    private mutating func readEndpoint() {
        if address.isSecure || address.isLoopback {
            add(.passed, "endpoint", "It leads to \(Shown.address(address.withoutQueryAndFragment))")
        } else {
            add(
                .failed, "endpoint", "The page is not protected by TLS", Shown.address(address.withoutQueryAndFragment),
                fix: "use the https address of the server")
        }
        if address.encodedFragment != nil {
            add(
                .failed, "fragment", "It has a fragment, which no server sees",
                fix: "put everything before the number sign (RFC 6749 §3.1)")
        }
        var seen: Set<String> = []
        var told: Set<String> = []
        for name in parameters.parameters.map(\.name)
        where !seen.insert(name).inserted && name != "resource" && told.insert(name).inserted && told.count <= 20 {
            add(
                .failed, "repeated_parameter", "\"\(Shown.text(name))\" stands in it more than once",
                fix: "send it once (RFC 6749 §3.1)")
        }
        for name in ["client_secret", "code_verifier", "client_assertion", "password", "access_token", "refresh_token"]
        where parameters[name] != nil {
            add(
                .failed, "secret_parameter", "\"\(name)\" must never stand in an address",
                "Browsers, histories, logs and proxies have seen it.", fix: "take it out, and replace it by a new one")
        }
    }

    private mutating func readClient() {
        guard let client = value("client_id") else {
            return add(.failed, "client_id", "There is no client_id", fix: "name the client (RFC 6749 §4.1.1)")
        }
        guard let expected = context.clientID else {
            return add(.note, "client_id", "The client is \(Shown.text(client))")
        }
        if client.hasSameOctets(as: expected) {
            add(.passed, "client_id", "The client is the right one: \(Shown.text(client))")
        } else {
            add(
                .failed, "client_id", "The client is another one", fix: "use one client ID everywhere",
                comparison: Comparison("sent", client, "expected", expected))
        }
    }

    private mutating func readResponse() {
        if let text = value("response_type") {
            do throws(TernError) {
                let type = try ResponseType(text)
                if type.hasToken {
                    add(
                        .warning, "response_type", "It asks for an access token through the browser: \(type)",
                        "Whoever reads the browser's history has it then (RFC 9700 §2.1.2).", fix: "ask for code alone")
                } else {
                    add(.passed, "response_type", "It asks for: \(type)")
                }
            } catch {
                findings.append(.refusal(error, "response_type", "The response type is not known"))
            }
        } else if !isCarried {
            add(.failed, "response_type", "There is no response_type", fix: "ask for code (RFC 6749 §4.1.1)")
        }
        guard let text = value("response_mode") else { return }
        guard let mode = AuthorizationRequest.ResponseMode(rawValue: text) else {
            let known = AuthorizationRequest.ResponseMode.allCases.map(\.rawValue).joined(separator: ", ")
            return add(
                .failed, "response_mode", "The response mode is not known: \(Shown.text(text))",
                fix: "use one of \(known)")
        }
        if let type, type != .code, mode == .query || mode == .queryJWT {
            add(
                .failed, "response_mode", "An answer with tokens must not come in a query",
                "Queries end up in histories and logs.", fix: "use fragment or form_post")
        } else {
            add(.passed, "response_mode", "The answer is to come as \(mode.rawValue)")
        }
    }

    private mutating func readRedirect() {
        guard let text = value("redirect_uri") else {
            guard !isCarried else { return }
            return add(
                .warning, "redirect_uri", "There is no redirect_uri",
                "The server uses the registered one, where there is exactly one.", fix: "always name it")
        }
        do throws(TernError) {
            let redirect = try RedirectURI(text)
            for warning in redirect.warnings { add(.warning, "redirect_uri", "The redirect is unwise: \(warning)") }
        } catch {
            findings.append(.refusal(error, "redirect_uri", "The redirect URI cannot be used"))
        }
        guard let expected = context.redirectURI else {
            return add(
                .note, "redirect_uri", "The answer is to arrive at \(Shown.address(text))",
                "It was not compared (--redirect-uri).")
        }
        if text.hasSameOctets(as: expected) {
            add(.passed, "redirect_uri", "The redirect URI is the right one: \(Shown.address(text))")
        } else {
            add(
                .failed, "redirect_uri", "The redirect URI is another one",
                "Servers compare it character by character.",
                fix: "register and send the same text", comparison: Comparison("sent", text, "expected", expected))
        }
    }

    private mutating func readProofKey() {
        guard asksForCode else { return }
        guard let challenge = value("code_challenge") else {
            guard !isCarried else { return }
            return add(
                .failed, "pkce", "There is no PKCE",
                "Whoever catches the code can use it (RFC 9700 §2.1.1).",
                fix: "send code_challenge with the method S256")
        }
        guard value("code_challenge_method") == CodeChallenge.method else {
            return add(
                .failed, "pkce", "The method of PKCE is not S256",
                value("code_challenge_method") == nil
                    ? "Without code_challenge_method the challenge counts as plain: it is the verifier itself."
                    : "With \"plain\" the challenge is the verifier itself.", fix: "send code_challenge_method=S256")
        }
        guard challenge.utf8.count == 43, Base64URL.decode(challenge)?.count == 32 else {
            return add(
                .failed, "pkce", "The code challenge is no SHA-256 in Base64url",
                "It has \(Shown.count(challenge.utf8.count, "character")); 43 without padding are right.",
                fix: "BASE64URL(SHA256(verifier)), without = at its end (RFC 7636 §4.2)")
        }
        add(.passed, "pkce", "PKCE is there, with S256")
    }

    private mutating func readTies() {
        if let state = value("state") {
            if let expected = context.state {
                let fits = state.hasSameOctets(as: expected)
                add(
                    fits ? .passed : .failed, "state", fits ? "The state is the right one" : "The state is another one",
                    Shown.secret(state), fix: fits ? nil : "open the page of this sign-in")
            } else if state.utf8.count < 16 {
                add(
                    .warning, "state", "The state is short", Shown.secret(state),
                    fix: "at least 128 random bits, which are 22 characters")
            } else {
                add(.passed, "state", "There is a state", Shown.secret(state))
            }
        } else if !isCarried {
            add(
                value("code_challenge") == nil ? .failed : .warning, "state", "There is no state",
                "A foreign answer could be slipped in.", fix: "send a new random one with each request")
        }
        let isOpenID = scopes.contains("openid")
        if let nonce = value("nonce") {
            let fits = context.nonce.map { nonce.hasSameOctets(as: $0) }
            add(
                fits == false ? .failed : .passed, "nonce",
                fits == false ? "The nonce is another one" : "There is a nonce", Shown.secret(nonce),
                fix: fits == false ? "open the page of this sign-in" : nil)
            if !isOpenID, !isCarried {
                add(.warning, "nonce", "There is a nonce and no scope openid, so no ID token will carry it")
            }
        } else if type?.hasIDToken == true {
            add(
                .failed, "nonce", "An ID token through the browser needs a nonce",
                fix: "send one (OpenID Connect Core 1.0 §3.2.2.1)")
        } else if isOpenID, !isCarried {
            add(.warning, "nonce", "There is no nonce", "Nothing ties the ID token to this sign-in.", fix: "send one")
        }
    }

    private mutating func readScope() {
        guard let text = value("scope") else { return }
        add(.note, "scope", "It asks for \(Shown.words(text))")
        if text.contains(","), scopes.count == 1 {
            add(
                .warning, "scope", "The scopes have commas between them",
                fix: "put blanks between scopes (RFC 6749 §3.3)")
        }
        if Set(scopes).count != scopes.count { add(.warning, "scope", "A scope stands there twice") }
        if let type, type.hasIDToken, !scopes.contains("openid") {
            add(.failed, "scope", "An ID token is asked for without the scope openid", fix: "add openid")
        }
        if scopes.contains("offline_access"), value("prompt")?.contains("consent") != true {
            add(
                .note, "scope", "offline_access is asked for without prompt=consent",
                "Some servers pass it over then (OpenID Connect Core 1.0 §11).")
        }
    }

    private mutating func readCarrier() {
        if value("request") != nil, value("request_uri") != nil {
            add(.failed, "request", "request and request_uri exclude each other", fix: "send one of them (RFC 9101 §5)")
        }
        if let reference = value("request_uri") {
            if reference.hasPrefix("urn:ietf:params:oauth:request_uri:") {
                add(
                    .passed, "request_uri", "The request was pushed to the server before (RFC 9126)",
                    Shown.secret(reference))
            } else if let uri = URI(reference), uri.isSecure {
                add(.note, "request_uri", "The server fetches the request from \(Shown.address(reference))")
            } else if let uri = URI(reference), uri.host != nil {
                add(
                    .failed, "request_uri", "The request lies at an address without TLS",
                    fix: "use https (RFC 9101 §5.2)")
            } else {
                add(.note, "request_uri", "A reference of the server's own", Shown.secret(reference))
            }
        }
        guard let object = value("request") else { return }
        guard let token = CompactToken(object) else {
            return add(.failed, "request", "The request object cannot be read", fix: "it is a JWT (RFC 9101 §4)")
        }
        if token.isEncrypted {
            return add(.note, "request", "The request object is encrypted, so it cannot be looked at")
        }
        for finding in JWTExplanation.findings(of: object, context) where finding.name != "claim" {
            add(
                finding.level, finding.name, "request object: \(finding.title)", finding.detail, fix: finding.fix,
                comparison: finding.comparison)
        }
        if let inside = token.claims?["client_id"]?.string, let client = value("client_id"), inside != client {
            add(
                .failed, "request", "The client in the request object is another one", fix: "name one client",
                comparison: Comparison("in the address", client, "in the object", inside))
        }
    }

    private mutating func readQuestions() {
        if let text = value("prompt") {
            let words = text.split(separator: " ").map(String.init)
            let unknown = words.filter { AuthorizationRequest.Prompt(rawValue: $0) == nil }
            if words.contains("none"), words.count > 1 {
                add(.failed, "prompt", "prompt=none stands alone or not at all", fix: "take out one of the two")
            } else if !unknown.isEmpty {
                add(
                    .warning, "prompt",
                    "prompt has a value that no standard knows: \(Shown.text(unknown.joined(separator: " ")))")
            } else if words == ["none"] {
                add(
                    .note, "prompt", "No page may be shown",
                    "Where the user has to act, the answer is an error such as login_required.")
            } else {
                add(.passed, "prompt", "The user is asked: \(Shown.text(text))")
            }
        }
        if let text = value("display"), AuthorizationRequest.Display(rawValue: text) == nil {
            add(.warning, "display", "display is not known: \(Shown.text(text))", fix: "page, popup, touch or wap")
        }
        if let text = value("max_age") {
            let isGood = Int64(text).map { $0 >= 0 } ?? false
            add(
                isGood ? .passed : .failed, "max_age",
                isGood ? "The login may be \(Shown.text(text)) seconds old" : "max_age is not a number of seconds")
        }
    }

    private mutating func readStructures() {
        if let text = value("claims"), (try? JSON(parsing: text))?.object == nil {
            add(.failed, "claims", "claims is not a JSON object", fix: "write it as OpenID Connect Core 1.0 §5.5 says")
        }
        if let text = value("authorization_details") {
            let list = (try? JSON(parsing: text))?.array
            if list == nil || list?.contains(where: { $0["type"]?.string == nil }) == true {
                add(
                    .failed, "authorization_details", "authorization_details is not a list of objects with a type",
                    fix: "write it as RFC 9396 §2 says")
            }
        }
        for text in parameters.values(of: "resource").prefix(20) {
            let uri = URI(text)
            if uri == nil || uri?.encodedFragment != nil {
                add(
                    .failed, "resource", "resource is not an absolute address without a fragment",
                    fix: "name the API as RFC 8707 §2 says")
            }
        }
        if let text = value("dpop_jkt"), Base64URL.decode(text)?.count != 32 {
            add(.failed, "dpop_jkt", "dpop_jkt is no SHA-256 thumbprint", fix: "RFC 9449 §10")
        }
    }

    /// What was not told yet, by its name.
    private mutating func readRest() {
        let told: Set<String> = [
            "client_id", "response_type", "response_mode", "redirect_uri", "code_challenge", "code_challenge_method",
            "state", "nonce", "scope", "request_uri", "request", "prompt", "max_age",
        ]
        let rest = parameters.parameters.filter { !told.contains($0.name) }
        for parameter in rest.prefix(ParameterGlossary.maximumShownCount) {
            let meaning = ParameterGlossary.meaning(of: parameter.name) ?? "a parameter of the provider's"
            add(.note, "parameter", "\(Shown.text(parameter.name)) (\(meaning))", ParameterGlossary.shown(parameter))
        }
    }
}
