public import TernCrypto
internal import TernJOSE
public import TernProtocol

extension Credential {
    /// What this application shares with others of its maker on the device, where the sign-in brought it: the scope
    /// `device_sso` asks for it (OpenID Connect Native SSO for Mobile Apps 1.0).
    public var deviceSecret: DeviceSecret? {
        additionalMembers["device_secret"]?.string.flatMap { $0.isEmpty ? nil : DeviceSecret($0) }
    }
}

extension OAuthClient {
    /// Signs in with what another application of the same maker has: its ID token and the device secret (OpenID Connect Native
    /// SSO for Mobile Apps 1.0 §4). No page is shown.
    ///
    /// - Parameters:
    ///   - idToken: the ID token of the other application, from what the two share.
    ///   - deviceSecret: the device secret that came with it.
    ///   - account: under which name the credential is stored, in the place of the configuration's.
    /// - Returns: a session of this application's own, whose credential is stored.
    /// - Throws: ``/TernProtocol/TernError``: the server's and the network's trouble at the token endpoint; `missingMetadata`;
    ///   `idTokenRejected` for an ID token in the answer that is not good; `storeUnavailable`.
    public func signIn(
        sharing idToken: EncodedIDToken, _ deviceSecret: DeviceSecret, account: StoreKey? = nil
    ) async throws(TernError) -> Session {
        let account = try (account ?? configuration.account).asAccount()
        let metadata = try await directory.metadata()
        guard let issuer = metadata.issuer else {
            throw TernError(.missingMetadata(field: "issuer"), at: .tokenRequest)
        }
        var grant = NativeSSOGrant(
            endpoint: try metadata.address(of: .token, for: .tokenRequest), idToken: idToken,
            deviceSecret: deviceSecret, issuer: try Issuer(issuer))
        grant.scope = configuration.scope
        grant.format = configuration.tokenAnswerFormat
        let tokens = try await caller.perform(authenticated: grant, at: metadata)
        try checkBinding(of: tokens, to: nil, at: .tokenRequest)
        serverClock.note(tokens.serverTime)
        var checked: IDToken?
        if let encoded = tokens.idToken {
            checked = try await verify(encoded, nonce: .ifPresent(nil)) { $0.accessToken = tokens.accessToken }
        }
        let credential = Credential(
            accessToken: tokens.accessToken, tokenType: tokens.tokenType, tokenSecret: nil, obtainedAt: serverClock.now,
            clockOffset: serverClock.offset, lifetime: tokens.lifetime, refreshToken: tokens.refreshToken,
            idToken: checked?.encoded, scope: tokens.scope ?? configuration.scope, subject: checked?.subject,
            issuer: checked?.issuer, clientID: configuration.clientID, dpop: nil, nonce: nil,
            additionalMembers: tokens.additionalMembers)
        try await environment.store.save(credential.record, for: account)
        announce(AccountEvent(account: account, event: .signedIn))
        return Session(credential, account: account, client: self)
    }
}
