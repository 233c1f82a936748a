#if TERN_CURL
    internal import CCurl
    internal import TernJOSE
    internal import TernProtocol

    extension CurlTransport: CertificateInspecting {
        /// Connects anew and tells the chain of certificates that was trusted, the server's own first.
        ///
        /// - Throws: what ``send(_:step:)`` throws.
        public func certificates(of origin: URI, step: Step) async throws(TernError) -> [ServerCertificate] {
            guard origin.isSecure, let text = origin.origin?.description, let root = URI(text + "/") else { return [] }
            let inspection = CertificateInspection()
            _ = try await send(HTTPRequest(.get, root), step: step, inspecting: inspection)
            return inspection.certificates
        }
    }

    /// What libcurl tells of the certificates of one connection. Only the loop's thread writes it, before the transfer ends;
    /// it is read afterwards.
    final class CertificateInspection: @unchecked Sendable {
        private(set) var certificates: [ServerCertificate] = []

        /// A chain is a handful; what a server sends beyond that is not looked at.
        private static let maximumCount = 16

        /// Asks for a handshake of its own, since a connection that is used again has forgotten its certificates.
        func prepare(_ handle: UnsafeMutableRawPointer, with curl: CurlFunctions) {
            curl.set(handle, CURLOPT_CERTINFO, long: 1)
            curl.set(handle, CURLOPT_FRESH_CONNECT, long: 1)
            curl.set(handle, CURLOPT_FORBID_REUSE, long: 1)
        }

        func read(_ handle: UnsafeMutableRawPointer, with curl: CurlFunctions) {
            var pointer: UnsafeMutableRawPointer?
            guard curl.get(handle, CURLINFO_CERTINFO, pointer: &pointer) == CURLE_OK, let pointer else { return }
            let information = pointer.assumingMemoryBound(to: curl_certinfo.self).pointee
            guard let lists = information.certinfo else { return }
            certificates = (0..<min(Int(information.num_of_certs), Self.maximumCount)).compactMap { lists[$0] }
                .map(Self.certificate)
        }

        /// Reads lines such as `Subject:CN = id.example.com`.
        private static func certificate(_ list: UnsafeMutablePointer<curl_slist>) -> ServerCertificate {
            var facts: [Substring: Substring] = [:]
            var rest: UnsafeMutablePointer<curl_slist>? = list
            while let entry = rest {
                let line = entry.pointee.data.map { String(cString: $0) } ?? ""
                if let colon = line.firstIndex(of: ":") { facts[line[..<colon]] = line[line.index(after: colon)...] }
                rest = entry.pointee.next
            }
            return ServerCertificate(
                subject: String(facts["Subject"] ?? ""), issuer: String(facts["Issuer"] ?? ""),
                notBefore: facts["Start date"].flatMap(CertificateDate.read),
                notAfter: facts["Expire date"].flatMap(CertificateDate.read))
        }
    }

    /// The two ways in which libcurl writes the dates of certificates, each with a library for TLS of its own:
    /// `Nov  6 08:49:37 1994 GMT` and `1994-11-06 08:49:37 GMT`.
    enum CertificateDate {
        static func read(_ text: Substring) -> NumericDate? {
            let words = text.split(separator: " ")
            guard let first = words.first, words.count >= 3 else { return nil }
            // Both become a form of HTTP's; its weekday is not looked at.
            guard first.contains("-") else { return HTTPDate("Sun " + String(text))?.date }
            let day = first.split(separator: "-")
            guard day.count == 3, let month = Int(day[1]), (1...12).contains(month) else { return nil }
            let name = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][month - 1]
            return HTTPDate("Sun, \(day[2]) \(name) \(day[0]) \(words[1]) GMT")?.date
        }
    }
#endif
