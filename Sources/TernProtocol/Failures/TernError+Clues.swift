extension TernError {
    /// All that is known: what came with the error, and what the error itself tells.
    public var clues: Set<Clue> {
        var clues = evidence.clues
        let words: String
        switch reason {
        case .serverError(let error), .reauthenticationRequired(let error?):
            words = [error.code, error.detail ?? ""].joined(separator: " ")
            if error.detail == nil { clues.insert(.wordless) }
            if let status = error.status { clues.insert(.status(status)) }
            if let method = error.refusedAuthenticationMethod { clues.insert(.authenticated(method)) }
        case .reauthenticationRequired(nil):
            words = ""
            clues.insert(.wordless)
        case .httpStatus(let status, _), .transient(let status?, _):
            words = ""
            clues.formUnion([.wordless, .status(status)])
        case .storeUnavailable(let text), .network(.untrustedCertificate(let text)), .network(.tls(let text)),
            .browserUnavailable(let text), .proofRejected(let text):
            words = text
        default: words = ""
        }
        clues.formUnion(Clue.Topic.topics(of: words).map(Clue.mentions))
        for comparison in ownComparisons {
            if let difference = comparison.difference { clues.insert(.issuerDiffers(difference)) }
            if comparison.second.contains("{tenantid}") { clues.insert(.issuerIsTemplate) }
        }
        return clues
    }

    /// Texts that should have been the same, side by side.
    var comparisons: [Comparison] { ownComparisons + evidence.comparisons }

    private var ownComparisons: [Comparison] {
        switch reason {
        case .issuerMismatch(let expected, let received?),
            .idTokenRejected(.issuerMismatch(let expected, let received?)),
            .resourceMismatch(let expected, let received):
            [Comparison("expected", expected, "received", received)]
        default: []
        }
    }

    /// What the error looks like, by the names of ``Symptom``.
    public var symptomNames: [String] {
        switch reason {
        case .serverError(let error): ["server:" + error.code, "server:*"]
        case .network(let failure): ["network." + failure.code, "network"]
        case .tokenRejected(let rejection): ["token." + rejection.reason.code, code]
        case .strayCallback(let stray): ["stray_callback." + stray.rawValue]
        case .httpStatus(let status, nil) where [400, 401, 403].contains(status) && step.isOfGrant:
            ["http_status.silent"]
        case .httpStatus(_, nil): ["http_status"]
        case .httpStatus(_, _?): ["http_status.redirect"]
        case .transient(429, _): ["transient.too_many", "transient"]
        default: [code]
        }
    }
}

extension Step {
    /// Whether the server looks at a grant or a token here; some refuse with a bare status where RFC 6749 §5.2 wants an error
    /// object.
    var isOfGrant: Bool {
        [.temporaryCredentials, .tokenRequest, .refresh, .revocation, .introspection].contains(self)
    }
}

extension TernError.NetworkFailure {
    /// The stable name.
    public var code: String {
        switch self {
        case .hostNotFound: "host_not_found"
        case .connectionFailed: "connection_failed"
        case .timedOut: "timed_out"
        case .untrustedCertificate: "untrusted_certificate"
        case .pinMismatch: "pin_mismatch"
        case .tls: "tls"
        case .connectionLost: "connection_lost"
        case .other: "other"
        }
    }
}
