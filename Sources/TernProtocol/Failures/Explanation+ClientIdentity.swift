extension TernError {
    /// Why a client that does not send its secret was refused.
    static func explainAuthentication(_ error: ServerError, _ said: String) -> Explanation {
        let unregistered = "the client is registered for another way of authentication"
        return switch error.refusedAuthenticationMethod {
        case "private_key_jwt", "client_secret_jwt":
            Explanation(
                said,
                causes: [
                    "the server wants another audience in the client's assertion",
                    error.refusedAuthenticationMethod == "private_key_jwt"
                        ? "the key is not the registered one, or its key ID is another" : "the secret is wrong",
                    unregistered, "the clock of this device is wrong",
                ],
                todo: [
                    "set the audience of ClientAssertion to .tokenEndpoint or .endpoint, which older servers want; "
                        + ".issuer is the default; of `tern login` it is --audience token-endpoint or endpoint",
                    "compare with the client's registration",
                ])
        case "tls_client_auth":
            Explanation(
                said,
                causes: [
                    "the transport shows no client certificate: TransportPolicy.clientIdentity is not set "
                        + "(of `tern login` it is --client-certificate)",
                    "the certificate is not the registered one", "a proxy on the way ends the TLS connection",
                    unregistered,
                ], todo: ["compare with the client's registration"])
        default: explainAttestation(said)
        }
    }

    static func explainAttestation(_ said: String) -> Explanation {
        Explanation(
            said,
            causes: [
                "the attestation is too old", "the server does not trust its attester",
                "the key that signs the proof is not the attested one", "the clock of this device is wrong",
            ], todo: ["get a new attestation"])
    }

    /// Why a registration was refused (RFC 7591 §3.2.2).
    static func explainRegistration(_ error: ServerError, _ said: String) -> Explanation {
        switch error.code {
        case "invalid_redirect_uri":
            Explanation(
                said, causes: ["the server does not allow redirect URIs of this kind"],
                todo: ["register another redirect URI"])
        case "invalid_client_metadata":
            Explanation(
                said, causes: ["a value is not allowed here, or two of them contradict each other"],
                todo: ["leave out what is not needed: the server then chooses"])
        case "unapproved_software_statement":
            Explanation(said, causes: ["the server does not trust who made the software statement"])
        default:
            Explanation(said, causes: ["the software statement is too old, was changed, or is for another server"])
        }
    }
}
