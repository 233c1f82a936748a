public import TernCrypto
public import TernJOSE
public import TernOAuth1
public import TernProtocol

/// What a sign-in leaves behind: the tokens and what is needed to use, renew and end them.
public struct Credential: Sendable, Hashable {
    /// What APIs want to see.
    public let accessToken: AccessToken
    /// How the access token is sent.
    public let tokenType: TokenResponse.TokenType
    /// The secret that belongs to the access token, with OAuth 1.0a alone.
    public let tokenSecret: OAuth1TokenSecret?
    /// When the access token was obtained, by the server's clock as far as it is known.
    public let obtainedAt: NumericDate
    /// How far the server's clock was ahead of the device's at that time, in seconds; zero where they agreed.
    public let clockOffset: Double
    /// How long the access token lives from then on, to the millisecond; `nil` where unknown.
    public let lifetime: Duration?
    /// What renews the access token.
    public let refreshToken: RefreshToken?
    /// The ID token of the sign-in or of the last refresh that brought one.
    public let idToken: EncodedIDToken?
    /// What was granted; what was asked for, where the server did not say.
    public let scope: Scope
    /// The user, where the server said so in an ID token.
    public let subject: String?
    /// The issuer of the ID token.
    public let issuer: String?
    /// The client that the tokens were issued to.
    public let clientID: String
    /// The key that was shown for the tokens; `nil` where none was. A refresh token may be bound to it although the access
    /// token is not.
    public let dpop: DPoPBinding?
    /// The nonce of the sign-in, which a refreshed ID token may repeat.
    public let nonce: String?
    /// Members of the token answer that no standard names.
    public internal(set) var additionalMembers: JSONObject
    /// The APIs that the tokens are for (RFC 8707 §2); none where nobody said so.
    public internal(set) var resources: [URI] = []
    /// Where the next access token comes from.
    public internal(set) var renewalMethod = RenewalMethod.refreshToken

    /// When the access token ends; `nil` where unknown.
    public var expiration: NumericDate? { lifetime.map { obtainedAt + $0 } }

    /// Whether the access token is good for use at a time. A time well before the token was obtained says that the clock
    /// went back, and nothing about the token: it then counts as over, where it can be renewed.
    ///
    /// - Parameters:
    ///   - now: the time, by the server's clock as far as it is known.
    ///   - window: how long before its end it counts as over; at most half of its lifetime.
    ///   - unknownLifetime: what becomes of a token whose lifetime is unknown.
    public func isFresh(
        at now: NumericDate, window: Duration, unknownLifetime: ClientConfiguration.UnknownLifetime
    ) -> Bool {
        guard let lifetime else { return unknownLifetime == .assumeValid }
        guard !isRenewable || now + .seconds(ServerClock.tolerance) >= obtainedAt else { return false }
        return now < obtainedAt + (lifetime - min(window, lifetime / 2))
    }

    /// The credential with another refresh token, or with none once it is dead.
    func with(refreshToken: RefreshToken?) -> Credential {
        Credential(
            accessToken: accessToken, tokenType: tokenType, tokenSecret: tokenSecret, obtainedAt: obtainedAt,
            clockOffset: clockOffset,
            lifetime: lifetime,
            refreshToken: refreshToken, idToken: idToken, scope: scope, subject: subject, issuer: issuer,
            clientID: clientID, dpop: dpop, nonce: nonce,
            additionalMembers: additionalMembers, resources: resources, renewalMethod: renewalMethod)
    }

    /// The credential after a refresh: what the answer leaves out stays (RFC 6749 §6).
    func renewed(by response: TokenResponse, idToken: IDToken?, clock: ServerClock) -> Credential {
        Credential(
            accessToken: response.accessToken, tokenType: response.tokenType, tokenSecret: nil, obtainedAt: clock.now,
            clockOffset: clock.offset,
            lifetime: response.lifetime,
            refreshToken: response.refreshToken ?? refreshToken, idToken: idToken?.encoded ?? self.idToken,
            scope: response.scope ?? scope, subject: subject, issuer: issuer,
            clientID: clientID, dpop: dpop, nonce: nonce,
            additionalMembers: response.additionalMembers.keepingSignIn(of: additionalMembers), resources: resources)
    }
}

extension Credential: CustomStringConvertible, CustomReflectable {
    /// Says whose it is, without the tokens.
    public var description: String { "<credential of \(clientID)>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Credential {
    private static let version: Int64 = 1

    /// The credential as a record of a store: a JSON object that holds the tokens.
    public var record: StoredRecord {
        var object: JSONObject = [
            "version": .number(JSONNumber(Self.version)), "access_token": .string(accessToken.exposedText),
            "scope": .string(scope.text), "client_id": .string(clientID),
        ]
        func set(_ name: String, _ text: String?) { if let text { object[name] = .string(text) } }
        object["obtained_at"] = JSONNumber(obtainedAt.secondsSince1970).map(JSON.number)
        object["lifetime"] = lifetime.flatMap { JSONNumber(Double(milliseconds: $0)) }.map(JSON.number)
        if clockOffset != 0 { object["clock_offset"] = JSONNumber(clockOffset).map(JSON.number) }
        set("token_secret", tokenSecret?.exposedText)
        set("refresh_token", refreshToken?.exposedText)
        set("id_token", idToken?.exposedText)
        set("sub", subject)
        set("iss", issuer)
        set("nonce", nonce)
        if tokenType != .bearer { set("token_type", tokenType.rawValue) }
        object["dpop"] = dpop?.json
        if !resources.isEmpty { object["resource"] = .array(resources.map { .string($0.text) }) }
        object["renewal"] = renewalMethod.json.map(JSON.object)
        if additionalMembers.count > 0 { object["additional"] = .object(additionalMembers) }
        return StoredRecord(JSON.object(object).serialized())
    }

    /// Reads a record; members that are not there take their defaults.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with `corruptedRecord`, `newerRecord` for a record of a later version, or
    ///   `unknownRecordKey` for one that an ``EncryptedStore`` wrote.
    public init(_ record: StoredRecord) throws(TernError) {
        func corrupted(_ problem: String) -> TernError { TernError(.corruptedRecord(problem), at: .storage) }
        guard !SealedRecord.isSealed(record) else { throw TernError(.unknownRecordKey, at: .storage) }
        guard let object = try? JSON(parsing: record.exposedBytes).object else { throw corrupted("it is not JSON") }
        let version = object["version"]?.integer ?? 1
        guard version <= Self.version else { throw TernError(.newerRecord(version: version), at: .storage) }
        guard let token = object["access_token"]?.string, !token.isEmpty,
            token.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { throw corrupted("it holds no access token") }
        accessToken = AccessToken(token)
        let type = object["token_type"]?.string
        guard let tokenType = type.map(TokenResponse.TokenType.init(rawValue:)) ?? .bearer else {
            throw corrupted("its token is of an unknown type")
        }
        self.tokenType = tokenType
        tokenSecret = object["token_secret"]?.string.map { OAuth1TokenSecret($0) }
        obtainedAt = NumericDate(object["obtained_at"]?.double ?? 0)
        clockOffset = object["clock_offset"]?.double ?? 0
        lifetime = object["lifetime"]?.double.flatMap {
            $0 > 0 && $0 <= TokenResponse.maximumLifetime ? .seconds($0) : nil
        }
        refreshToken = object["refresh_token"]?.string.map { RefreshToken($0) }
        idToken = object["id_token"]?.string.map { EncodedIDToken($0) }
        scope = Scope(object["scope"]) ?? []
        subject = object["sub"]?.string
        issuer = object["iss"]?.string
        clientID = object["client_id"]?.string ?? ""
        nonce = object["nonce"]?.string
        dpop = try object["dpop"].map { (json) throws(TernError) in
            guard let binding = DPoPBinding(json) else { throw corrupted("its key cannot be read") }
            return binding
        }
        guard tokenType != .dpop || dpop != nil else { throw corrupted("its key is missing") }
        additionalMembers = object["additional"]?.object ?? [:]
        resources = [URI](json: object["resource"])
        renewalMethod = RenewalMethod(object["renewal"]?.object)
    }
}

extension Double {
    /// A duration in seconds, exact to the millisecond.
    fileprivate init(milliseconds duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = Double(seconds) + (Double(attoseconds) / 1e15).rounded() / 1_000
    }
}
