extension TernError {
    /// What happened, in one or two sentences.
    var whatHappened: String {
        switch reason {
        case .serverError(let error): "The server answered \(Self.words(error))."
        case .reauthenticationRequired(let error):
            "The sign-in is over: the server no longer accepts the refresh token"
                + (error.map { " (\(Self.words($0)))" } ?? "") + "."
        case .idTokenRejected(let rejection): "The ID token was refused: \(rejection.problem)."
        case .tokenRejected(let rejection): "\(rejection.kind.subject) was refused: \(rejection.reason.problem)."
        case .network(let failure): failure.whatHappened
        case .strayCallback(let stray): "The callback was left alone, because \(stray)."
        case .reported(let failure): failure.explanation.whatHappened
        default: whatElseHappened
        }
    }

    private var whatElseHappened: String {
        switch reason {
        case .transient(let status, let retryAfter):
            "The server has passing trouble" + (status.map { " (HTTP status \($0))" } ?? "") + "."
                + (retryAfter.map { " It asks to wait \($0.components.seconds) seconds." } ?? "")
        case .httpStatus(let status, nil) where symptomNames.contains("http_status.silent"):
            "The server refused with HTTP status \(status) and did not say why."
        case .httpStatus(let status, let location?) where step == .resourceRequest:
            "The API redirected the request too often; its last answer, with HTTP status \(status), points to "
                + "\(location)."
        case .httpStatus(let status, let location):
            "The server answered with HTTP status \(status)"
                + (location.map { " and points to \($0), which was not followed" } ?? "") + "."
        case .malformedResponse(let field, _):
            "The server's answer is not what the standard wants: \"\(field)\" is missing or has the wrong form."
        case .responseTooLarge(let limit):
            "The server's answer is larger than \(limit) bytes and was not read further."
        case .unsupportedTokenType(let type):
            "The server issued a token of the type \"\(type)\", which cannot be sent as a bearer token."
        case .tokenNotBound:
            "The token that was to be bound to a key came as one that anybody may use."
        case .proofRejected(let problem):
            "The proof of possession is not good: \(problem)."
        case .outcomeUnknown:
            "The connection broke after the request was sent, so whether it took effect is unknown."
        case .bodyNotReplayable:
            "The request has to be sent once more, and its body cannot be: it is a stream that has been read."
        case .stateMismatch:
            "The callback does not belong to this sign-in: its state, or with OAuth 1.0a its token, is missing or another one."
        case .callbackNotConfirmed:
            "The service did not confirm the callback address (oauth_callback_confirmed)."
        case .malformedCallback(let problem):
            "The callback cannot be read: \(problem)."
        case .unexpectedResponseMode(let expected, let received):
            "The answer came in another way than was asked for: as \(received) and not as \(expected)."
        case .issuerMismatch(let expected, let received):
            "The issuer is \(received.map { "\"\($0)\"" } ?? "missing") where \"\(expected)\" was expected."
        case .resourceMismatch(let expected, let received):
            "The metadata found for the API at \(expected) is about \(received)."
        case .userCancelled:
            "The user did not finish the sign-in."
        case .cancelled: "The operation was cancelled."
        case .loginInProgress:
            "Another sign-in is under way."
        case .flowExpired(let refused):
            "The sign-in took too long and is over."
                + (refused.isEmpty ? "" : " Refused meanwhile: \(refused.joined(separator: "; ")).")
        case .deviceCodeExpired:
            "The time to sign in on the other device is over."
        case .portInUse(let ports):
            "The port \(ports.map(String.init).joined(separator: ", ")) of the redirect is in use."
        case .browserUnavailable(let problem):
            "No browser could be opened: \(problem)."
        case .unsupportedRedirect(let problem):
            "This redirect cannot be received here: \(problem)."
        case .encryptedIDTokenUnsupported:
            "The \(step == .userInfo ? "user information" : "ID token") is encrypted and this client has no key for it."
        case .requestRejected(let parameter, let problem):
            "A request of another site was refused: \"\(parameter)\" \(problem)."
        case .userInfoRejected(let problem):
            "The user information was refused: \(problem)."
        case .discoveryNotJSON(let type):
            "The metadata address answered with \(type ?? "something") instead of JSON."
        case .missingMetadata(let field):
            "The server's metadata lacks \"\(field)\", which this step needs."
        case .insecureEndpoint(let field):
            "\"\(field)\" is not an https address."
        case .unsupported(let feature): "The server does not offer \(feature)."
        case .invalidConfiguration(let field, let problem):
            "\"\(field)\" is wrong: \(problem)."
        case .profileViolated(let profile, let clause, let problem):
            "\(profile), \(clause), is not kept: \(problem)."
        case .storeUnavailable(let problem):
            "The credential store cannot be used now: \(problem)."
        case .corruptedRecord(let problem):
            "The stored credential cannot be read: \(problem)."
        case .newerRecord(let version):
            "The stored record has version \(version), which only a later version of the library can read."
        case .unknownRecordKey:
            "The stored record is encrypted, and no key that was given opens it."
        case .recordNotEncrypted:
            "The stored record is not encrypted, and only encrypted records are accepted."
        case .signedOut: "This account is not signed in."
        case .interactionForbidden:
            "A new sign-in is needed, and showing a page was forbidden."
        case .serverError, .reauthenticationRequired, .idTokenRejected, .tokenRejected, .network, .strayCallback,
            .reported:
            "The sign-in failed."
        }
    }

    static func words(_ error: ServerError) -> String {
        // The sentence around it ends in a point of its own.
        let detail = error.detail.map { ": " + ($0.hasSuffix(".") && !$0.hasSuffix("..") ? String($0.dropLast()) : $0) }
        return "\"\(error.code)\"" + (detail ?? "")
    }
}

extension TernError.NetworkFailure {
    fileprivate var whatHappened: String {
        switch self {
        case .hostNotFound:
            "The server's name is not known."
        case .connectionFailed:
            "Nothing answers at the server's address."
        case .timedOut: "The server did not answer in time."
        case .untrustedCertificate(let text):
            "The server's certificate is not trusted (\(text))."
        case .pinMismatch:
            "The server's key is none of the pinned ones."
        case .tls(let text): "The secure connection failed (\(text))."
        case .connectionLost: "The connection broke."
        case .other(let text): "The connection failed (\(text))."
        }
    }
}

extension IDTokenRejection {
    fileprivate var problem: String {
        switch self {
        case .malformed(let part): "its \(part) cannot be read"
        case .signature: "its signature fits none of the server's keys"
        case .unsupportedAlgorithm(let name):
            "its algorithm \"\(name)\" is not allowed"
        case .unknownKey: "the server's key set has no key for it"
        case .issuerMismatch(let expected, let received):
            "it was issued by \(received.map { "\"\($0)\"" } ?? "nobody") and not by \"\(expected)\""
        case .audienceMismatch:
            "it was issued for another client"
        case .authorizedPartyMismatch: "its azp is not this client"
        case .nonceMissing: "it carries no nonce although one was sent"
        case .nonceMismatch: "its nonce is another one"
        case .expired(let seconds):
            "it ended \(seconds) seconds ago"
        case .notYetValid(let seconds):
            "it becomes valid only in \(seconds) seconds"
        case .clockSkew(let seconds):
            "it comes from the future: the clock of this device looks wrong, by about \(seconds) seconds"
        case .accessTokenHashMismatch: "its at_hash does not fit the access token"
        case .codeHashMismatch: "its c_hash does not fit the code"
        case .stateHashMismatch: "its s_hash does not fit the state"
        case .malformedClaim(let name): "its claim \"\(name)\" is missing or has the wrong form"
        case .authenticationTooOld(let seconds):
            "the user logged in \(seconds) seconds earlier than max_age allows"
        case .authenticationContextMismatch: "its acr is none of the demanded ones"
        case .subjectMismatch: "it belongs to another user"
        case .tenantNotAllowed:
            "its tenant is none of the allowed ones"
        case .decryption:
            "it cannot be decrypted"
        case .notEncrypted:
            "it is not encrypted, as this client demands"
        case .notSigned: "what was encrypted is not signed"
        }
    }
}

extension TokenRejection.Kind {
    fileprivate var subject: String {
        switch self {
        case .accessToken: "The access token"
        case .logoutToken: "The logout token"
        case .introspection: "The answer about the token"
        case .claims: "The token with claims"
        case .authorizationResponse: "The signed answer of the sign-in page"
        }
    }
}

extension TokenRejection.Reason {
    fileprivate var problem: String {
        switch self {
        case .missing: "there is none"
        case .malformed(let part): "its \(part) cannot be read"
        case .encrypted: "it is encrypted, and there is no key for it here"
        case .signature:
            "its signature fits none of the issuer's keys"
        case .unsupportedAlgorithm(let algorithm): "its algorithm \"\(algorithm)\" is not allowed"
        case .unknownKey:
            "the issuer's key set has no key for it"
        case .wrongType(let type):
            "its typ " + (type.map { "is \"\($0)\"" } ?? "is missing") + ", so it is another kind of token"
        case .issuerMismatch(let expected, let received):
            "it was issued by \(received.map { "\"\($0)\"" } ?? "nobody") and not by \"\(expected)\""
        case .audienceMismatch: "it was issued for somebody else"
        case .expired(let seconds):
            "it ended \(seconds) seconds ago"
        case .notYetValid(let seconds):
            "it becomes valid only in \(seconds) seconds"
        case .clockSkew(let seconds):
            "it comes from the future, by \(seconds) seconds"
        case .tooOld(let seconds):
            "it is \(seconds) seconds older than allowed"
        case .malformedClaim(let claim): "its claim \"\(claim)\" is missing or has the wrong form"
        case .forbiddenClaim(let claim): "it holds \"\(claim)\", which such a token must not"
        case .subjectMismatch: "it is about another user"
        case .replayed: "it was used before"
        case .bindingMismatch:
            "it does not belong to the key or certificate of the caller"
        case .insufficientScope(let scope): "it does not have the scope \(scope)"
        case .insufficientAuthentication:
            "the user's login does not suffice"
        }
    }
}
