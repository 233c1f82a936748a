public import TernJOSE

extension TernError {
    /// What went wrong. Cases are told apart where a program would act differently.
    public enum Reason: Sendable, Hashable {
        /// The server answered with an error of its own.
        case serverError(ServerError)
        /// The grant is dead: only a new sign-in helps. The server's words, where it gave any.
        case reauthenticationRequired(ServerError?)
        /// The server, or the way to it, has passing trouble; the same call may succeed later. Holds the status, where
        /// there was an answer, and how long the server asked to wait.
        case transient(status: Int?, retryAfter: Duration?)
        /// An answer with a status that says nothing more; for a redirect, the origin and path that it names.
        case httpStatus(Int, location: String?)
        /// An answer does not have the form that the standard wants; the field that is missing or wrong, and the members
        /// that were there, where it was a JSON object.
        case malformedResponse(field: String, members: JSONObject = [:])
        /// An answer is larger than the limit, in bytes.
        case responseTooLarge(limit: Int)
        /// The server issued a kind of token that this client cannot use.
        case unsupportedTokenType(String)
        /// A proof of possession was sent, and the token came as one that anybody may use (RFC 9449 §5).
        case tokenNotBound
        /// A proof of possession that came with a request is not good, and why (RFC 9449 §4.3). Servers meet it.
        case proofRejected(String)
        /// The request was sent and the connection lost before the answer: whether it took effect is unknown.
        case outcomeUnknown
        /// No connection came about.
        case network(NetworkFailure)
        /// The request has to be sent once more, and its body is a stream that has been read. The access token has been
        /// renewed where that was the reason.
        case bodyNotReplayable

        /// The callback's state is not that of this sign-in.
        case stateMismatch
        /// The callback cannot be read; what is wrong with it.
        case malformedCallback(String)
        /// The answer came in another part of the address than was asked for.
        case unexpectedResponseMode(expected: String, received: String)
        /// The service does not say that it took the callback (RFC 5849 §2.1), so it may speak OAuth 1.0 and not 1.0a.
        case callbackNotConfirmed
        /// Two issuers differ that must be the same.
        case issuerMismatch(expected: String, received: String?)
        /// The metadata of an API is about another one than was asked (RFC 9728 §3.3).
        case resourceMismatch(expected: String, received: String)
        /// The user closed the page or said no to it.
        case userCancelled
        /// The calling task or the application cancelled.
        case cancelled
        /// Another sign-in is under way.
        case loginInProgress
        /// The sign-in took longer than allowed, or its record is older; what was refused in the meantime.
        case flowExpired(refused: [String])
        /// The codes of a sign-in on another device are too old (RFC 8628): the user did not finish in time.
        case deviceCodeExpired
        /// No wanted port is free.
        case portInUse([Int])
        /// The page could not be opened.
        case browserUnavailable(String)
        /// The redirect URI cannot be served by this way of showing the page.
        case unsupportedRedirect(String)
        /// No pending sign-in waits for the address that arrived; nothing was used up.
        case strayCallback(StrayCallback)
        /// The process that finished this sign-in failed, and left word of it.
        case reported(ReportedFailure)

        /// The ID token was refused.
        case idTokenRejected(IDTokenRejection)
        /// The ID token, or the user information, is encrypted, and this client has no key for it.
        case encryptedIDTokenUnsupported
        /// A signed token that is no ID token was refused.
        case tokenRejected(TokenRejection)
        /// A request that came through the browser from somebody else, such as the beginning of a login, was refused; the
        /// parameter and what is wrong with it.
        case requestRejected(parameter: String, problem: String)
        /// The user information was refused; the claim and what is wrong.
        case userInfoRejected(String)

        /// The metadata address answered with something that is not JSON; the media type it named.
        case discoveryNotJSON(mediaType: String?)
        /// The metadata lacks a field that the running step needs.
        case missingMetadata(field: String)
        /// An address in the metadata or the configuration is not protected by TLS.
        case insecureEndpoint(field: String)
        /// The server does not offer what was asked for.
        case unsupported(String)
        /// The configuration is wrong; the field and what is wrong with it.
        case invalidConfiguration(field: String, problem: String)
        /// A profile forbids what the configuration says or the server does; its name, the clause, and what it demands.
        case profileViolated(profile: String, clause: String, problem: String)

        /// The store cannot be used now; the credential may well be there. What the system said.
        case storeUnavailable(String)
        /// A stored record cannot be read; it can be deleted and overwritten.
        case corruptedRecord(String)
        /// A later version of the library wrote the record; this one leaves it alone.
        case newerRecord(version: Int64)
        /// A stored record is encrypted, and not with a key that was given; it was left alone.
        case unknownRecordKey
        /// A stored record is plain where only encrypted ones are accepted; it was left alone.
        case recordNotEncrypted
        /// The account is not signed in, or no longer.
        case signedOut
        /// A new sign-in is needed and showing a page was forbidden.
        case interactionForbidden
    }

    /// Why no connection came about.
    public enum NetworkFailure: Sendable, Hashable {
        /// The name of the host is not known.
        case hostNotFound
        /// Nothing answers at the address.
        case connectionFailed
        /// No answer in time.
        case timedOut
        /// The certificate is not trusted; what the TLS library said.
        case untrustedCertificate(String)
        /// The certificate's key is none of the pinned ones.
        case pinMismatch
        /// TLS failed otherwise; what the TLS library said.
        case tls(String)
        /// The connection broke.
        case connectionLost
        /// Anything else; what the transport said.
        case other(String)
    }
}

/// Why an ID token was refused (OpenID Connect Core 1.0 §3.1.3.7).
public enum IDTokenRejection: Sendable, Hashable {
    /// It is not a compact JWS with a JSON object inside; the part that is wrong.
    case malformed(String)
    /// The signature does not fit any key.
    case signature
    /// The algorithm is not allowed.
    case unsupportedAlgorithm(String)
    /// No key fits, not even after fetching the key set anew.
    case unknownKey
    /// `iss` is not the server's issuer.
    case issuerMismatch(expected: String, received: String?)
    /// `aud` does not hold the client.
    case audienceMismatch
    /// `azp` is missing beside several audiences, or is another client.
    case authorizedPartyMismatch
    /// `nonce` is missing although one was sent.
    case nonceMissing
    /// `nonce` is another one.
    case nonceMismatch
    /// The token's time is over; by how many seconds.
    case expired(by: Int)
    /// `nbf` lies ahead; by how many seconds.
    case notYetValid(by: Int)
    /// `iat` or `auth_time` lies ahead, so a clock is wrong; by how many seconds.
    case clockSkew(ahead: Int)
    /// `at_hash` does not fit the access token.
    case accessTokenHashMismatch
    /// `c_hash` does not fit the code.
    case codeHashMismatch
    /// `s_hash` does not fit the state.
    case stateHashMismatch
    /// A claim that must be there is missing or has the wrong form.
    case malformedClaim(String)
    /// The login is older than `max_age` allows; by how many seconds.
    case authenticationTooOld(by: Int)
    /// `acr` is none of those that were demanded.
    case authenticationContextMismatch
    /// `sub` is not the one of the account that is signed in or was asked for.
    case subjectMismatch
    /// `tid` names a tenant that is not among the allowed ones.
    case tenantNotAllowed
    /// It is encrypted and cannot be decrypted: the key is another one, or something was changed.
    case decryption
    /// It is not encrypted although that was demanded.
    case notEncrypted
    /// What was encrypted is not signed, so anybody may have made it.
    case notSigned

    /// The stable name.
    public var code: String {
        switch self {
        case .malformed: "malformed"
        case .signature: "signature"
        case .unsupportedAlgorithm: "unsupported_algorithm"
        case .unknownKey: "unknown_key"
        case .issuerMismatch: "issuer_mismatch"
        case .audienceMismatch: "audience_mismatch"
        case .authorizedPartyMismatch: "authorized_party_mismatch"
        case .nonceMissing: "nonce_missing"
        case .nonceMismatch: "nonce_mismatch"
        case .expired: "expired"
        case .notYetValid: "not_yet_valid"
        case .clockSkew: "clock_skew"
        case .accessTokenHashMismatch: "at_hash_mismatch"
        case .codeHashMismatch: "c_hash_mismatch"
        case .stateHashMismatch: "s_hash_mismatch"
        case .malformedClaim: "malformed_claim"
        case .authenticationTooOld: "authentication_too_old"
        case .authenticationContextMismatch: "acr_mismatch"
        case .subjectMismatch: "subject_mismatch"
        case .tenantNotAllowed: "tenant_not_allowed"
        case .decryption: "decryption"
        case .notEncrypted: "not_encrypted"
        case .notSigned: "not_signed"
        }
    }
}

extension TernError.Reason {
    /// The stable name of the case.
    public var code: String {
        switch self {
        case .serverError(let error): error.code
        case .reauthenticationRequired: "reauthentication_required"
        case .transient: "transient"
        case .httpStatus: "http_status"
        case .malformedResponse: "malformed_response"
        case .responseTooLarge: "response_too_large"
        case .unsupportedTokenType: "unsupported_token_type"
        case .tokenNotBound: "token_not_bound"
        case .proofRejected: "proof_rejected"
        case .outcomeUnknown: "outcome_unknown"
        case .network: "network"
        case .bodyNotReplayable: "body_not_replayable"
        case .stateMismatch: "state_mismatch"
        case .malformedCallback: "malformed_callback"
        case .unexpectedResponseMode: "unexpected_response_mode"
        case .callbackNotConfirmed: "callback_not_confirmed"
        case .issuerMismatch: "issuer_mismatch"
        case .resourceMismatch: "resource_mismatch"
        case .userCancelled: "user_cancelled"
        case .cancelled: "cancelled"
        case .loginInProgress: "login_in_progress"
        case .flowExpired: "flow_expired"
        case .deviceCodeExpired: "device_code_expired"
        case .portInUse: "port_in_use"
        case .browserUnavailable: "browser_unavailable"
        case .unsupportedRedirect: "unsupported_redirect"
        case .strayCallback: "stray_callback"
        case .reported(let failure): failure.code
        case .idTokenRejected(let rejection): "id_token_" + rejection.code
        case .encryptedIDTokenUnsupported: "encrypted_id_token_unsupported"
        case .tokenRejected(let rejection): rejection.code
        case .requestRejected: "request_rejected"
        case .userInfoRejected: "user_info_rejected"
        case .discoveryNotJSON: "discovery_not_json"
        case .missingMetadata: "missing_metadata"
        case .insecureEndpoint: "insecure_endpoint"
        case .unsupported: "unsupported"
        case .invalidConfiguration: "invalid_configuration"
        case .profileViolated: "profile_violated"
        case .storeUnavailable: "store_unavailable"
        case .corruptedRecord: "corrupted_record"
        case .newerRecord: "newer_record"
        case .unknownRecordKey: "unknown_record_key"
        case .recordNotEncrypted: "record_not_encrypted"
        case .signedOut: "signed_out"
        case .interactionForbidden: "interaction_forbidden"
        }
    }
}

extension TernError.Reason: CustomStringConvertible, CustomReflectable {
    /// The code.
    public var description: String { code }

    /// A mirror that shows the code alone: a server's members may hold anything.
    public var customMirror: Mirror { Mirror(self, children: ["code": code]) }
}
