internal import TernJOSE
public import TernProtocol

/// A text that says how OAuth is to be used, stricter than OAuth itself says. A configuration that adopts one gets what the
/// text demands, and is refused where it cannot meet it; so are servers that cannot.
///
/// ```swift
/// try configuration.adopt(.fapi2())
/// ```
public enum Profile: Sendable, Hashable {
    /// OAuth 2.1 (draft-ietf-oauth-v2-1): no token through the browser, no passwords, PKCE everywhere.
    case oauth21
    /// FAPI 2.0 Security Profile: pushed requests, keys in the place of secrets, tokens that only their holder can use.
    case fapi2(SenderConstraint = .dpop)
    /// FAPI 2.0 Message Signing: the same, with signed requests and signed answers.
    case fapi2MessageSigning(SenderConstraint = .dpop)
    /// OAuth of the AT Protocol: the client is known by the address of its metadata, and users by their DID.
    case atproto
    /// The authorization of the Model Context Protocol: tokens for one named server.
    case mcp

    /// What ties a token to its holder.
    public enum SenderConstraint: String, Sendable, Hashable {
        /// Proofs of a key (RFC 9449).
        case dpop
        /// The client certificate (RFC 8705).
        case certificate
    }

    /// What people call it.
    public var name: String {
        switch self {
        case .oauth21: "OAuth 2.1"
        case .fapi2: "FAPI 2.0 Security Profile"
        case .fapi2MessageSigning: "FAPI 2.0 Message Signing"
        case .atproto: "AT Protocol OAuth"
        case .mcp: "MCP Authorization"
        }
    }

    /// Whether an answer has to name its issuer although the server does not promise it (RFC 9207).
    var requiresIssuer: Bool {
        switch self {
        case .oauth21, .mcp: false
        case .fapi2, .fapi2MessageSigning, .atproto: true
        }
    }

    /// - Throws: `profileViolated` where something does not hold that a clause demands.
    func require(_ holds: Bool, _ clause: String, _ problem: String) throws(TernError) {
        guard !holds else { return }
        throw TernError(.profileViolated(profile: name, clause: clause, problem: problem), at: .configuration)
    }

    /// Refuses what brings tokens without a code, or takes a password.
    func forbid(_ grant: String) throws(TernError) {
        let clause =
            switch self {
            case .oauth21, .mcp: "OAuth 2.1 §10"
            case .fapi2, .fapi2MessageSigning: "§5.3.2.1"
            case .atproto: "Overview"
            }
        try require(false, clause, "it knows no \(grant)")
    }
}

extension ClientConfiguration {
    /// Makes the configuration one of a profile: sets what the profile demands and what has one right value, and leaves
    /// alone what can be right in more than one way.
    ///
    /// | Profile | What is set |
    /// | --- | --- |
    /// | `oauth21` | nothing: Tern does all of it already |
    /// | `fapi2` | requests are pushed, tokens are bound, signatures are PS256, ES256 or EdDSA |
    /// | `fapi2MessageSigning` | the same; requests are signed with the client's key, answers are signed |
    /// | `atproto` | requests are pushed, tokens are bound to an ES256 key, the scope has `atproto` |
    /// | `mcp` | nothing: name the server in ``resources`` |
    ///
    /// - Throws: ``/TernProtocol/TernError`` with `profileViolated`, which names the clause; then nothing has changed. A
    ///   configuration that is changed afterwards is looked at again when a sign-in begins, together with the server's
    ///   metadata.
    public mutating func adopt(_ profile: Profile) throws(TernError) {
        var adopted = self
        adopted.profile = profile
        switch profile {
        case .oauth21, .mcp: break
        case .fapi2(let constraint): adopted.setForFAPI(constraint)
        case .fapi2MessageSigning(let constraint):
            adopted.setForFAPI(constraint)
            if adopted.requestDelivery.signing == nil, case .privateKeyJWT(let key, _) = authentication {
                adopted.requestDelivery.signing = RequestObject(key: key)
            }
            if adopted.responseMode?.isSigned != true { adopted.responseMode = .jwt }
        case .atproto:
            adopted.requestDelivery.pushing = .always
            if adopted.dpop == nil { adopted.dpop = DPoP() }
            if !scope.contains("atproto") { adopted.scope = Scope(["atproto"] + scope.values) }
        }
        try profile.check(adopted)
        self = adopted
    }

    private mutating func setForFAPI(_ constraint: Profile.SenderConstraint) {
        // Another audience than the issuer is forbidden, also as a second try.
        triesOtherAuthentication = false
        requestDelivery.pushing = .always
        acceptedAlgorithms.formIntersection(Profile.algorithmsOfFAPI)
        switch constraint {
        case .dpop: if dpop == nil { dpop = DPoP() }
        case .certificate: wantsCertificateBoundTokens = true
        }
    }
}
