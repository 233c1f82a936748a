internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// The doctor's way to the network: it asks only the hosts that the doctor was sent to, only so often, and keeps a list.
struct Visitor: Sendable {
    /// What became of a visit.
    enum Outcome: Sendable {
        case answer(HTTPResponse)
        case failure(TernError)
        /// Nothing was sent.
        case notAllowed(Finding)

        var response: HTTPResponse? { if case .answer(let response) = self { response } else { nil } }
    }

    private let transport: any HTTPTransport
    private let inspector: (any CertificateInspecting)?
    private let hosts: Set<String>
    private let log = Locked<[String]>([])

    /// The most requests that one examination sends.
    static let maximumRequestCount = 20

    /// - Parameter hosts: the hosts that may be asked, in lower case.
    init(_ transport: any HTTPTransport, hosts: Set<String>, telling events: (any EventSink)?) {
        inspector = transport as? any CertificateInspecting
        self.transport = ObservedTransport(transport, telling: events)
        self.hosts = hosts
    }

    /// The requests that were sent.
    var requests: [String] { log.withLock { $0 } }

    func mayAsk(_ url: URI) -> Bool { url.host.map { hosts.contains($0.asciiLowercased) } ?? false }

    func visit(_ request: HTTPRequest, step: Step) async -> Outcome {
        if let refusal = refusal(of: request.url) { return .notAllowed(refusal) }
        guard note(request) else { return .notAllowed(Self.enough) }
        do throws(TernError) {
            return .answer(try await transport.send(request, step: step))
        } catch {
            return .failure(error)
        }
    }

    /// The certificates of a server; `nil` where this transport cannot tell them.
    func certificates(of url: URI) async -> Result<[ServerCertificate], TernError>? {
        guard let inspector, refusal(of: url) == nil, let root = url.origin.flatMap({ URI($0.description + "/") }),
            note(HTTPRequest(.get, root))
        else { return nil }
        do throws(TernError) {
            return .success(try await inspector.certificates(of: root, step: .discovery))
        } catch {
            return .failure(error)
        }
    }

    private func note(_ request: HTTPRequest) -> Bool {
        log.withLock { log in
            guard log.count < Self.maximumRequestCount else { return false }
            log.append("\(request.method.rawValue) \(Shown.text(request.url.redacted))")
            return true
        }
    }

    private func refusal(of url: URI) -> Finding? {
        guard !mayAsk(url) else { return nil }
        let host = Shown.text(url.host?.asciiLowercased ?? url.scheme)
        return Finding(
            .unchecked, "host_not_named", "\(host) was not asked",
            "It is another host than those that the call names.", fix: "allow it: --allow-host \(host)")
    }

    private static let enough = Finding(
        .unchecked, "too_many_requests", "Nothing more is asked", "More than \(maximumRequestCount) requests were sent."
    )
}

extension Finding {
    /// The same finding under another name.
    func named(_ name: String) -> Finding {
        Finding(level, name, title, detail, fix: fix, comparison: comparison)
    }
}
