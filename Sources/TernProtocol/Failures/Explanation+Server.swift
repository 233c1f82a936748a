extension TernError {
    static func explain(_ error: ServerError) -> Explanation {
        let said = "The server answered \(words(error))."
        return switch error.code {
        case "access_denied", "user_refused", "permission_denied":
            Explanation(said, causes: ["the user or an administrator said no"])
        case _ where error.refusedAuthenticationMethod != nil:
            explainAuthentication(error, said)
        case "invalid_redirect_uri", "invalid_client_metadata", "invalid_software_statement",
            "unapproved_software_statement":
            explainRegistration(error, said)
        case "use_attestation_challenge", "use_fresh_attestation", "invalid_client_attestation":
            explainAttestation(said)
        case "invalid_client":
            Explanation(
                said,
                causes: [
                    "the client ID or the secret is wrong",
                    "the secret was sent in another way than the server wants (post, basic, raw-basic)",
                    "a public client is registered as a confidential one, or the other way round",
                ],
                todo: [
                    "compare with the client's registration",
                    "send the secret as it wants it; of `tern login` --client-auth basic, post or raw-basic",
                ])
        case "invalid_grant":
            Explanation(
                said,
                causes: [
                    "the code was used before or is too old", "the redirect URI differs from the one of the page",
                    "the code verifier is not the one of this sign-in",
                ], todo: ["start a new sign-in"])
        case "invalid_request":
            Explanation(
                said, causes: ["the redirect URI is not registered", "the server wants a further parameter"])
        case "invalid_scope":
            Explanation(said, causes: ["a scope is not known or not allowed for this client"])
        case "unauthorized_client":
            Explanation(
                said,
                causes: [
                    "this client is not registered for this grant",
                    "the client's secret is wrong, or sent in another way than the server wants (raw-basic)",
                ],
                todo: [
                    "compare with the client's registration",
                    "send the secret as it wants it; of `tern login` --client-auth basic, post or raw-basic",
                ])
        case "login_required", "interaction_required", "consent_required", "account_selection_required":
            Explanation(
                said, causes: ["the user has to act and the request forbade to show a page"],
                todo: ["sign in without prompt=none"])
        case "consumer_key_unknown", "consumer_key_rejected", "consumer_key_refused":
            Explanation(
                said, causes: ["the client's key is wrong or not registered", "the registration was blocked"],
                todo: ["compare with the client's registration"])
        case "signature_invalid", "invalid_signature":
            Explanation(
                said,
                causes: [
                    "the client's secret or key is wrong", "a proxy changed the address on the way",
                    "the service signs the request in another way",
                ], todo: ["compare the base string with the one that the service builds: tern sign --base-string"])
        case "signature_method_rejected", "unsupported_signature_method":
            Explanation(said, causes: ["the service does not know this signature method"], todo: ["choose another one"])
        case "timestamp_refused", "invalid_timestamp":
            Explanation(said, causes: ["the clock of this device is wrong"], todo: ["set the clock"])
        case "nonce_used", "invalid_nonce":
            Explanation(said, causes: ["the request was sent twice", "somebody has recorded and repeated it"])
        case "token_rejected", "token_revoked", "token_expired", "token_used", "token_not_authorized":
            Explanation(
                said, causes: ["the user or the service has taken the access back"], todo: ["sign in again"])
        case "verifier_invalid", "invalid_verifier":
            Explanation(said, causes: ["the PIN was mistyped or is too old"], todo: ["start a new sign-in"])
        default: explainGrant(error) ?? Explanation(said, todo: ["look the code up in the provider's documentation"])
        }
    }

    static func explain(_ rejection: IDTokenRejection) -> Explanation {
        let (problem, causes): (String, [String]) =
            switch rejection {
            case .malformed(let part): ("its \(part) cannot be read", [])
            case .signature: ("its signature fits none of the server's keys", ["it was changed on its way"])
            case .unsupportedAlgorithm(let name):
                (
                    "its algorithm \"\(name)\" is not allowed",
                    [
                        "the client is registered with another id_token_signed_response_alg or "
                            + "id_token_encrypted_response_alg"
                    ]
                )
            case .unknownKey: ("the server's key set has no key for it", ["the server has just changed its keys"])
            case .issuerMismatch(let expected, let received):
                ("it was issued by \(received.map { "\"\($0)\"" } ?? "nobody") and not by \"\(expected)\"", [])
            case .audienceMismatch:
                ("it was issued for another client", ["the client ID is not the one that signed in"])
            case .authorizedPartyMismatch: ("its azp is not this client", [])
            case .nonceMissing: ("it carries no nonce although one was sent", ["a replayed or foreign token"])
            case .nonceMismatch: ("its nonce is another one", ["a replayed or foreign token"])
            case .expired(let seconds):
                ("it ended \(seconds) seconds ago", ["the clock of this device is ahead"])
            case .notYetValid(let seconds):
                ("it becomes valid only in \(seconds) seconds", ["the clock of this device is behind"])
            case .clockSkew(let seconds):
                (
                    "it comes from the future: the clock of this device looks wrong, by about \(seconds) seconds",
                    ["the clock of this device is behind"]
                )
            case .accessTokenHashMismatch: ("its at_hash does not fit the access token", ["tokens were mixed up"])
            case .codeHashMismatch: ("its c_hash does not fit the code", ["tokens were mixed up"])
            case .stateHashMismatch: ("its s_hash does not fit the state", ["answers were mixed up"])
            case .malformedClaim(let name): ("its claim \"\(name)\" is missing or has the wrong form", [])
            case .authenticationTooOld(let seconds):
                ("the user logged in \(seconds) seconds earlier than max_age allows", [])
            case .authenticationContextMismatch: ("its acr is none of the demanded ones", [])
            case .subjectMismatch: ("it belongs to another user", ["somebody else signed in"])
            case .tenantNotAllowed:
                ("its tenant is none of the allowed ones", ["the user belongs to another organisation"])
            case .decryption:
                (
                    "it cannot be decrypted",
                    [
                        "the server encrypted it with a key that is not this client's any more",
                        "it was changed on its way",
                    ]
                )
            case .notEncrypted:
                (
                    "it is not encrypted, as this client demands",
                    ["the client is registered without id_token_encrypted_response_alg"]
                )
            case .notSigned: ("what was encrypted is not signed", ["it does not come from the server"])
            }
        return Explanation("The ID token was refused: \(problem).", causes: causes, todo: ["start a new sign-in"])
    }
}
