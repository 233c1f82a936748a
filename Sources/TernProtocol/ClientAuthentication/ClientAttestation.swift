public import TernCrypto
public import TernJOSE

/// The purpose of ``ClientAttestation/token``.
public enum ClientAttestationPurpose: Sendable {}

/// The word of an attester that a client is genuine and holds a key (draft-ietf-oauth-attestation-based-client-auth §4).
public struct ClientAttestation: Sendable, Hashable {
    /// The attestation as it came, a JWT of the type `oauth-client-attestation+jwt`.
    public let token: Secret<ClientAttestationPurpose>
    /// The key of this copy of the client, whose public half the attestation names.
    public let key: SigningKey

    /// Puts an attestation and its key together.
    ///
    /// - Throws: ``TernError`` with the field `client_attestation` for a text that is no JWT, or names another key.
    public init(_ token: String, key: SigningKey) throws(TernError) {
        guard let claims = try? JWT(compact: token).claims, let named = claims["cnf"]?["jwk"], let jwk = try? JWK(named)
        else { throw Self.invalid("it is not a JWT with a key in cnf.jwk") }
        guard jwk.thumbprint() == key.publicKey.thumbprint() else {
            throw Self.invalid("the key in it is not the one that signs")
        }
        self.token = Secret(token)
        self.key = key
    }

    /// The name of the header field with the attestation.
    public static let field = "OAuth-Client-Attestation"
    /// The name of the header field with the proof of possession.
    public static let proofField = "OAuth-Client-Attestation-PoP"
    /// The name of the header field in which a server gives a challenge for the next proof.
    public static let challengeField = "OAuth-Client-Attestation-Challenge"

    static func add(to request: inout HTTPRequest, on occasion: ClientAuthentication.Occasion) throws(TernError) {
        guard let attestation = occasion.attestation else { throw invalid("there is none") }
        guard let issuer = occasion.issuer else {
            throw TernError(
                .invalidConfiguration(
                    field: "issuer", problem: "the server has none, which the proof for an attestation names"),
                at: .configuration)
        }
        var members: JSONObject = [
            "aud": .string(issuer), "jti": .string(Base64URL.encode(occasion.random.bytes(16))),
            "iat": .number(JSONNumber(occasion.now.wholeSeconds)),
        ]
        members["challenge"] = occasion.challenge.map(JSON.string)
        do {
            request.fields[proofField] = try JWT.sign(
                JWTClaims(members), type: "oauth-client-attestation-pop+jwt", key: attestation.key)
        } catch {
            throw invalid(error.description)
        }
        request.fields[field] = attestation.token.exposedText
    }

    private static func invalid(_ problem: String) -> TernError {
        TernError(.invalidConfiguration(field: "client_attestation", problem: problem), at: .configuration)
    }
}

/// Where attestations come from: for most applications a server of their own that looks at App Attest or its like.
public final class ClientAttester: Sendable, Hashable {
    private let source: @Sendable (_ mustBeNew: Bool) async throws(TernError) -> ClientAttestation

    /// Asks for an attestation before each request that needs one, so the closure should keep what is still good.
    ///
    /// - Parameter source: gives an attestation; `mustBeNew` when the server found the last one too old.
    public init(_ source: @escaping @Sendable (_ mustBeNew: Bool) async throws(TernError) -> ClientAttestation) {
        self.source = source
    }

    /// Always gives the same attestation.
    public convenience init(_ attestation: ClientAttestation) {
        self.init { (_: Bool) async throws(TernError) -> ClientAttestation in attestation }
    }

    /// An attestation.
    ///
    /// - Throws: what the source throws.
    public func attestation(mustBeNew: Bool = false) async throws(TernError) -> ClientAttestation {
        try await source(mustBeNew)
    }

    /// Whether both are the same object.
    public static func == (one: ClientAttester, other: ClientAttester) -> Bool { one === other }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The request for a challenge (draft-ietf-oauth-attestation-based-client-auth §6.1).
public struct AttestationChallengeRequest: Exchange {
    /// The challenge endpoint.
    public var endpoint: URI

    /// Makes the request.
    public init(endpoint: URI) { self.endpoint = endpoint }

    /// ``Step/tokenRequest``.
    public var step: Step { .tokenRequest }

    /// A POST without a body.
    public func request() -> HTTPRequest { HTTPRequest(.post, endpoint, fields: ["Accept": "application/json"]) }

    /// Reads the challenge.
    ///
    /// - Throws: ``TernError``: `malformedResponse` with the field `attestation_challenge`, `serverError`, `transient`,
    ///   `httpStatus`.
    public func answer(from response: HTTPResponse) throws(TernError) -> String {
        let object = try AnswerBody.object(in: response, step: step)
        guard let challenge = object["attestation_challenge"]?.string, !challenge.isEmpty else {
            throw TernError(.malformedResponse(field: "attestation_challenge"), at: step)
        }
        return challenge
    }
}
