public import TernCrypto
public import TernJOSE

/// The purpose of ``InitialAccessToken``.
public enum InitialAccessTokenPurpose: Sendable {}
/// The purpose of ``RegistrationAccessToken``.
public enum RegistrationAccessTokenPurpose: Sendable {}

/// What allows a client to register (RFC 7591 §1.2).
public typealias InitialAccessToken = Secret<InitialAccessTokenPurpose>
/// What allows a client to look after its registration (RFC 7592 §1.2).
public typealias RegistrationAccessToken = Secret<RegistrationAccessTokenPurpose>

/// A client as the server has registered it (RFC 7591 §3.2.1). It prints no secret.
public struct ClientInformation: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The client's ID.
    public let clientID: String
    /// The client's secret, where it got one.
    public let clientSecret: ClientSecret?
    /// When the ID was given, where the server says it.
    public let issuedAt: NumericDate?
    /// When the secret ends; `nil` for never.
    public let secretExpiration: NumericDate?
    /// What allows to look after the registration, where the server lets clients do that.
    public let registrationAccessToken: RegistrationAccessToken?
    /// Where the registration is looked after.
    public let registrationAddress: URI?
    /// What is registered, which may differ from what was asked for; see ``differences(from:)``.
    public let metadata: ClientMetadata

    /// Reads an answer of the registration endpoint, or what ``exposedMembers`` wrote.
    ///
    /// - Throws: ``TernError`` with `malformedResponse` and the field: a `client_id` that is missing or no text, a
    ///   `registration_client_uri` that is no address.
    public init(_ members: JSONObject, step: Step = .registration) throws(TernError) {
        func malformed(_ field: String) -> TernError { TernError(.malformedResponse(field: field), at: step) }
        func text(_ name: String) -> String? { members[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        func date(_ name: String) -> NumericDate? {
            members[name]?.double.flatMap { $0 > 0 ? NumericDate($0) : nil }
        }
        guard let clientID = text("client_id") else { throw malformed("client_id") }
        self.clientID = clientID
        clientSecret = text("client_secret").map { ClientSecret($0) }
        issuedAt = date("client_id_issued_at")
        secretExpiration = date("client_secret_expires_at")
        registrationAccessToken = text("registration_access_token").map { RegistrationAccessToken($0) }
        if let address = text("registration_client_uri") {
            guard let uri = URI(address) else { throw malformed("registration_client_uri") }
            registrationAddress = uri
        } else {
            registrationAddress = nil
        }
        metadata = ClientMetadata(
            members: members.removing(
                "client_id", "client_secret", "client_id_issued_at", "client_secret_expires_at",
                "registration_access_token", "registration_client_uri"))
    }

    /// Everything as a server would write it, secrets included. Whoever calls this answers for where it goes.
    public var exposedMembers: JSONObject {
        var members: JSONObject = ["client_id": .string(clientID)]
        members["client_secret"] = (clientSecret?.exposedText).map(JSON.string)
        members["client_id_issued_at"] = issuedAt.map { .number(JSONNumber($0.wholeSeconds)) }
        if clientSecret != nil {
            members["client_secret_expires_at"] = .number(JSONNumber(secretExpiration?.wholeSeconds ?? 0))
        }
        members["registration_access_token"] = (registrationAccessToken?.exposedText).map(JSON.string)
        members["registration_client_uri"] = (registrationAddress?.text).map(JSON.string)
        for (name, value) in metadata.members where members[name] == nil { members[name] = value }
        return members
    }

    /// Whether the secret is over.
    public func isSecretExpired(at now: NumericDate) -> Bool { secretExpiration.map { $0 <= now } ?? false }

    /// A member that the server registered otherwise than it was asked to.
    public struct Difference: Sendable, Hashable {
        /// The member's name.
        public let name: String
        /// What was asked for.
        public let asked: JSON
        /// What was registered; `nil` where the server left it out.
        public let granted: JSON?
    }

    /// What the server registered otherwise than it was asked to (RFC 7591 §3.2.1 allows it to). The order of a list does
    /// not count, nor does what nobody asked for.
    public func differences(from asked: ClientMetadata) -> [Difference] {
        asked.members.compactMap { name, value in
            guard name != "software_statement" else { return nil }
            let granted = metadata.members[name]
            guard let granted, Self.isSame(value, granted) else {
                return Difference(name: name, asked: value, granted: granted)
            }
            return nil
        }
    }

    private static func isSame(_ one: JSON, _ other: JSON) -> Bool {
        if let one = one.array, let other = other.array { return Set(one) == Set(other) }
        guard one != other, let one = one.string, let other = other.string else { return one == other }
        // Scopes have no order either.
        return Set(one.split(separator: " ")) == Set(other.split(separator: " "))
    }

    /// The same with the rights of an earlier answer where this one does not repeat them.
    func keepingRights(of earlier: ClientInformation) throws(TernError) -> ClientInformation {
        var members = exposedMembers
        let before = earlier.exposedMembers
        for name in ["registration_access_token", "registration_client_uri", "client_id_issued_at"]
        where members[name] == nil { members[name] = before[name] }
        if members["client_secret"] == nil, metadata.usesSecret {
            members["client_secret"] = before["client_secret"]
            members["client_secret_expires_at"] = before["client_secret_expires_at"]
        }
        return try ClientInformation(members)
    }

    /// The client's ID.
    public var description: String { "client \(clientID)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension ClientMetadata {
    var usesSecret: Bool {
        ["client_secret_basic", "client_secret_post", "client_secret_jwt"]
            .contains(authenticationMethod ?? "client_secret_basic")
    }
}
