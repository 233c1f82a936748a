#if TERN_CURL
    internal import CCurl
    internal import TernProtocol

    /// How a transfer becomes a libcurl handle. Every option is set for every transfer, on a handle that is new or reset.
    struct CurlSetup: Sendable {
        let policy: TransportPolicy
        private let pins: String

        init(_ policy: TransportPolicy) {
            self.policy = policy
            pins = policy.pins.map { "sha256//" + $0.base64 }.joined(separator: ";")
        }

        func apply(to handle: UnsafeMutableRawPointer, _ transfer: CurlTransfer) {
            let context = Unmanaged.passUnretained(transfer).toOpaque()
            tern_curl_set_pointer(handle, CURLOPT_PRIVATE, context)
            tern_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, transfer.errorText)
            tern_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
            tern_curl_set_string(handle, CURLOPT_URL, transfer.request.url.withoutFragment)
            tern_curl_set_long(handle, CURLOPT_PATH_AS_IS, 1)
            tern_curl_allow_http_only(handle)
            tern_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
            tern_curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
            tern_curl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            tern_curl_set_long(handle, CURLOPT_TIMEOUT_MS, policy.timeout.boundedMilliseconds)
            tern_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, policy.connectTimeout.boundedMilliseconds)
            // A request to this machine never takes the way over a proxy that the environment names.
            if transfer.request.url.isLoopback { tern_curl_set_string(handle, CURLOPT_PROXY, "") }
            setCallbacks(handle, context)
            setMessage(handle, transfer)
            if transfer.request.url.isSecure { setTrust(handle) }
        }

        private func setCallbacks(_ handle: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer) {
            tern_curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
            tern_curl_set_data_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
                guard let (transfer, bytes) = CurlSetup.arguments(bytes, count, context) else { return 0 }
                return transfer.takeBody(bytes) ? count : 0
            }
            tern_curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
            tern_curl_set_data_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
                guard let (transfer, bytes) = CurlSetup.arguments(bytes, count, context) else { return 0 }
                return transfer.takeFieldLine(bytes) ? count : 0
            }
            tern_curl_set_pointer(handle, CURLOPT_PREREQDATA, context)
            tern_curl_set_request_callback(handle) { context, _, _, _, _ in
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
                tern_curl_set_long(handle, CURLOPT_NOBODY, 1)
            } else {
                tern_curl_set_size(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(policy.bodyLimit))
            }
            if transfer.body != nil || request.method == .post {
                let body = transfer.body ?? []
                tern_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
                body.withUnsafeBytes { bytes in
                    var none: UInt8 = 0
                    let start = bytes.baseAddress.map { UnsafeMutableRawPointer(mutating: $0) }
                    if let start {
                        tern_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, start)
                    } else {
                        tern_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, &none)
                    }
                }
            }
            if ![.get, .head, .post].contains(request.method) || (request.method == .get && transfer.body != nil) {
                tern_curl_set_string(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
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
            tern_curl_set_pointer(handle, CURLOPT_HTTPHEADER, transfer.fieldList)
        }

        private func append(_ line: String, to transfer: CurlTransfer) {
            if let list = curl_slist_append(transfer.fieldList, line) { transfer.fieldList = list }
        }

        private func setTrust(_ handle: UnsafeMutableRawPointer) {
            tern_curl_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
            // Requests that could share one HTTP/2 connection wait until it is known whether they can.
            tern_curl_set_long(handle, CURLOPT_PIPEWAIT, 1)
            if !policy.certificateAuthorities.isEmpty {
                setBlob(handle, CURLOPT_CAINFO_BLOB, policy.certificateAuthorities)
                // The folder of the system's authorities would count beside the given ones.
                tern_curl_set_string(handle, CURLOPT_CAPATH, nil)
                tern_curl_set_string(handle, CURLOPT_CAINFO, nil)
            }
            if !pins.isEmpty { tern_curl_set_string(handle, CURLOPT_PINNEDPUBLICKEY, pins) }
            switch policy.clientIdentity?.material {
            case .pem(let certificates, let key):
                tern_curl_set_string(handle, CURLOPT_SSLCERTTYPE, "PEM")
                setBlob(handle, CURLOPT_SSLCERT_BLOB, certificates)
                tern_curl_set_string(handle, CURLOPT_SSLKEYTYPE, "PEM")
                setBlob(handle, CURLOPT_SSLKEY_BLOB, key)
            case .pkcs12(let bytes, let password):
                tern_curl_set_string(handle, CURLOPT_SSLCERTTYPE, "P12")
                setBlob(handle, CURLOPT_SSLCERT_BLOB, bytes)
                tern_curl_set_string(handle, CURLOPT_KEYPASSWD, password)
            case nil: break
            }
        }

        private func setBlob(_ handle: UnsafeMutableRawPointer, _ option: CURLoption, _ bytes: [UInt8]) {
            _ = bytes.withUnsafeBytes { tern_curl_set_blob(handle, option, $0.baseAddress, $0.count) }
        }
    }
#endif
