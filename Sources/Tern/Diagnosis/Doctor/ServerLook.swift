internal import TernJOSE
internal import TernProtocol

/// A look at the server itself: whether it can be reached and trusted, what time it has there, and whether its metadata are
/// where they belong and are about this issuer.
struct ServerLook {
    private(set) var findings: [Finding] = []
    /// The metadata, also where they name another issuer, so that more can be told about them.
    private(set) var metadata: ServerMetadata?
    private(set) var isUnreachable = false

    init(_ examination: Examination) async {
        let text = examination.setUp.issuer ?? ""
        let issuer: Issuer
        do throws(TernError) {
            issuer = try Issuer(text)
        } catch {
            findings.append(.refusal(error, "issuer_form", "The issuer cannot be one: \(Shown.address(text))"))
            return
        }
        if let range = text.firstRange(of: "/.well-known/") {
            findings.append(
                Finding(
                    .failed, "issuer_form", "The issuer is the address of its metadata",
                    "Tern looks for them by itself.", fix: "configure \(Shown.text(String(text[..<range.lowerBound])))"))
            return
        }
        findings.append(Finding(.passed, "issuer_form", "The issuer is \(Shown.address(text))"))
        await readMetadata(of: issuer, examination)
    }

    private mutating func readMetadata(of issuer: Issuer, _ examination: Examination) async {
        var attempts: [(address: String, response: HTTPResponse)] = []
        for form in MetadataRequest.Form.allCases {
            let exchange = MetadataRequest(issuer: issuer, form: form, rule: examination.setUp.issuerRule)
            guard let request = try? exchange.request() else { continue }
            switch await examination.visitor.visit(request, step: .discovery) {
            case .notAllowed(let finding): return findings.append(finding)
            case .failure(let error): return fail(error, request.url)
            case .answer(let response):
                if attempts.isEmpty { await meet(request.url, response, examination) }
                attempts.append((Shown.address(request.url.text), response))
                guard ![404, 405, 410].contains(response.status) else { continue }
                return judge(response, of: exchange, at: request.url)
            }
        }
        findings.append(
            Finding(
                .failed, "discovery_found", "The server publishes no metadata for this issuer",
                attempts.map { "\($0.address) answers with status \($0.response.status)." }.joined(separator: " "),
                fix: "write the issuer as the server writes it itself; a server without discovery needs its endpoints in "
                    + "the configuration"))
    }

    private mutating func fail(_ error: TernError, _ url: URI) {
        isUnreachable = true
        switch error.reason {
        case .network(.untrustedCertificate), .network(.tls), .network(.pinMismatch):
            findings.append(.refusal(error, "tls_trusted", "The connection to \(Self.place(url)) cannot be trusted"))
        default:
            findings.append(.refusal(error, "server_reachable", "\(Self.place(url)) cannot be reached"))
        }
    }

    /// What the first answer tells, whatever it is.
    private mutating func meet(_ url: URI, _ response: HTTPResponse, _ examination: Examination) async {
        findings.append(Finding(.passed, "server_reachable", "\(Self.place(url)) answers"))
        if url.isSecure {
            findings.append(Finding(.passed, "tls_trusted", "Its certificate is trusted"))
            findings.append(
                CertificateLook.finding(await examination.visitor.certificates(of: url), at: examination.clock.now))
        } else {
            findings.append(
                Finding(.note, "tls_trusted", "There is no TLS", "It is this machine; anywhere else it is demanded."))
        }
        findings.append(ClockLook.finding(response, at: examination.clock.now))
    }

    private mutating func judge(_ response: HTTPResponse, of exchange: MetadataRequest, at url: URI) {
        let address = Shown.address(url.text)
        if (300..<400).contains(response.status) {
            let target = response.fields["Location"].flatMap { url.resolving($0) }
            return findings.append(
                Finding(
                    .failed, "discovery_found", "The metadata are somewhere else",
                    "Redirects are not followed there: what they lead to need not be this issuer's.",
                    fix: "write the issuer as the server writes it itself",
                    comparison: target.map { Shown.comparison("asked", url.text, "sent to", $0.text) }))
        }
        guard response.isSuccess else {
            return findings.append(
                Finding(
                    .failed, "discovery_found", "\(address) answers with status \(response.status)",
                    PageText.words(of: response).map { "It says: \($0)" },
                    fix: response.status >= 500
                        ? "try again later; the server has trouble" : "look at that address in a browser"))
        }
        guard let members = (try? JSON(parsing: response.body))?.object else {
            return findings.append(
                Finding(
                    .failed, "discovery_json", "\(address) is not JSON",
                    response.mediaType.map { "It is \(Shown.text($0))." },
                    fix: "look at that address in a browser: it may be a page of a proxy, or of another product"))
        }
        findings.append(Finding(.passed, "discovery_found", "Its metadata are at \(address)"))
        let isJSON = response.mediaType.map { $0 == "application/json" || $0.hasSuffix("+json") } ?? false
        if !isJSON {
            findings.append(
                Finding(
                    .warning, "discovery_media_type",
                    "The metadata are not called JSON, but \(response.mediaType.map(Shown.text) ?? "nothing")",
                    "Tern reads them all the same.",
                    fix: "serve them with Content-Type: application/json (RFC 8414 §3.2)"))
        }
        let metadata = ServerMetadata(members: members)
        self.metadata = metadata
        do throws(TernError) {
            _ = try exchange.answer(from: response)
            findings.append(Finding(.passed, "issuer_equal", "They name the same issuer, octet by octet"))
        } catch {
            findings.append(
                Finding(
                    .failed, "issuer_equal",
                    metadata.issuer == nil ? "They do not name the issuer" : "They name another issuer",
                    "Tern refuses such metadata, since they could be anybody's (RFC 8414 §3.3).",
                    fix: metadata.issuer == nil
                        ? "publish issuer (RFC 8414 §2)"
                        : "if this is your server, configure the issuer exactly as it writes it",
                    comparison: metadata.issuer.map {
                        Shown.comparison("configured", exchange.issuer.text, "published", $0)
                    }))
        }
    }

    private static func place(_ url: URI) -> String { Shown.text(url.origin?.description ?? url.redacted) }
}

/// How long the server's certificates are good.
enum CertificateLook {
    /// Certificates are renewed earlier than this, in days, where that is done by a machine.
    private static let shortestRest = 14

    static func finding(
        _ outcome: Result<[ServerCertificate], TernError>?, at now: NumericDate
    ) -> Finding {
        let name = "tls_certificate_dates"
        switch outcome {
        case nil:
            return Finding(
                .unchecked, name, "How long its certificate is good is not known",
                "This system's transport does not tell certificates.")
        case .failure(let error):
            return Finding(
                .unchecked, name, "How long its certificate is good is not known",
                "\(error.explanation.whatHappened) [\(error.code)]")
        case .success(let chain):
            let ends = chain.compactMap { certificate in certificate.notAfter.map { (certificate, $0) } }
            guard let (first, end) = ends.min(by: { $0.1 < $1.1 }) else {
                return Finding(.unchecked, name, "How long its certificate is good cannot be read")
            }
            let isOwn = first == chain.first
            let who = isOwn ? "Its certificate" : "A certificate in its chain"
            let time = Shown.time(end.secondsSince1970, now: now)
            let detail = "For \(Shown.text(first.subject)), signed by \(Shown.text(first.issuer)); \(chain.count) in the chain."
            if let start = chain.compactMap(\.notBefore).max(), start > now {
                return Finding(
                    .failed, name, "A certificate in its chain is not good yet",
                    "It begins at \(Shown.time(start.secondsSince1970, now: now)).",
                    fix: "set this machine's clock, or wait")
            }
            guard end > now else {
                return Finding(
                    .failed, name, "\(who) has ended", "\(time). \(detail)", fix: "renew it at the server")
            }
            let days = (end.secondsSince1970 - now.secondsSince1970) / 86_400
            return days < Double(shortestRest)
                ? Finding(
                    .warning, name, "\(who) ends soon", "\(time). \(detail)",
                    fix: "make sure that it is renewed by a machine")
                : Finding(.passed, name, "\(who) is good until \(time)", detail)
        }
    }
}

/// The server's clock against this machine's.
enum ClockLook {
    static func finding(_ response: HTTPResponse, at now: NumericDate) -> Finding {
        guard let date = response.fields["Date"].flatMap({ HTTPDate($0) })?.date else {
            return Finding(.unchecked, "clock", "The server does not tell its time", "Its answer has no Date.")
        }
        // What comes from a cache was dated when it went in.
        let age = response.fields["Age"].flatMap { Int($0) }.map { min(max(0, $0), 31_536_000) } ?? 0
        let difference = now.secondsSince1970 - date.secondsSince1970 - Double(age)
        let seconds = Int(min(1e12, abs(difference)).rounded())
        let leeway = Int(IDToken.standardLeeway.components.seconds)
        guard seconds > leeway else {
            return Finding(
                .passed, "clock", "The clocks agree", "They are \(Shown.count(seconds, "second")) apart.")
        }
        return Finding(
            .failed, "clock",
            "This machine's clock is \(Shown.count(seconds, "second")) \(difference > 0 ? "ahead of" : "behind") the server's",
            "ID tokens are refused when clocks are more than \(leeway) seconds apart.",
            fix: "set the clock of this machine, or the server's, to network time",
            comparison: Comparison("here", "\(HTTPDate(date: now))", "server", "\(HTTPDate(date: date))"))
    }
}
