/// An error in plain words: what happened, what probably caused it, what to do.
public struct Explanation: Sendable, Hashable {
    /// One or two sentences about what happened.
    public let whatHappened: String
    /// Likely causes, the likeliest first.
    public let likelyCauses: [String]
    /// What to check or change, in order.
    public let whatToDo: [String]

    init(_ whatHappened: String, causes: [String] = [], todo: [String] = []) {
        self.whatHappened = whatHappened
        likelyCauses = causes
        whatToDo = todo
    }
}

extension TernError {
    /// The error in plain words.
    public var explanation: Explanation {
        switch reason {
        case .serverError(let error): Self.explain(error)
        case .reauthenticationRequired(let error):
            Explanation(
                "The sign-in is over: the server no longer accepts the refresh token"
                    + (error.map { " (\(Self.words($0)))" } ?? "") + ".",
                causes: [
                    "the user or an administrator revoked the access", "the refresh token expired",
                    "another copy of the application used the refresh token first",
                ], todo: ["ask the user to sign in again"])
        case .idTokenRejected(let rejection): Self.explain(rejection)
        case .network(let failure): Self.explain(failure)
        default: explanationOfTheRest
        }
    }

    private var explanationOfTheRest: Explanation {
        switch reason {
        case .transient(let status, let retryAfter):
            Explanation(
                "The server has passing trouble" + (status.map { " (HTTP status \($0))" } ?? "") + "."
                    + (retryAfter.map { " It asks to wait \($0.components.seconds) seconds." } ?? ""),
                causes: ["the server is overloaded or restarting"],
                todo: ["try again later; nobody was signed out by this"])
        case .httpStatus(let status, nil) where [400, 401, 403].contains(status) && Self.isGrantStep(step):
            explainSilentRefusal(status)
        case .httpStatus(let status, let location?) where step == .resourceRequest:
            Explanation(
                "The API redirected the request too often; its last answer, with HTTP status \(status), points to "
                    + "\(location).", causes: ["the API redirects in a circle"],
                todo: ["look at the answers without following them"])
        case .httpStatus(let status, let location):
            Explanation(
                "The server answered with HTTP status \(status)"
                    + (location.map { " and points to \($0), which was not followed" } ?? "") + ".",
                causes: location == nil
                    ? ["the address is not the endpoint it should be"]
                    : ["the endpoint's address is not the final one; secrets are never sent after a redirect"],
                todo: ["compare the address with the provider's documentation"])
        case .malformedResponse(let field, _):
            Explanation(
                "The server's answer is not what the standard wants: \"\(field)\" is missing or has the wrong form.",
                causes: ["the address is not the endpoint it should be", "the provider needs a quirk"],
                todo: ["compare the address with the provider's documentation"])
        case .responseTooLarge(let limit):
            Explanation(
                "The server's answer is larger than \(limit) bytes and was not read further.",
                causes: ["the address is not the endpoint it should be"], todo: ["check the address"])
        case .unsupportedTokenType(let type):
            Explanation(
                "The server issued a token of the type \"\(type)\", which cannot be sent as a bearer token.",
                causes: ["the provider uses a type of its own"],
                todo: ["look for a preset of this provider, or name the type as bearer-like in its quirks"])
        case .tokenNotBound:
            Explanation(
                "The token that was to be bound to a key came as one that anybody may use.",
                causes: ["the server does not know DPoP for this client", "somebody in between took the proof away"],
                todo: ["register the client for DPoP, or accept bearer tokens in the configuration"])
        case .proofRejected(let problem):
            Explanation("The proof of possession is not good: \(problem).", todo: ["make a new proof for each request"])
        case .outcomeUnknown:
            Explanation(
                "The connection broke after the request was sent, so whether it took effect is unknown.",
                causes: ["the network changed or failed at this moment"],
                todo: ["start a new sign-in: a code works only once and is not sent twice"])
        case .bodyNotReplayable:
            Explanation(
                "The request has to be sent once more, and its body cannot be: it is a stream that has been read.",
                causes: [
                    "the API refused the access token, which has been renewed since", "the API redirected the request",
                ],
                todo: ["make the body again and send the request again"])
        case .stateMismatch:
            Explanation(
                "The callback does not belong to this sign-in: its state, or with OAuth 1.0a its token, is missing or another one.",
                causes: [
                    "the page of an earlier sign-in was used", "the server does not return the state",
                    "somebody tried to slip in a foreign answer",
                ], todo: ["start a new sign-in and use its page"])
        case .callbackNotConfirmed:
            Explanation(
                "The service did not confirm the callback address (oauth_callback_confirmed).",
                causes: [
                    "it speaks OAuth 1.0 and not 1.0a", "the address is not the registered one",
                    "it leaves the confirmation out, as a few services do",
                ],
                todo: ["for a service known to leave it out, set omitsCallbackConfirmation"])
        case .malformedCallback(let problem):
            Explanation(
                "The callback cannot be read: \(problem).", causes: ["the address was changed on its way"],
                todo: ["start a new sign-in"])
        case .unexpectedResponseMode(let expected, let received):
            Explanation(
                "The answer came in another way than was asked for: as \(received) and not as \(expected).",
                causes: [
                    "the client is registered for another response type or mode at the server",
                    "the server does not know the mode that was asked for",
                ],
                todo: ["register the client for what it asks, or change its response mode"])
        case .issuerMismatch(let expected, let received): Self.explainIssuer(expected, received)
        case .resourceMismatch(let expected, let received):
            Explanation(
                "The metadata found for the API at \(expected) is about \(received).",
                causes: [
                    "the API is a part of a larger one, whose name the metadata has",
                    "somebody wants a token that is for another API",
                ],
                todo: ["name the API as its own metadata does, or let the name cover the address"])
        case .userCancelled:
            Explanation("The user did not finish the sign-in.", causes: ["the page was closed or refused"])
        case .cancelled: Explanation("The operation was cancelled.")
        case .loginInProgress:
            Explanation(
                "Another sign-in is under way.", causes: ["signIn was called twice"],
                todo: ["wait for the first one, cancel it, or ask for the new one to take over"])
        case .flowExpired(let refused):
            Explanation(
                "The sign-in took too long and is over.",
                causes: ["the user left the page open, or the callback never came"]
                    + refused.map { "a request was refused meanwhile: \($0)" }, todo: ["start a new sign-in"])
        case .deviceCodeExpired:
            Explanation(
                "The time to sign in on the other device is over.",
                causes: ["the code was not typed in time"], todo: ["start again, which gives a new code"])
        case .portInUse(let ports):
            Explanation(
                "The port \(ports.map(String.init).joined(separator: ", ")) of the redirect is in use.",
                causes: ["another program listens there", "an earlier sign-in is still waiting"],
                todo: ["end the other program, or allow further ports"])
        case .browserUnavailable(let problem):
            Explanation(
                "No browser could be opened: \(problem).", causes: ["this machine has no browser or no screen"],
                todo: ["open the address by hand (--no-browser), or paste the callback (--paste)"])
        case .unsupportedRedirect(let problem):
            Explanation(
                "This redirect cannot be received here: \(problem).",
                todo: ["choose another redirect URI or user agent"])
        case .strayCallback(let stray): Self.explain(stray)
        case .reported(let failure): failure.explanation
        case .encryptedIDTokenUnsupported:
            Explanation(
                "The \(step == .userInfo ? "user information" : "ID token") is encrypted and this client has no key for it.",
                causes: [
                    "the client is registered with "
                        + (step == .userInfo ? "userinfo_encrypted_response_alg" : "id_token_encrypted_response_alg"),
                    "the server encrypted it with a key that the client does not hold any more",
                ], todo: ["give the client its decryptionKeys", "or turn the encryption off at the server"])
        case .tokenRejected(let rejection): Self.explain(rejection)
        case .requestRejected(let parameter, let problem):
            Explanation(
                "A request of another site was refused: \"\(parameter)\" \(problem).",
                causes: ["somebody else than the server made the address", "the server is set up for another client"])
        case .userInfoRejected(let problem):
            Explanation(
                "The user information was refused: \(problem).",
                causes: ["the answer belongs to another person", "the server leaves out what the standard demands"])
        case .discoveryNotJSON(let type):
            Explanation(
                "The metadata address answered with \(type ?? "something") instead of JSON.",
                causes: ["a network sign-in page (captive portal) stands between", "the issuer is wrong"],
                todo: ["open the address in a browser"])
        case .missingMetadata(let field):
            Explanation(
                "The server's metadata lacks \"\(field)\", which this step needs.",
                causes: ["the server does not offer it"], todo: ["set the address in the configuration"])
        case .insecureEndpoint(let field):
            Explanation(
                "\"\(field)\" is not an https address.",
                causes: ["the server stands behind a proxy and does not know it"],
                todo: ["have the server's public address set right; plain http is for loopback alone"])
        case .unsupported(let feature): Explanation("The server does not offer \(feature).")
        case .invalidConfiguration(let field, let problem):
            Explanation("\"\(field)\" is wrong: \(problem).", todo: ["correct \"\(field)\""])
        case .profileViolated(let profile, let clause, let problem):
            Explanation(
                "\(profile), \(clause), is not kept: \(problem).",
                todo: ["change the configuration so, or use another server, or do without the profile"])
        case .storeUnavailable(let problem):
            Explanation(
                "The credential store cannot be used now: \(problem).", todo: ["try again; nothing was deleted"])
        case .corruptedRecord(let problem):
            Explanation(
                "The stored credential cannot be read: \(problem).", todo: ["sign in again, which overwrites it"])
        case .newerRecord(let version):
            Explanation(
                "The stored record has version \(version), which only a later version of the library can read.",
                todo: ["use the version that wrote it; the record was left as it is"])
        case .unknownRecordKey:
            Explanation(
                "The stored record is encrypted, and no key that was given opens it.",
                causes: ["the key or the passphrase is another one", "no key was given"],
                todo: ["give the key that it was saved with; the record was left as it is"])
        case .recordNotEncrypted:
            Explanation(
                "The stored record is not encrypted, and only encrypted records are accepted.",
                causes: ["it was saved before encryption was set up", "somebody put it there"],
                todo: [
                    "where it is known to be genuine, allow plain records to be read; they are encrypted at the next save",
                    "sign in again, which overwrites it",
                ])
        case .signedOut: Explanation("This account is not signed in.", todo: ["sign in"])
        case .interactionForbidden:
            Explanation("A new sign-in is needed, and showing a page was forbidden.", todo: ["sign in"])
        case .serverError, .reauthenticationRequired, .idTokenRejected, .network:
            Explanation("The sign-in failed.")
        }
    }

    private static func isGrantStep(_ step: Step) -> Bool {
        [.temporaryCredentials, .tokenRequest, .refresh, .revocation, .introspection].contains(step)
    }

    /// Some servers refuse with a bare status, where RFC 6749 §5.2 wants an error object.
    private func explainSilentRefusal(_ status: Int) -> Explanation {
        let said = "The server refused with HTTP status \(status) and did not say why."
        let client = "the client's ID, secret or way of authentication is wrong"
        return switch step {
        case .refresh:
            Explanation(
                said, causes: ["the refresh token was used before, is too old or was revoked", client],
                todo: ["try again, and sign in again if it stays so; the tokens were kept"])
        case .revocation:
            Explanation(said, causes: ["the server lets no client without a secret revoke tokens", client])
        default:
            Explanation(
                said, causes: [client, "the address is not the endpoint it should be"],
                todo: ["compare with the client's registration"])
        }
    }

    static func words(_ error: ServerError) -> String {
        "\"\(error.code)\"" + (error.detail.map { ": \($0)" } ?? "")
    }

    private static func explainIssuer(_ expected: String, _ received: String?) -> Explanation {
        let isTemplate = received?.contains("{tenantid}") == true
        return Explanation(
            "The issuer is \(received.map { "\"\($0)\"" } ?? "missing") where \"\(expected)\" was expected.",
            causes: isTemplate
                ? ["the server publishes a template for many tenants; name the tenant, or allow the template"]
                : ["one of the two ends in a slash and the other does not", "the answer comes from another server"],
            todo: ["configure the issuer exactly as the server writes it"])
    }

    private static func explain(_ failure: NetworkFailure) -> Explanation {
        switch failure {
        case .hostNotFound:
            Explanation("The server's name is not known.", causes: ["no network", "a misspelt address"])
        case .connectionFailed:
            Explanation("Nothing answers at the server's address.", causes: ["no network", "the server is down"])
        case .timedOut: Explanation("The server did not answer in time.", causes: ["a slow or lost network"])
        case .untrustedCertificate(let text):
            Explanation(
                "The server's certificate is not trusted (\(text)).",
                causes: ["a private certificate authority", "a proxy that reads along", "the clock is wrong"],
                todo: ["give the authority's certificate to the transport"])
        case .pinMismatch:
            Explanation(
                "The server's key is none of the pinned ones.",
                causes: ["the server changed its key", "a proxy reads along"])
        case .tls(let text): Explanation("The secure connection failed (\(text)).")
        case .connectionLost: Explanation("The connection broke.", causes: ["the network changed or failed"])
        case .other(let text): Explanation("The connection failed (\(text)).")
        }
    }
}
