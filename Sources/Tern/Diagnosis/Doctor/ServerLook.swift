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
                    "Tern looks for them by itself.", fix: "configure \(Shown.text(String(text[..<range.lowerBound])))")
            )
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
                fix:
                    "write the issuer as the server writes it itself; a server without discovery needs its endpoints in "
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
