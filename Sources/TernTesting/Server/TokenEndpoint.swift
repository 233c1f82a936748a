internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// The token endpoint (RFC 6749 §3.2).
    mutating func exchange(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        do throws(EndpointFailure) {
            let parameters = try Self.form(of: request)
            let client = try authenticate(request, parameters)
            state.proofs.shownKey = try checkProof(of: request, at: now)
            try checkBinding(of: client)
            state.shownDeviceSecret = parameters.value("device_secret")
            switch parameters.value("grant_type") {
            case "authorization_code": return try exchangeCode(parameters, client, at: now)
            case "refresh_token": return try refresh(parameters, client, at: now)
            case nil: throw EndpointFailure("invalid_request", "grant_type is missing")
            case let other?: return try furtherGrant(other, parameters, client, at: now)
            }
        } catch {
            return error.response
        }
    }

    static func form(of request: HTTPRequest) throws(EndpointFailure) -> FormParameters {
        guard let parameters = request.formParameters else {
            throw EndpointFailure("invalid_request", "the body is not a form")
        }
        if let name = parameters.repeatedName { throw EndpointFailure("invalid_request", "\(name) is there twice") }
        return parameters
    }

    private mutating func exchangeCode(
        _ parameters: FormParameters, _ client: TestClient, at now: NumericDate
    ) throws(EndpointFailure) -> HTTPResponse {
        guard let code = parameters.value("code") else { throw EndpointFailure("invalid_request", "code is missing") }
        guard let issued = state.codes[code], issued.input.clientID == client.clientID else {
            throw EndpointFailure("invalid_grant", "the code is not known")
        }
        if let grantID = issued.grantID {
            // A code that comes twice was stolen from somebody: what came of it ends (RFC 6749 §4.1.2).
            state.grants[grantID]?.isRevoked = true
            throw EndpointFailure("invalid_grant", "the code was used before")
        }
        guard issued.expiresAt > now else { throw EndpointFailure("invalid_grant", "the code is too old") }
        // One wrong attempt uses the code up, so that nobody tries out verifiers.
        let grantID = issued.frontChannelGrantID ?? token("grant")
        state.codes[code]?.grantID = grantID
        let redirect = parameters.value("redirect_uri")
        guard redirect == issued.input.target.redirectURI || redirect == nil && !issued.input.redirectWasSent else {
            throw EndpointFailure("invalid_grant", "redirect_uri is not the one of the authorization request")
        }
        try Self.checkVerifier(parameters.value("code_verifier"), issued.input.challenge)
        if settings.dpop.use != .ignored, let announced = issued.input.keyThumbprint,
            announced != state.proofs.shownKey
        {
            throw EndpointFailure("invalid_grant", "the proof is not of the key that dpop_jkt announced")
        }
        state.grants[grantID] = Grant(
            clientID: client.clientID, subject: issued.subject, scopes: issued.input.scopes,
            authenticatedAt: issued.authenticatedAt, sessionID: issued.sessionID,
            authenticationContext: issued.input.authenticationContext, nonce: issued.input.nonce,
            thumbprint: client.isPublic ? state.proofs.shownKey : nil,
            authorizationDetails: issued.input.authorizationDetails.flatMap { try? JSON(parsing: Array($0.utf8)) },
            resources: issued.input.resources)
        let wantsRefresh =
            switch client.refreshTokens {
            case .always: true
            case .withOfflineAccess: issued.input.scopes.contains("offline_access")
            case .never: false
            }
        return try issue(
            grantID, client, scopes: issued.input.scopes, resources: try resources(parameters, grantID),
            withRefreshToken: wantsRefresh, isFirst: true, at: now)
    }

    private static func checkVerifier(_ verifier: String?, _ challenge: String?) throws(EndpointFailure) {
        guard let challenge else {
            guard verifier == nil else {
                throw EndpointFailure("invalid_grant", "code_verifier without a code_challenge before")
            }
            return
        }
        guard let verifier else { throw EndpointFailure("invalid_grant", "code_verifier is missing") }
        let isLegal =
            (43...128).contains(verifier.utf8.count)
            && verifier.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
                default: false
                }
            }
        let digest = Base64URL.encode(HashFunction.sha256.digest(Array(verifier.utf8)))
        guard isLegal, constantTimeEqual(digest.utf8, challenge.utf8) else {
            throw EndpointFailure("invalid_grant", "code_verifier does not fit code_challenge")
        }
    }

    private mutating func refresh(
        _ parameters: FormParameters, _ client: TestClient, at now: NumericDate
    ) throws(EndpointFailure) -> HTTPResponse {
        guard let token = parameters.value("refresh_token") else {
            throw EndpointFailure("invalid_request", "refresh_token is missing")
        }
        guard let issued = state.refreshTokens[token], let grant = state.grants[issued.grantID],
            grant.clientID == client.clientID
        else { throw EndpointFailure("invalid_grant", "the refresh token is not known") }
        if let usedAt = issued.usedAt, settings.rotationGrace <= .zero || now >= usedAt + settings.rotationGrace {
            // The right owner holds a newer one, so two parties hold tokens of this grant: it ends (RFC 9700 §4.14.2).
            state.grants[issued.grantID]?.isRevoked = true
            throw EndpointFailure("invalid_grant", "the refresh token was used before; the grant is over")
        }
        guard !grant.isRevoked, grant.isOfClient || user(grant.subject) != nil else {
            throw EndpointFailure("invalid_grant", "the grant was revoked")
        }
        guard issued.expiresAt > now else { throw EndpointFailure("invalid_grant", "the refresh token is too old") }
        if let thumbprint = grant.thumbprint, thumbprint != state.proofs.shownKey {
            throw EndpointFailure("invalid_grant", "the refresh token is bound to another key")
        }
        let wanted = parameters.value("scope")?.split(separator: " ").map(String.init) ?? grant.scopes
        guard Set(wanted).isSubset(of: grant.scopes) else {
            throw EndpointFailure("invalid_scope", "more scopes than the user gave")
        }
        let resources = try resources(parameters, issued.grantID)
        if settings.rotatesRefreshTokens { state.refreshTokens[token]?.usedAt = issued.usedAt ?? now }
        return try issue(
            issued.grantID, client, scopes: wanted, resources: resources,
            withRefreshToken: settings.rotatesRefreshTokens, isFirst: false,
            at: now)
    }

    /// The APIs that a token is for: those that were named now, or else all of the grant's (RFC 8707 §2.2).
    private func resources(_ parameters: FormParameters, _ grantID: String) throws(EndpointFailure) -> [String] {
        let (named, granted) = (parameters.values(of: "resource"), state.grants[grantID]?.resources ?? [])
        guard named.allSatisfy({ granted.isEmpty ? issuesTokens(for: $0) : granted.contains($0) }) else {
            throw EndpointFailure("invalid_target", "the grant is not for this resource")
        }
        return named.isEmpty ? granted : named
    }

    /// A good answer (RFC 6749 §5.1, OpenID Connect Core 1.0 §3.1.3.3).
    mutating func issue(
        _ grantID: String, _ client: TestClient, scopes: [String], resources: [String] = [], withRefreshToken: Bool,
        isFirst: Bool,
        at now: NumericDate
    ) throws(EndpointFailure) -> HTTPResponse {
        noteDeviceSecret(of: grantID, scopes)
        guard let grant = state.grants[grantID] else { throw EndpointFailure.internalTrouble }
        let access = try makeAccessToken(
            of: grant, scopes: scopes, resources: resources, thumbprint: state.proofs.shownKey,
            certificate: boundCertificate(of: client),
            at: now)
        state.accessTokens[access] = IssuedToken(
            grantID: grantID, scopes: scopes, expiresAt: now + settings.accessTokenLifetime,
            thumbprint: state.proofs.shownKey, resources: resources, certificate: boundCertificate(of: client))
        var members: JSONObject = [
            "access_token": .string(access), "token_type": state.proofs.shownKey == nil ? "Bearer" : "DPoP",
        ]
        if settings.announcesLifetimes {
            members["expires_in"] = .number(JSONNumber(settings.accessTokenLifetime.wholeSeconds))
        }
        if !scopes.isEmpty { members["scope"] = .string(scopes.joined(separator: " ")) }
        members["authorization_details"] = grant.authorizationDetails
        if withRefreshToken {
            let refresh = token("refresh")
            state.refreshTokens[refresh] = IssuedToken(
                grantID: grantID, scopes: grant.scopes, expiresAt: now + settings.refreshTokenLifetime)
            members["refresh_token"] = .string(refresh)
        }
        if isFirst, scopes.contains("device_sso") { members["device_secret"] = grant.deviceSecret.map(JSON.string) }
        if scopes.contains("openid"), isFirst || settings.renewsIDTokens {
            members["id_token"] = .string(
                try makeIDToken(
                    for: grant, client, scopes: scopes, nonce: isFirst ? grant.nonce : nil, accessToken: access,
                    at: now))
        }
        for (name, value) in settings.tokenAnswerChanges { members[name] = value }
        return .json(members, fields: ["Cache-Control": "no-store", "Pragma": "no-cache"])
    }
}
