public import TernCrypto
public import TernJOSE
public import TernProtocol

/// Signs requests as OAuth 1.0a wants it (RFC 5849 §3), with or without a token: with one for a user, without one as a
/// client in its own right.
///
/// It is a value without clock and randomness: time and nonce come in as arguments. Keep it as long as client and token stay
/// the same, since it holds the prepared key.
///
/// ```swift
/// let signer = OAuth1Signer(clientID: clientID, .hmacSHA1(secret), token: token)
/// let signed = try signer.sign(request, timestamp: clock.now, nonce: OAuth1Signer.nonce(from: random))
/// ```
public struct OAuth1Signer: Sendable {
    /// The client's identifier, `oauth_consumer_key`.
    public let clientID: String
    /// The token that requests are signed with; `nil` for a client in its own right.
    public let token: OAuth1Token?
    /// The method.
    public var method: OAuth1SignatureMethod { key.method }
    /// Where the parameters stand.
    public var placement = ParameterPlacement.header
    /// The realm, which stands in the field `Authorization` and is not signed (RFC 5849 §3.5.1).
    public var realm: String?
    /// Whether `oauth_version` is sent, which may be left out (§3.1).
    public var sendsVersion = true
    /// Whether bodies that are no forms, and missing ones, are signed by `oauth_body_hash`, an extension.
    public var hashesBody = false
    private let key: OAuth1SigningKey
    private let prepared: PreparedKey

    private enum PreparedKey: Sendable {
        case hmac(HMACKey, HashFunction)
        case privateKey(RSAPrivateKey, HashFunction)
        case text(String)
    }

    /// Prepares a key.
    public init(clientID: String, _ key: OAuth1SigningKey, token: OAuth1Token? = nil) {
        self.clientID = clientID
        self.key = key
        self.token = token
        switch (key.material, key.method.hash) {
        case (.privateKey(let privateKey), let hash): prepared = .privateKey(privateKey, hash ?? .sha1)
        case (.secret(let secret), let hash?):
            prepared = .hmac(HMACKey(Array(Self.keyText(secret, token).utf8)), hash)
        case (.secret(let secret), nil): prepared = .text(Self.keyText(secret, token))
        }
    }

    /// Both secrets, encoded, with an `&` between them also where one is empty (§3.4.2).
    private static func keyText(_ secret: ClientSecret, _ token: OAuth1Token?) -> String {
        PercentCodec.encode(secret.exposedText) + "&" + PercentCodec.encode(token?.secret.exposedText ?? "")
    }

    /// A nonce of 120 random bits in 30 hexadecimal digits: some servers want letters and digits alone, and no more than 30
    /// of them.
    public static func nonce(from random: some RandomSource) -> String {
        func hexDigit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? nibble + 0x30 : nibble + 0x57 }
        let bytes = random.bytes(15)
        return String(unsafeUninitializedCapacity: 30) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = hexDigit(byte >> 4)
                text[2 * index + 1] = hexDigit(byte & 15)
            }
            return 2 * bytes.count
        }
    }

    /// Signs a request. An `Authorization` of its own is replaced.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - timestamp: the time by the server's clock; whole seconds are sent.
    ///   - nonce: a text that the client has not used with this timestamp.
    ///   - parameters: further `oauth_` parameters, such as `oauth_callback`.
    /// - Throws: ``/TernProtocol/TernError``: `invalidConfiguration` for a request that holds `oauth_` parameters already, for
    ///   a body that is no form where ``placement`` wants one, and for an address without a host; `insecureEndpoint` where
    ///   PLAINTEXT would go over plain http beyond loopback; `unsupported` when the system cannot sign.
    public func sign(
        _ request: HTTPRequest, timestamp: NumericDate, nonce: String, parameters: FormParameters = [:]
    ) throws(TernError) -> HTTPRequest {
        var all = try protocolParameters(for: request, timestamp, nonce, parameters)
        all.append("oauth_signature", try signature(of: request, all))
        var signed = request
        switch placement {
        case .header: signed.fields["Authorization"] = headerValue(all)
        case .form: try signed.append(toForm: all)
        case .query: signed.url = try request.url.appending(once: all, field: "url", at: .resourceRequest)
        }
        return signed
    }

    /// The text that ``sign(_:timestamp:nonce:parameters:)`` signs, to compare it with the one that a server has built. It
    /// holds the token, but no secret.
    ///
    /// - Throws: what ``sign(_:timestamp:nonce:parameters:)`` throws.
    public func baseString(
        of request: HTTPRequest, timestamp: NumericDate, nonce: String, parameters: FormParameters = [:]
    ) throws(TernError) -> String {
        let all = try protocolParameters(for: request, timestamp, nonce, parameters)
        return String(decoding: SignatureBaseString.bytes(of: request, all), as: UTF8.self)
    }

    private func protocolParameters(
        for request: HTTPRequest, _ timestamp: NumericDate, _ nonce: String, _ further: FormParameters
    ) throws(TernError) -> FormParameters {
        func invalid(_ field: String, _ problem: String) -> TernError {
            TernError(.invalidConfiguration(field: field, problem: problem), at: .resourceRequest)
        }
        guard let host = request.url.host, !host.isEmpty else { throw invalid("url", "it has no host") }
        guard !request.url.hasUserInformation else { throw invalid("url", "it has a user name before the host") }
        let seconds = timestamp.secondsSince1970
        guard seconds >= 0, seconds < 1e15 else { throw invalid("oauth_timestamp", "it is not a time after 1970") }
        if let name = request.protocolParameterName {
            throw invalid(name, "it is set already, and is set by signing")
        }
        var parameters: FormParameters = ["oauth_consumer_key": clientID]
        if let token { parameters.append("oauth_token", token.token.exposedText) }
        parameters.append("oauth_signature_method", method.rawValue)
        parameters.append("oauth_timestamp", String(Int64(seconds)))
        parameters.append("oauth_nonce", nonce)
        if sendsVersion { parameters.append("oauth_version", "1.0") }
        if hashesBody, placement != .form, !request.hasForm {
            let hash = (method.hash ?? .sha1).digest(request.bodyBytes ?? [])
            parameters.append("oauth_body_hash", Base64.encode(hash))
        }
        try parameters.append(once: further, at: .resourceRequest)
        return parameters
    }

    private func signature(of request: HTTPRequest, _ parameters: FormParameters) throws(TernError) -> String {
        switch prepared {
        case .text(let text):
            guard request.url.isSecure || request.url.isLoopback else {
                throw TernError(.insecureEndpoint(field: "url"), at: .resourceRequest)
            }
            return text
        case .hmac(let key, let hash):
            let base = SignatureBaseString.bytes(of: request, parameters)
            return Base64.encode(key.authenticationCode(for: base, using: hash))
        case .privateKey(let key, let hash):
            let base = SignatureBaseString.bytes(of: request, parameters)
            do {
                return Base64.encode(try key.signature(for: base, using: hash, padding: .pkcs1v15))
            } catch {
                throw TernError(.unsupported("signing: \(error.description)"), at: .resourceRequest)
            }
        }
    }

    private func headerValue(_ parameters: FormParameters) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(512)
        out.append(contentsOf: "OAuth ".utf8)
        if let realm { out.append(contentsOf: "realm=\"\(realm.quotedContent)\", ".utf8) }
        for (index, parameter) in parameters.parameters.enumerated() {
            if index > 0 { out.append(contentsOf: ", ".utf8) }
            PercentCodec.append(parameter.name, to: &out)
            out.append(contentsOf: "=\"".utf8)
            PercentCodec.append(parameter.value, to: &out)
            out.append(UInt8(ascii: "\""))
        }
        return String(decoding: out, as: UTF8.self)
    }
}

extension OAuth1Signer: CustomStringConvertible, CustomReflectable {
    /// The client and the method.
    public var description: String { "<\(method.rawValue) signer of \(clientID)>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HTTPRequest {
    /// Whether the body is a form, whose parameters are signed.
    var hasForm: Bool {
        if case .form = body { true } else { hasFormInBytes }
    }

    /// The name of a protocol parameter that stands in the query or in the form already: each may stand only once in all
    /// places together (RFC 5849 §3.5).
    fileprivate var protocolParameterName: String? {
        if let query = url.encodedQuery, let parameters = FormParameters(decoding: query),
            let name = parameters.signingParameterName
        {
            return name
        }
        switch body {
        case .form(let form): return form.signingParameterName
        case .bytes(let bytes) where hasFormInBytes:
            return FormParameters(decoding: String(decoding: bytes, as: UTF8.self))?.signingParameterName
        case .bytes, .none: return nil
        }
    }

    /// Puts parameters behind those of the form. A request without a body gets one.
    fileprivate mutating func append(toForm parameters: FormParameters) throws(TernError) {
        func invalid(_ problem: String) -> TernError {
            TernError(.invalidConfiguration(field: "placement", problem: problem), at: .resourceRequest)
        }
        guard ![.get, .head].contains(method) else { throw invalid("a \(method.rawValue) has no form to sign in") }
        switch body {
        case .none: body = .form(parameters)
        case .form(let form): body = .form(FormParameters(form.parameters + parameters.parameters))
        case .bytes(let bytes):
            guard hasFormInBytes else { throw invalid("the body is not a form") }
            let separator = bytes.isEmpty || bytes.last == UInt8(ascii: "&") ? "" : "&"
            body = .bytes(bytes + Array((separator + parameters.encoded).utf8))
        }
    }
}

extension String {
    /// What stands between the quotes of a quoted string (RFC 9110 §5.6.4).
    fileprivate var quotedContent: String {
        var out: [UInt8] = []
        for byte in utf8 where byte >= 0x20 && byte != 0x7F {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { out.append(UInt8(ascii: "\\")) }
            out.append(byte)
        }
        return String(decoding: out, as: UTF8.self)
    }
}

extension FormParameters {
    /// The name of the first parameter that signing sets.
    fileprivate var signingParameterName: String? {
        parameters.lazy.map(\.name).first { name in
            guard name.hasPrefix("oauth_") else { return false }
            return [
                "oauth_consumer_key", "oauth_token", "oauth_signature_method", "oauth_signature", "oauth_timestamp",
                "oauth_nonce", "oauth_version",
            ].contains(name)
        }
    }
}
