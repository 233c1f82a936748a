internal import TernProtocol

/// The text that is signed (RFC 5849 §3.4.1): method, address and parameters of a request.
enum SignatureBaseString {
    /// Builds it.
    ///
    /// - Parameters:
    ///   - request: the request without `oauth_` parameters of its own.
    ///   - protocolParameters: the `oauth_` parameters, without `realm` and `oauth_signature`.
    static func bytes(of request: HTTPRequest, _ protocolParameters: FormParameters) -> [UInt8] {
        let query = request.url.encodedQuery ?? ""
        var parameters = NormalizedParameters(reserving: 1_024)
        parameters.append(protocolParameters)
        query.withBytes { parameters.append(form: $0) }
        switch request.body {
        case .form(let form): parameters.append(form)
        case .bytes(let bytes) where request.hasFormInBytes:
            bytes.withUnsafeBufferPointer { parameters.append(form: $0) }
        case .bytes, .none: break
        }
        parameters.sort()
        var head: [UInt8] = []
        PercentCodec.append(request.method.rawValue.asciiUppercased, to: &head)
        head.append(UInt8(ascii: "&"))
        PercentCodec.append(address(request.url), to: &head)
        head.append(UInt8(ascii: "&"))
        return parameters.encoded(after: head)
    }

    /// Scheme and host in lower case, a port that is not the scheme's, the path as it is sent (§3.4.1.2).
    private static func address(_ url: URI) -> String {
        let scheme = url.normalizedScheme
        var text = "\(scheme)://\((url.host ?? "").asciiLowercased)"
        if let port = url.port, port != URI.defaultPort(of: scheme) { text += ":\(port)" }
        let path = url.encodedPath
        return text + (path.isEmpty ? "/" : path)
    }
}

extension HTTPRequest {
    /// Whether the body is bytes that are labelled as a form, so that its parameters are signed (RFC 5849 §3.4.1.3.1).
    var hasFormInBytes: Bool {
        guard case .bytes = body, let type = fields["Content-Type"] else { return false }
        let name = String(type.prefix { $0 != ";" })
        return String(name.trimmingASCIIWhitespace).equalsIgnoringASCIICase("application/x-www-form-urlencoded")
    }
}

extension String {
    fileprivate var asciiUppercased: String {
        utf8.contains { $0 &- 0x61 < 26 }
            ? String(decoding: utf8.map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 }, as: UTF8.self) : self
    }
}
