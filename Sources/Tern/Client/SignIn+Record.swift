internal import TernCrypto
internal import TernJOSE
internal import TernOAuth1
public import TernProtocol

extension SignIn {
    private static let version: Int64 = 1

    /// The sign-in as a record: a JSON object that holds the verifier.
    public var record: StoredRecord { StoredRecord(json.serialized()) }

    /// Reads a record.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with `corruptedRecord` when something that is needed is missing or has the
    ///   wrong form, or `newerRecord` for one that a later version of the library wrote.
    public init(_ record: StoredRecord) throws(TernError) {
        guard let object = try? JSON(parsing: record.exposedBytes).object else {
            throw Self.corrupted("it is not JSON")
        }
        try self.init(object)
    }

    var json: JSONObject {
        var object: JSONObject = [
            "version": .number(JSONNumber(Self.version)), "address": .string(address.text),
            "account": .string(account), "client_id": .string(clientID), "server": .string(server),
            "requires_issuer": .bool(requiresIssuer), "redirect_uri": .string(redirectURI.text),
            "state": .string(state),
            "scope": .string(scope.text), "acr_values": .array(acrValues.map(JSON.string)), "kept": .bool(isKept),
        ]
        switch proof {
        case .codeVerifier(let verifier): object["code_verifier"] = .string(verifier.secret.exposedText)
        case .temporaryCredentials(let secret, let allowsMissingVerifier):
            object["token_secret"] = .string(secret.exposedText)
            object["verifier_optional"] = .bool(allowsMissingVerifier)
        }
        object["begun_at"] = JSONNumber(begunAt.secondsSince1970).map(JSON.number)
        object["expires_at"] = JSONNumber(expiresAt.secondsSince1970).map(JSON.number)
        object["iss"] = issuer.map(JSON.string)
        object["nonce"] = nonce.map(JSON.string)
        object["max_age"] = maxAge.map { .number(JSONNumber($0.components.seconds)) }
        object["sub"] = expectedSubject.map(JSON.string)
        object["dpop"] = dpop?.json
        if !resources.isEmpty { object["resource"] = .array(resources.map { .string($0.text) }) }
        if responseType != .code { object["response_type"] = .string(responseType.text) }
        if responseMode != .query { object["response_mode"] = .string(responseMode.rawValue) }
        if callbackQuirks != CallbackQuirks() { object["callback_quirks"] = .object(callbackQuirks.json) }
        if !attachment.isEmpty { object["attachment"] = .object(attachment) }
        return object
    }

    init(_ object: JSONObject) throws(TernError) {
        let version = object["version"]?.integer ?? 1
        guard version <= Self.version else { throw TernError(.newerRecord(version: version), at: .storage) }
        func text(_ name: String) throws(TernError) -> String {
            guard let text = object[name]?.string else { throw Self.corrupted("it lacks \(name)") }
            return text
        }
        func date(_ name: String) throws(TernError) -> NumericDate {
            guard let seconds = object[name]?.double else { throw Self.corrupted("it lacks \(name)") }
            return NumericDate(seconds)
        }
        guard let address = URI(try text("address")), let redirectURI = try? RedirectURI(try text("redirect_uri"))
        else {
            throw Self.corrupted("an address in it cannot be read")
        }
        self.address = address
        self.redirectURI = redirectURI
        if let secret = object["token_secret"]?.string {
            proof = .temporaryCredentials(
                OAuth1TokenSecret(secret), allowsMissingVerifier: object["verifier_optional"]?.bool ?? false)
        } else {
            guard let verifier = try? CodeVerifier(try text("code_verifier")) else {
                throw Self.corrupted("the verifier in it cannot be read")
            }
            proof = .codeVerifier(verifier)
        }
        begunAt = try date("begun_at")
        expiresAt = try date("expires_at")
        account = try text("account")
        clientID = try text("client_id")
        server = try text("server")
        state = try text("state")
        scope = Scope(object["scope"]) ?? []
        issuer = object["iss"]?.string
        requiresIssuer = object["requires_issuer"]?.bool ?? false
        nonce = object["nonce"]?.string
        maxAge = object["max_age"]?.integer.map { .seconds($0) }
        acrValues = (object["acr_values"]?.array ?? []).compactMap(\.string)
        expectedSubject = object["sub"]?.string
        dpop = try object["dpop"].map { (json) throws(TernError) in
            guard let binding = DPoPBinding(json) else { throw Self.corrupted("the key in it cannot be read") }
            return binding
        }
        resources = [URI](json: object["resource"])
        isKept = object["kept"]?.bool ?? false
        attachment = object["attachment"]?.object ?? [:]
        callbackQuirks = CallbackQuirks(object["callback_quirks"]?.object ?? [:])
        if let text = object["response_type"]?.string {
            guard let type = try? ResponseType(text) else { throw Self.corrupted("its response type is unknown") }
            responseType = type
        }
        if let text = object["response_mode"]?.string {
            guard let mode = AuthorizationRequest.ResponseMode(rawValue: text) else {
                throw Self.corrupted("its response mode is unknown")
            }
            responseMode = mode
        }
    }

    private static func corrupted(_ problem: String) -> TernError { TernError(.corruptedRecord(problem), at: .storage) }

    /// Reads what ``encode(to:)`` wrote.
    ///
    /// - Throws: what the decoder throws; what ``init(_:)`` throws.
    public init(from decoder: any Decoder) throws { try self.init(try JSONObject(from: decoder)) }

    /// Writes the JSON object of ``record``, the verifier included.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
