internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// Asks for the sign-in page as a browser would, without anybody to log in, and reads from the reactions whether the client and
/// its redirect are registered and whether the server would send an answer to an address that is not.
struct AuthorizationProbe {
    private let endpoint: URI
    private let clientID: String
    private let metadata: ServerMetadata
    private let examination: Examination

    /// Nobody can have registered it: the ending is reserved for what does not exist (RFC 6761 §6.4).
    static let strangeRedirect = "https://not-registered.invalid/callback"

    static func findings(_ metadata: ServerMetadata, _ examination: Examination) async -> [Finding] {
        let setUp = examination.setUp
        guard setUp.grants.contains("authorization_code"), let endpoint = metadata[.authorization],
            endpoint.isSecure || endpoint.isLoopback
        else { return [] }
        func unchecked(_ why: String, _ fix: String?) -> [Finding] {
            [Finding(.unchecked, "authorization_request", "The sign-in page was not asked for", why, fix: fix)]
        }
        guard let clientID = setUp.clientID else {
            return unchecked("It reacts to a client, and none is named.", "name the client (--client-id)")
        }
        guard !metadata.requiresPushedAuthorizationRequests,
            metadata.members["require_signed_request_object"]?.bool != true
        else {
            return unchecked("The server takes only requests that were pushed or signed.", nil)
        }
        let probe = AuthorizationProbe(
            endpoint: endpoint, clientID: clientID, metadata: metadata, examination: examination)
        return await probe.findings()
    }

    private func findings() async -> [Finding] {
        let strange: Reaction
        switch await ask(redirect: Self.strangeRedirect) {
        case .finding(let finding): return [finding]
        case .reaction(let reaction): strange = reaction
        }
        guard let redirect = examination.setUp.redirectURI.flatMap({ try? RedirectURI($0) }),
            redirect.kind != .outOfBand
        else {
            return [verdict(onStrange: strange, beside: nil)]
        }
        // A redirect for any port needs one to be tried with.
        let tried = redirect.uri.port == nil ? redirect.withPort(Self.examplePort) ?? redirect : redirect
        switch await askForOwn(tried) {
        case .finding(let finding): return [verdict(onStrange: strange, beside: nil), finding]
        case .reaction(let own):
            return [verdict(onStrange: strange, beside: own)] + (await read(own, redirect: tried, strange: strange))
        }
    }

    /// Some servers break when they are asked to show no page, and are asked like any user's browser then.
    private func askForOwn(_ redirect: RedirectURI) async -> Asked {
        let asked = await ask(redirect: redirect.text)
        guard case .reaction(let reaction) = asked, reaction.response.status >= 500 else { return asked }
        return await ask(redirect: redirect.text, isQuiet: false)
    }

    private static let examplePort = 53_682

    /// How the server reacted to one request.
    private struct Reaction {
        let response: HTTPResponse
        let state: String
        /// What the page says, without what differs from request to request.
        let essence: String
        let location: URI?
    }

    private enum Asked {
        case reaction(Reaction)
        case finding(Finding)
    }

    /// - Parameter isQuiet: whether the server is asked to show no page (OpenID Connect Core 1.0 §3.1.2.1), so that it has to
    ///   send its refusal to the redirect.
    private func ask(client: String? = nil, redirect: String, isQuiet: Bool = true) async -> Asked {
        let client = client ?? clientID
        let state = Base64URL.encode(examination.random.bytes(16))
        let isOpenID = ServerMetadataExplanation.isOpenID(metadata)
        // Without a page there is no consent, which this scope demands (OpenID Connect Core 1.0 §11).
        let scope = Scope(examination.setUp.scope.values.filter { $0 != "offline_access" })
        var parameters: FormParameters = [
            "response_type": "code", "client_id": client, "redirect_uri": redirect, "state": state,
            "code_challenge": CodeVerifier(from: examination.random).challenge.value,
            "code_challenge_method": CodeChallenge.method,
        ]
        if !scope.isEmpty || isOpenID { parameters.append("scope", scope.isEmpty ? "openid" : scope.text) }
        if isOpenID {
            parameters.append("nonce", Base64URL.encode(examination.random.bytes(16)))
            if isQuiet { parameters.append("prompt", "none") }
        }
        guard let url = URI(endpoint.appendingQuery(parameters)) else {
            return .finding(Finding(.unchecked, "authorization_request", "No request could be made of these values"))
        }
        let request = HTTPRequest(.get, url, fields: ["Accept": "text/html,application/xhtml+xml,*/*;q=0.5"])
        switch await examination.visitor.visit(request, step: .authorizationRequest) {
        case .notAllowed(let finding): return .finding(finding.named("authorization_request"))
        case .failure(let error):
            return .finding(.refusal(error, "authorization_request", "The sign-in page cannot be had"))
        case .answer(let response):
            return .reaction(
                Reaction(
                    response: response, state: state,
                    essence: Self.essence(of: response, without: [redirect, client, state]),
                    location: (300..<400).contains(response.status)
                        ? response.fields["Location"].flatMap { url.resolving($0) } : nil))
        }
    }

    private static func essence(of response: HTTPResponse, without sent: [String]) -> String {
        var words = PageText.whole(of: response)
        for text in sent { words = words.replacingEvery(text, with: "") }
        // Numbers of errors and times of day.
        return words.split(separator: " ").filter { word in !word.contains(where: \.isNumber) }.joined(separator: " ")
    }

    /// What the server does with a redirect that nobody registered.
    private func verdict(onStrange strange: Reaction, beside own: Reaction?) -> Finding {
        let name = "redirect_checked"
        if let location = strange.location, location.host?.asciiLowercased == URI(Self.strangeRedirect)?.host {
            return Finding(
                .failed, name, "The server sends answers to addresses that nobody registered",
                "Asked with \(Self.strangeRedirect), it sent the browser there. Codes can be stolen so (RFC 9700 §4.1).",
                fix: "register exact redirect URIs at the server, without wildcards")
        }
        if (400..<500).contains(strange.response.status) || (own.map { Self.isAccepted($0, unlike: strange) } ?? false)
        {
            return Finding(.passed, name, "An address that nobody registered is refused")
        }
        return Finding(
            .unchecked, name, "What it does with an address that nobody registered does not show at once",
            "It answers with status \(strange.response.status); it may refuse after the login.")
    }

    /// Whether the reaction to the client's own redirect is another one than to the strange one, and no refusal.
    private static func isAccepted(_ own: Reaction, unlike strange: Reaction) -> Bool {
        guard own.response.status < 400, own.location?.errorCode == nil else { return false }
        return own.response.status != strange.response.status
            || own.location?.withoutQueryAndFragment != strange.location?.withoutQueryAndFragment
            || own.essence != strange.essence
    }

    private func read(_ own: Reaction, redirect: RedirectURI, strange: Reaction) async -> [Finding] {
        if let location = own.location, redirect.matches(location) {
            return [Finding(.passed, "redirect_registered", "The redirect is registered for this client")]
                + AuthorizationArrival(location, state: own.state, metadata).findings
        }
        if own.response.status >= 500 {
            return [
                Finding(
                    .warning, "authorization_request", "The sign-in page has trouble: status \(own.response.status)",
                    PageText.words(of: own.response).map { "It says: \($0)" }, fix: "try again later")
            ]
        }
        if Self.isAccepted(own, unlike: strange) {
            return [
                Finding(
                    .passed, "redirect_registered", "The redirect is registered for this client",
                    "The server goes on to the login with it, and not with another one.")
            ]
        }
        if own.response.status < 400, own.location?.errorCode == nil {
            let isLogin = String(decoding: own.response.body.prefix(262_144), as: UTF8.self).contains(
                "type=\"password\"")
            if own.location != nil || isLogin {
                return [
                    Finding(
                        .unchecked, "redirect_registered", "Whether the redirect is registered does not show",
                        "The server asks for the login first and looks at the redirect afterwards.")
                ]
            }
        }
        return [await refusal(own, redirect: redirect, strange: strange)]
    }

    /// The request was refused with a page. The same refusal of a made-up client tells whether the client is the trouble, the
    /// same one of a strange redirect whether the redirect is.
    private func refusal(_ own: Reaction, redirect: RedirectURI, strange: Reaction) async -> Finding {
        let location = own.location
        let words = [location?.errorCode, location?.errorDetail].compactMap(\.self).joined(separator: ": ")
        let said = words.isEmpty ? PageText.words(of: own.response) : Shown.words(words)
        let detail = "It answers with status \(own.response.status)" + (said.map { " and says: \($0)" } ?? ".")
        let madeUp = "tern-" + Base64URL.encode(examination.random.bytes(9))
        var isClient = false
        if case .reaction(let unknown) = await ask(client: madeUp, redirect: redirect.text) {
            isClient = Self.isSame(own, unknown)
        }
        let isRedirect = Self.isSame(own, strange)
        let comparison = Self.nearest(to: redirect.text, in: PageText.whole(of: own.response))
            .map { Shown.comparison("sent", redirect.text, "the server names", $0) }
        let (client, address) = (
            "compare the client ID, letter by letter, with the server's registration",
            "register exactly this text: \(Shown.text(redirect.text))"
        )
        switch (isClient, isRedirect) {
        case (true, _) where Self.isSame(strange, own) && isAboutRedirect(own):
            return Finding(
                .failed, "redirect_registered", "The server knows this client not, or not with this redirect",
                "\(detail) It says the same to a client that does not exist, and of an address that nobody registered.",
                fix: "\(client); \(address)", comparison: comparison)
        case (true, _):
            return Finding(
                .failed, "client_known", "The server does not know this client",
                "\(detail) It says the same to a client that does not exist.",
                fix: "\(client), and the issuer with the place where it was registered", comparison: comparison)
        case (false, true):
            return Finding(
                .failed, "redirect_registered", "The redirect is not registered for this client",
                "\(detail) It says the same of an address that nobody registered.", fix: address,
                comparison: comparison)
        default:
            return Finding(
                .failed, "authorization_request", "The server refuses the request", detail,
                fix: "look at the client's registration: its redirects, scopes and grants", comparison: comparison)
        }
    }

    /// Whether a refusal that is the same for an unknown client may be about the redirect all the same: it does not speak of
    /// the client.
    private func isAboutRedirect(_ own: Reaction) -> Bool {
        let words =
            PageText.whole(of: own.response) + (own.location?.errorDetail ?? "") + (own.location?.errorCode ?? "")
        return !words.asciiLowercased.contains("client")
    }

    private static func isSame(_ one: Reaction, _ other: Reaction) -> Bool {
        one.response.status == other.response.status && one.essence == other.essence
            && one.location?.withoutQueryAndFragment == other.location?.withoutQueryAndFragment
            && one.location?.errorCode == other.location?.errorCode
    }

    /// The address in a server's words that is most like the one that was sent.
    private static func nearest(to redirect: String, in words: String) -> String? {
        let separators: Set<Character> = [" ", "\"", "'", ",", "<", ">", "(", ")", "[", "]", "“", "”", ";"]
        let named = words.split { separators.contains($0) }.map(String.init)
            .filter { $0 != redirect && $0.contains(":/") && URI($0) != nil }
        func common(_ text: String) -> Int { Comparison("", redirect, "", text).commonLength }
        return named.max { common($0) < common($1) }.flatMap { common($0) >= 6 ? $0 : nil }
    }
}
