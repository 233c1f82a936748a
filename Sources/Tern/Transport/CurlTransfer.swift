#if TERN_CURL
    internal import CCurl
    internal import TernProtocol

    /// One request on its way. After it was handed to the loop, only the loop's thread touches it, but for `isCancelled`
    /// and `isSubmitted`, which the inbox's lock guards.
    final class CurlTransfer: @unchecked Sendable {
        let request: HTTPRequest
        let body: [UInt8]?
        let step: Step
        let bodyLimit: Int
        private let curl: CurlFunctions
        let inspection: CertificateInspection?
        var isCancelled = false
        var isSubmitted = false
        var continuation: CheckedContinuation<Result<HTTPResponse, TernError>, Never>?

        var handle: UnsafeMutableRawPointer?
        var fieldList: UnsafeMutablePointer<curl_slist>?
        let errorText: UnsafeMutablePointer<CChar>
        private var attempts = 0
        private var isBodyTooLarge = false
        private var areFieldsComplete = false
        private var fieldByteCount = 0
        private var fields = HTTPFields()
        private var received: [UInt8] = []

        static let maximumFieldByteCount = 256 << 10

        init(
            _ request: HTTPRequest, step: Step, bodyLimit: Int, with curl: CurlFunctions,
            _ inspection: CertificateInspection? = nil
        ) {
            self.inspection = inspection
            self.curl = curl
            self.request = request
            self.step = step
            self.bodyLimit = bodyLimit
            body = request.bodyBytes
            errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
            errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        }

        deinit {
            curl.slist_free_all(fieldList)
            errorText.deallocate()
        }

        /// Ends the transfer; only the first end counts.
        func finish(_ result: Result<HTTPResponse, TernError>) {
            continuation?.resume(returning: result)
            continuation = nil
        }

        func fail(_ reason: TernError.Reason) { finish(.failure(TernError(reason, at: step))) }

        /// Called before the request is written to a connection. A second time means that the connection broke after
        /// the first: what must not happen twice is not sent again.
        func willSend() -> Bool {
            attempts += 1
            return attempts == 1 || request.method.isIdempotent
        }

        func takeFieldLine(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
            fieldByteCount += line.count
            guard fieldByteCount <= Self.maximumFieldByteCount else { return false }
            var end = line.count
            while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
            let line = UnsafeBufferPointer(rebasing: line[..<end])
            if line.starts(with: "HTTP/".utf8) {
                fields = HTTPFields()
                areFieldsComplete = false
            } else if line.isEmpty {
                areFieldsComplete = true
            } else if !areFieldsComplete, let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                fields.append(
                    String(decoding: line[..<colon], as: UTF8.self),
                    String(decoding: line[(colon + 1)...], as: UTF8.self))
            }
            return true
        }

        func takeBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            guard bytes.count <= bodyLimit - received.count else {
                isBodyTooLarge = true
                return false
            }
            received.append(contentsOf: bytes)
            return true
        }

        /// Reads libcurl's verdict.
        func complete(_ code: CURLcode) {
            guard code != CURLE_OK else {
                var status = 0
                curl.get(handle, CURLINFO_RESPONSE_CODE, long: &status)
                if let handle { inspection?.read(handle, with: curl) }
                return finish(.success(HTTPResponse(status: status, fields: fields, body: received)))
            }
            fail(reason(of: code))
        }

        private func reason(of code: CURLcode) -> TernError.Reason {
            switch code {
            case CURLE_WRITE_ERROR where isBodyTooLarge, CURLE_FILESIZE_EXCEEDED:
                return .responseTooLarge(limit: bodyLimit)
            case CURLE_WRITE_ERROR: return .malformedResponse(field: "header")
            case CURLE_SSL_CACERT_BADFILE:
                return .invalidConfiguration(field: "certificateAuthorities", problem: "they cannot be read")
            case CURLE_SSL_CERTPROBLEM:
                return .invalidConfiguration(field: "clientIdentity", problem: "certificate or key cannot be used")
            case CURLE_URL_MALFORMAT:
                return .invalidConfiguration(field: "url", problem: "it cannot be read")
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return .network(.hostNotFound)
            case CURLE_COULDNT_CONNECT: return .network(.connectionFailed)
            case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
                return .network(.untrustedCertificate(words(of: code)))
            case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return .network(.pinMismatch)
            case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER: return .network(.tls(words(of: code)))
            // TLS 1.3 tells a client only afterwards that its certificate is missing or refused; the request was then
            // not read.
            case CURLE_RECV_ERROR where words(of: code).contains("alert"),
                CURLE_SEND_ERROR where words(of: code).contains("alert"):
                return .network(.tls(words(of: code)))
            default: break
            }
            if attempts > 0, !request.method.isIdempotent { return .outcomeUnknown }
            switch code {
            case CURLE_OPERATION_TIMEDOUT: return .network(.timedOut)
            case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2,
                CURLE_HTTP2_STREAM:
                return .network(.connectionLost)
            default: return .network(.other(meaning(of: code)))
            }
        }

        private func words(of code: CURLcode) -> String {
            errorText.pointee == 0 ? meaning(of: code) : String(cString: errorText)
        }

        private func meaning(of code: CURLcode) -> String {
            curl.easy_strerror(code).map { String(cString: $0) } ?? ""
        }
    }
#endif
