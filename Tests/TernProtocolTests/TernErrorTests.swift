import TernProtocol
import Testing

@Suite("Errors")
struct TernErrorTests {
    private static let words = ServerError(code: "access_denied", detail: "no")

    static let reasons: [(TernError.Reason, String)] = [
        (.serverError(words), "access_denied"), (.reauthenticationRequired(nil), "reauthentication_required"),
        (.reauthenticationRequired(words), "reauthentication_required"),
        (.transient(status: 503, retryAfter: .seconds(5)), "transient"),
        (.transient(status: nil, retryAfter: nil), "transient"), (.httpStatus(404, location: nil), "http_status"),
        (.httpStatus(302, location: "https://x.example/"), "http_status"),
        (.malformedResponse(field: "access_token"), "malformed_response"),
        (.responseTooLarge(limit: 1_048_576), "response_too_large"),
        (.unsupportedTokenType("mac"), "unsupported_token_type"), (.outcomeUnknown, "outcome_unknown"),
        (.bodyNotReplayable, "body_not_replayable"),
        (.network(.hostNotFound), "network"), (.network(.connectionFailed), "network"),
        (.network(.timedOut), "network"), (.network(.untrustedCertificate("x")), "network"),
        (.network(.pinMismatch), "network"), (.network(.tls("x")), "network"), (.network(.connectionLost), "network"),
        (.network(.other("x")), "network"), (.stateMismatch, "state_mismatch"),
        (.malformedCallback("x"), "malformed_callback"),
        (.unexpectedResponseMode(expected: "query", received: "fragment"), "unexpected_response_mode"),
        (.issuerMismatch(expected: "a", received: nil), "issuer_mismatch"), (.userCancelled, "user_cancelled"),
        (.profileViolated(profile: "a", clause: "b", problem: "c"), "profile_violated"),
        (.resourceMismatch(expected: "a", received: "b"), "resource_mismatch"),
        (.cancelled, "cancelled"), (.loginInProgress, "login_in_progress"),
        (.flowExpired(refused: ["state_mismatch"]), "flow_expired"), (.portInUse([8400]), "port_in_use"),
        (.strayCallback(.alreadyUsed), "stray_callback"), (.strayCallback(.missingState), "stray_callback"),
        (.reported(ReportedFailure(TernError(.serverError(words), at: .tokenRequest))), "access_denied"),
        (.browserUnavailable("x"), "browser_unavailable"), (.unsupportedRedirect("x"), "unsupported_redirect"),
        (.encryptedIDTokenUnsupported, "encrypted_id_token_unsupported"),
        (.userInfoRejected("x"), "user_info_rejected"), (.discoveryNotJSON(mediaType: nil), "discovery_not_json"),
        (.missingMetadata(field: "jwks_uri"), "missing_metadata"),
        (.insecureEndpoint(field: "token_endpoint"), "insecure_endpoint"), (.unsupported("x"), "unsupported"),
        (.invalidConfiguration(field: "scope", problem: "x"), "invalid_configuration"),
        (.storeUnavailable("x"), "store_unavailable"), (.corruptedRecord("x"), "corrupted_record"),
        (.newerRecord(version: 9), "newer_record"), (.unknownRecordKey, "unknown_record_key"),
        (.recordNotEncrypted, "record_not_encrypted"),
        (.signedOut, "signed_out"), (.interactionForbidden, "interaction_forbidden"),
        (.idTokenRejected(.malformed("payload")), "id_token_malformed"),
        (.idTokenRejected(.signature), "id_token_signature"),
        (.idTokenRejected(.unsupportedAlgorithm("none")), "id_token_unsupported_algorithm"),
        (.idTokenRejected(.unknownKey), "id_token_unknown_key"),
        (.idTokenRejected(.issuerMismatch(expected: "a", received: "b")), "id_token_issuer_mismatch"),
        (.idTokenRejected(.audienceMismatch), "id_token_audience_mismatch"),
        (.idTokenRejected(.authorizedPartyMismatch), "id_token_authorized_party_mismatch"),
        (.idTokenRejected(.nonceMissing), "id_token_nonce_missing"),
        (.idTokenRejected(.nonceMismatch), "id_token_nonce_mismatch"),
        (.idTokenRejected(.expired(by: 9)), "id_token_expired"),
        (.idTokenRejected(.notYetValid(by: 9)), "id_token_not_yet_valid"),
        (.idTokenRejected(.clockSkew(ahead: 9)), "id_token_clock_skew"),
        (.idTokenRejected(.accessTokenHashMismatch), "id_token_at_hash_mismatch"),
        (.idTokenRejected(.codeHashMismatch), "id_token_c_hash_mismatch"),
        (.idTokenRejected(.malformedClaim("exp")), "id_token_malformed_claim"),
        (.idTokenRejected(.authenticationTooOld(by: 9)), "id_token_authentication_too_old"),
        (.idTokenRejected(.authenticationContextMismatch), "id_token_acr_mismatch"),
        (.idTokenRejected(.subjectMismatch), "id_token_subject_mismatch"),
        (.idTokenRejected(.tenantNotAllowed), "id_token_tenant_not_allowed"),
        (.requestRejected(parameter: "iss", problem: "is missing"), "request_rejected"),
        (.tokenRejected(TokenRejection(.accessToken, .missing)), "access_token_missing"),
        (.tokenRejected(TokenRejection(.claims, .malformed("header"))), "claims_malformed"),
        (.tokenRejected(TokenRejection(.introspection, .encrypted)), "introspection_encrypted"),
        (.tokenRejected(TokenRejection(.logoutToken, .signature)), "logout_token_signature"),
        (
            .tokenRejected(TokenRejection(.accessToken, .unsupportedAlgorithm("none"))),
            "access_token_unsupported_algorithm"
        ),
        (.tokenRejected(TokenRejection(.claims, .unknownKey)), "claims_unknown_key"),
        (.tokenRejected(TokenRejection(.accessToken, .wrongType("JWT"))), "access_token_wrong_type"),
        (
            .tokenRejected(TokenRejection(.introspection, .issuerMismatch(expected: "a", received: nil))),
            "introspection_issuer_mismatch"
        ),
        (.tokenRejected(TokenRejection(.logoutToken, .audienceMismatch)), "logout_token_audience_mismatch"),
        (.tokenRejected(TokenRejection(.accessToken, .expired(by: 9))), "access_token_expired"),
        (.tokenRejected(TokenRejection(.claims, .notYetValid(by: 9))), "claims_not_yet_valid"),
        (.tokenRejected(TokenRejection(.introspection, .clockSkew(ahead: 9))), "introspection_clock_skew"),
        (.tokenRejected(TokenRejection(.logoutToken, .tooOld(by: 9))), "logout_token_too_old"),
        (.tokenRejected(TokenRejection(.accessToken, .malformedClaim("exp"))), "access_token_malformed_claim"),
        (.tokenRejected(TokenRejection(.logoutToken, .forbiddenClaim("nonce"))), "logout_token_forbidden_claim"),
        (.tokenRejected(TokenRejection(.claims, .subjectMismatch)), "claims_subject_mismatch"),
        (.tokenRejected(TokenRejection(.logoutToken, .replayed)), "logout_token_replayed"),
        (.tokenRejected(TokenRejection(.accessToken, .bindingMismatch)), "access_token_binding_mismatch"),
        (.tokenRejected(TokenRejection(.accessToken, .insufficientScope(["a"]))), "access_token_insufficient_scope"),
        (
            .tokenRejected(TokenRejection(.accessToken, .insufficientAuthentication(acrValues: [], maxAge: nil))),
            "access_token_insufficient_authentication"
        ),
        (.idTokenRejected(.decryption), "id_token_decryption"),
        (.idTokenRejected(.notEncrypted), "id_token_not_encrypted"),
        (.idTokenRejected(.notSigned), "id_token_not_signed"),
    ]

    @Test("Every reason has its stable code and says what happened", arguments: reasons.map(\.0.code).indices)
    func codes(index: Int) {
        let (reason, code) = Self.reasons[index]
        let error = TernError(reason, at: .tokenRequest)
        #expect(error.code == code)
        #expect(reason.code == code)
        let explanation = error.explanation
        #expect(explanation.whatHappened.count > 10)
        #expect(explanation.whatHappened.hasSuffix("."))
        #expect(!(explanation.likelyCauses + explanation.whatToDo).contains(""))
        #expect("\(error)".contains("[\(code), while exchanging the code for tokens]"))
        #expect(String(reflecting: error) == "\(error)")
        #expect(error.at(.refresh).step == .refresh)
        #expect(error.at(.refresh).reason == reason)
    }

    @Test(
        "Well-known codes of a server are explained",
        arguments: [
            "access_denied", "invalid_client", "invalid_grant", "invalid_request", "invalid_scope",
            "unauthorized_client",
            "login_required", "whatever",
        ])
    func serverCodes(code: String) {
        let explanation = TernError(.serverError(ServerError(code: code)), at: .tokenRequest).explanation
        #expect(explanation.whatHappened.contains(code))
        #expect(!(explanation.likelyCauses + explanation.whatToDo).isEmpty)
    }

    @Test("Every step has a phrase")
    func steps() {
        #expect(Set(Step.allCases.map(\.phrase)).count == Step.allCases.count)
    }
}
