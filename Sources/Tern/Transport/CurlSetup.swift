#if TERN_CURL
    internal import CCurl
    internal import TernProtocol

    /// How a transfer becomes a libcurl handle. Every option is set for every transfer, on a handle that is new or reset.
    struct CurlSetup: Sendable {
        let curl: CurlFunctions
        let policy: TransportPolicy
        private let pins: String

        init(_ policy: TransportPolicy, with curl: CurlFunctions) {
            self.curl = curl
            self.policy = policy
            pins = policy.pins.map { "sha256//" + $0.base64 }.joined(separator: ";")
        }

        func apply(to handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer) {
            let context = Unmanaged.passUnretained(transfer).toOpaque()
            curl.set(handle, CURLOPT_PRIVATE, pointer: context)
            curl.set(handle, CURLOPT_ERRORBUFFER, pointer: transfer.errorText)
            curl.set(handle, CURLOPT_NOSIGNAL, long: 1)
            curl.set(handle, CURLOPT_URL, string: transfer.request.url.withoutFragment)
            curl.set(handle, CURLOPT_PATH_AS_IS, long: 1)
            curl.allowHTTPOnly(handle)
            curl.set(handle, CURLOPT_FOLLOWLOCATION, long: 0)
            curl.set(handle, CURLOPT_HTTP_VERSION, long: Int(CURL_HTTP_VERSION_2TLS))
            curl.set(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, long: 1)
            curl.set(handle, CURLOPT_TIMEOUT_MS, long: policy.timeout.boundedMilliseconds)
            curl.set(handle, CURLOPT_CONNECTTIMEOUT_MS, long: policy.connectTimeout.boundedMilliseconds)
            // A request to this machine never takes the way over a proxy that the environment names.
            if transfer.request.url.isLoopback { curl.set(handle, CURLOPT_PROXY, string: "") }
            setCallbacks(handle, context)
            setMessage(handle, transfer)
            if transfer.request.url.isSecure { setTrust(handle) }
            transfer.inspection?.prepare(handle, with: curl)
        }

        private func setCallbacks(_ handle: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer) {
            curl.set(handle, CURLOPT_WRITEDATA, pointer: context)
            curl.set(handle, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
                guard let (transfer, bytes) = CurlSetup.arguments(bytes, count, context) else { return 0 }
                return transfer.takeBody(bytes) ? count : 0
            }
            curl.set(handle, CURLOPT_HEADERDATA, pointer: context)
            curl.set(handle, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
                guard let (transfer, bytes) = CurlSetup.arguments(bytes, count, context) else { return 0 }
                return transfer.takeFieldLine(bytes) ? count : 0
            }
            curl.set(handle, CURLOPT_PREREQDATA, pointer: context)
            curl.set(handle) { context, _, _, _, _ in
                guard let context else { return CURL_PREREQFUNC_ABORT }
                let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                return transfer.willSend() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            }
        }

        private static func arguments(
            _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?
        ) -> (CurlTransfer, UnsafeBufferPointer<UInt8>)? {
            guard let bytes, let context else { return nil }
            let buffer = UnsafeRawBufferPointer(start: bytes, count: count).assumingMemoryBound(to: UInt8.self)
            return (Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue(), buffer)
        }

        private func setMessage(_ handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer) {
            let request = transfer.request
            if request.method == .head {
                curl.set(handle, CURLOPT_NOBODY, long: 1)
            } else {
                curl.set(handle, CURLOPT_MAXFILESIZE_LARGE, size: curl_off_t(policy.bodyLimit))
            }
            if transfer.body != nil || request.method == .post {
                let body = transfer.body ?? []
                curl.set(handle, CURLOPT_POSTFIELDSIZE_LARGE, size: curl_off_t(body.count))
                body.withUnsafeBytes { bytes in
                    var none: UInt8 = 0
                    let start = bytes.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) }
                    if let start {
                        curl.set(handle, CURLOPT_COPYPOSTFIELDS, pointer: start)
                    } else {
                        curl.set(handle, CURLOPT_COPYPOSTFIELDS, pointer: &none)
                    }
                }
            }
            if ![.get, .head, .post].contains(request.method) || (request.method == .get && transfer.body != nil) {
                curl.set(handle, CURLOPT_CUSTOMREQUEST, string: request.method.rawValue)
            }
            for field in request.fieldsToSend {
                // libcurl reads "Name:" as "leave the field out" and "Name;" as an empty value.
                append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)", to: transfer)
            }
            if case .form = request.body, request.fields["Content-Type"] == nil {
                append("Content-Type: application/x-www-form-urlencoded", to: transfer)
            } else if transfer.body == nil || request.fields["Content-Type"] == nil {
                append("Content-Type:", to: transfer)
            }
            if request.fields["User-Agent"] == nil {
                append("User-Agent: \(policy.userAgentField)", to: transfer)
            }
            append("Expect:", to: transfer)
            curl.set(handle, CURLOPT_HTTPHEADER, pointer: transfer.fieldList)
        }

        private func append(_ line: String, to transfer: CurlTransfer) {
            if let list = curl.slist_append(transfer.fieldList, line) { transfer.fieldList = list }
        }

        private func setTrust(_ handle: UnsafeMutableRawPointer) {
            curl.set(handle, CURLOPT_SSLVERSION, long: Int(CURL_SSLVERSION_TLSv1_2))
            // Requests that could share one HTTP/2 connection wait until it is known whether they can.
            curl.set(handle, CURLOPT_PIPEWAIT, long: 1)
            if !policy.certificateAuthorities.isEmpty {
                setBlob(handle, CURLOPT_CAINFO_BLOB, policy.certificateAuthorities)
                // The folder of the system's authorities would count beside the given ones.
                curl.set(handle, CURLOPT_CAPATH, string: nil)
                curl.set(handle, CURLOPT_CAINFO, string: nil)
            }
            if !pins.isEmpty { curl.set(handle, CURLOPT_PINNEDPUBLICKEY, string: pins) }
            switch policy.clientIdentity?.material {
            case .pem(let certificates, let key, let passphrase):
                // Without any, OpenSSL would ask for it at the terminal and wait.
                curl.set(handle, CURLOPT_KEYPASSWD, string: passphrase ?? "")
                curl.set(handle, CURLOPT_SSLCERTTYPE, string: "PEM")
                setBlob(handle, CURLOPT_SSLCERT_BLOB, certificates)
                curl.set(handle, CURLOPT_SSLKEYTYPE, string: "PEM")
                setBlob(handle, CURLOPT_SSLKEY_BLOB, key)
            case .pkcs12(let bytes, let password):
                curl.set(handle, CURLOPT_SSLCERTTYPE, string: "P12")
                setBlob(handle, CURLOPT_SSLCERT_BLOB, bytes)
                curl.set(handle, CURLOPT_KEYPASSWD, string: password)
            case nil: break
            }
        }

        private func setBlob(_ handle: UnsafeMutableRawPointer, _ option: CURLoption, _ bytes: [UInt8]) {
            _ = bytes.withUnsafeBytes { curl.set(handle, option, blob: $0.baseAddress, count: $0.count) }
        }
    }
#endif
