internal import TernJOSE
internal import TernProtocol

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
            let detail =
                "For \(Shown.text(first.subject)), signed by \(Shown.text(first.issuer)); \(chain.count) in the chain."
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
