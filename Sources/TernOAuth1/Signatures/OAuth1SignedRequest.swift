public import TernCrypto
public import TernJOSE
public import TernProtocol

/// A signed request as a server reads it (RFC 5849 §3.2): what the client says of itself, and whether the signature fits.
///
/// The server looks up the secret of ``clientID`` and the secret of ``token``, asks ``isSigned(secret:tokenSecret:)`` or
/// ``isSigned(by:)``, and sees to it itself that the timestamp is near its own time and that the nonce is new (§3.3).
public struct OAuth1SignedRequest: Sendable {
    /// The client's identifier, `oauth_consumer_key`.
    public let clientID: String
    /// The token; `nil` where the client acts in its own right.
    public let token: AccessToken?
    /// The method.
    public let method: OAuth1SignatureMethod
    /// When the request was signed, as the client says; `nil` where PLAINTEXT came without it.
    public let timestamp: NumericDate?
    /// The nonce; `nil` where PLAINTEXT came without it.
    public let nonce: String?
    /// Where the parameters stood.
    public let placement: ParameterPlacement
    private let request: HTTPRequest
    private let parameters: FormParameters
    private let signature: String

    /// A parameter such as `oauth_callback` or `oauth_verifier`.
    public subscript(name: String) -> String? { parameters[name] }

    /// Reads a request.
    ///
    /// - Parameter request: the request as it was sent, with the address as the client saw it.
    /// - Returns: `nil` when it is not signed by OAuth 1.0a.
    /// - Throws: ``/TernProtocol/TernError`` with `malformedResponse` and the parameter that is missing, repeated, not
    ///   known, or wrong: a version other than `1.0`, a timestamp that is no positive number, a body hash that does not fit.
    public init?(reading request: HTTPRequest) throws(TernError) {
        guard let (placement, given) = try Self.protocolParameters(of: request) else { return nil }
        for name in Set(given.parameters.map(\.name)) where given.values(of: name).count > 1 {
            throw Self.malformed(name)
        }
        guard let clientID = given["oauth_consumer_key"], !clientID.isEmpty else {
            throw Self.malformed("oauth_consumer_key")
        }
        guard let method = given["oauth_signature_method"].flatMap(OAuth1SignatureMethod.init) else {
            throw Self.malformed("oauth_signature_method")
        }
        guard let signature = given["oauth_signature"] else { throw Self.malformed("oauth_signature") }
        guard given["oauth_version"] ?? "1.0" == "1.0" else { throw Self.malformed("oauth_version") }
        self.clientID = clientID
        self.method = method
        self.placement = placement
        self.signature = signature
        token = given["oauth_token"].flatMap { $0.isEmpty ? nil : AccessToken($0) }
        timestamp = try Self.timestamp(given, method)
        nonce = given["oauth_nonce"].flatMap { $0.isEmpty ? nil : $0 }
        guard nonce != nil || method == .plaintext else { throw Self.malformed("oauth_nonce") }
        parameters = FormParameters(
            given.parameters.filter { $0.name != "oauth_signature" && $0.name != "realm" })
        self.request = Self.bare(request, placement)
        if let hash = given["oauth_body_hash"] {
            let own = (method.hash ?? .sha1).digest(self.request.bodyBytes ?? [])
            guard !request.hasForm, constantTimeEqual(Base64.encode(own).utf8, hash.utf8) else {
                throw Self.malformed("oauth_body_hash")
            }
        }
    }

    /// The text that is signed (RFC 5849 §3.4.1), to compare it with the other side's. It holds the token, but no secret.
    public var baseString: String {
        String(decoding: SignatureBaseString.bytes(of: request, parameters), as: UTF8.self)
    }

    /// Whether the signature is one of a client with this secret and a token with that one; never for the methods that sign
    /// with a private key.
    public func isSigned(secret: ClientSecret, tokenSecret: OAuth1TokenSecret?) -> Bool {
        let key = PercentCodec.encode(secret.exposedText) + "&" + PercentCodec.encode(tokenSecret?.exposedText ?? "")
        guard !method.usesPrivateKey else { return false }
        guard let hash = method.hash else { return constantTimeEqual(key.utf8, signature.utf8) }
        let base = SignatureBaseString.bytes(of: request, parameters)
        guard let code = Base64.decode(Array(signature.utf8)) else { return false }
        return HMACKey(Array(key.utf8)).isValid(code, for: base, using: hash)
    }

    /// Whether the signature is one of a client with this key; never for the methods that sign with a secret.
    public func isSigned(by key: RSAPublicKey) -> Bool {
        guard method.usesPrivateKey, let hash = method.hash, let bytes = Base64.decode(Array(signature.utf8)) else {
            return false
        }
        let base = SignatureBaseString.bytes(of: request, parameters)
        return key.isValidSignature(bytes, for: base, using: hash, padding: .pkcs1v15)
    }

    private static func malformed(_ field: String) -> TernError {
        TernError(.malformedResponse(field: field), at: .serving)
    }

    /// The parameters and the one place that they stand in (§3.5).
    private static func protocolParameters(
        of request: HTTPRequest
    ) throws(TernError) -> (ParameterPlacement, FormParameters)? {
        // The field is written like a challenge (RFC 9110 §11.4).
        let authorization: HTTPFields = ["WWW-Authenticate": request.fields["Authorization"] ?? ""]
        if let header = AuthenticateChallenge.first("OAuth", in: authorization) {
            var parameters: FormParameters = [:]
            for (name, value) in header.parameters.sorted(by: { $0.key < $1.key }) {
                parameters.append(decoded(name), name == "realm" ? value : decoded(value))
            }
            return (.header, parameters)
        }
        let form: FormParameters =
            switch request.body {
            case .form(let form): form
            case .bytes(let bytes) where request.hasFormInBytes:
                FormParameters(decoding: String(decoding: bytes, as: UTF8.self)) ?? [:]
            case .bytes, .none: [:]
            }
        let query = request.url.encodedQuery.flatMap { FormParameters(decoding: $0) } ?? [:]
        switch (form["oauth_signature"] != nil, query["oauth_signature"] != nil) {
        case (true, true): throw malformed("oauth_signature")
        case (true, false): return (.form, form.protocolParameters)
        case (false, true): return (.query, query.protocolParameters)
        case (false, false): return nil
        }
    }

    /// In the field a plus sign is itself (§3.5.1, §3.6).
    private static func decoded(_ text: String) -> String {
        PercentCodec.decodeForm(text.replacingEvery("+", with: "%2B"))
    }

    private static func timestamp(
        _ parameters: FormParameters, _ method: OAuth1SignatureMethod
    ) throws(TernError) -> NumericDate? {
        guard let text = parameters["oauth_timestamp"] else {
            guard method == .plaintext else { throw malformed("oauth_timestamp") }
            return nil
        }
        guard let seconds = Int64(text), seconds > 0, text.utf8.first != UInt8(ascii: "+") else {
            throw malformed("oauth_timestamp")
        }
        return NumericDate(Double(seconds))
    }

    /// The request without its `oauth_` parameters, which are put in again for the base string.
    private static func bare(_ request: HTTPRequest, _ placement: ParameterPlacement) -> HTTPRequest {
        var bare = request
        switch placement {
        case .header: bare.fields["Authorization"] = nil
        case .form:
            switch request.body {
            case .form(let form): bare.body = .form(form.withoutProtocolParameters)
            case .bytes(let bytes):
                let form = FormParameters(decoding: String(decoding: bytes, as: UTF8.self)) ?? [:]
                bare.body = .form(form.withoutProtocolParameters)
            case .none: break
            }
        case .query:
            let query = request.url.encodedQuery.flatMap { FormParameters(decoding: $0) } ?? [:]
            let rest = query.withoutProtocolParameters
            let text = request.url.withoutQueryAndFragment + (rest.isEmpty ? "" : "?" + rest.encoded)
            bare.url = URI(text) ?? request.url
        }
        return bare
    }
}

extension FormParameters {
    fileprivate var protocolParameters: FormParameters {
        FormParameters(parameters.filter { $0.name.hasPrefix("oauth_") })
    }

    fileprivate var withoutProtocolParameters: FormParameters {
        FormParameters(parameters.filter { !$0.name.hasPrefix("oauth_") })
    }
}

extension OAuth1SignedRequest: CustomStringConvertible, CustomReflectable {
    /// The client and the method.
    public var description: String { "<request signed by \(clientID) with \(method.rawValue)>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
