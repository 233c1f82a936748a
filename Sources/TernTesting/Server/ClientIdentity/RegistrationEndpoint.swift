internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// The registration endpoint (RFC 7591 §3).
    mutating func register(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        do throws(EndpointFailure) {
            switch settings.registration {
            case .closed: return HTTPResponse(status: 404)
            case .open: break
            case .withToken(let token):
                guard request.credentials(of: "Bearer").map({ Secret($0) == token }) ?? false else {
                    throw Self.registrationTokenRefused
                }
            }
            let metadata = try registrable(try Self.jsonBody(of: request), at: now)
            let clientID = token("client")
            var registration = Registration(metadata: metadata, token: token("registration"), issuedAt: now)
            giveSecret(to: &registration, at: now)
            clients.append(
                try TestClient(
                    clientID, metadata, secret: registration.secret, documents: settings.clientDocuments))
            state.registrations[clientID] = registration
            return information(clientID, registration, status: 201)
        } catch {
            return error.response
        }
    }

    /// The address at which a client looks after its own registration (RFC 7592 §2).
    mutating func manageRegistration(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        do throws(EndpointFailure) {
            let path = request.url.encodedPath.dropFirst(pathPrefix.count + Endpoint.registeredClient.path.count)
            let clientID = PercentCodec.decodeForm(String(path))
            // A client that is gone and a wrong token look the same (§2).
            guard let sent = request.credentials(of: "Bearer"), var registration = state.registrations[clientID],
                constantTimeEqual(sent.utf8, registration.token.utf8)
            else { throw Self.registrationTokenRefused }
            switch request.method {
            case .get: break
            case .put: try update(&registration, clientID, try Self.jsonBody(of: request), at: now)
            case .delete:
                clients.removeAll { $0.clientID == clientID }
                state.registrations[clientID] = nil
                for (id, grant) in state.grants where grant.clientID == clientID { state.grants[id]?.isRevoked = true }
                return HTTPResponse(status: 204, fields: ["Cache-Control": "no-store"])
            default: return .methodNotAllowed("GET, HEAD, PUT, DELETE")
            }
            if settings.rotatesRegistrationTokens { registration.token = token("registration") }
            state.registrations[clientID] = registration
            return information(clientID, registration, status: 200)
        } catch {
            return error.response
        }
    }

    private mutating func update(
        _ registration: inout Registration, _ clientID: String, _ body: JSONObject, at now: NumericDate
    ) throws(EndpointFailure) {
        let chosenByServer = [
            "registration_access_token", "registration_client_uri", "client_secret_expires_at", "client_id_issued_at",
        ]
        guard body["client_id"]?.string == clientID, !chosenByServer.contains(where: { body[$0] != nil }) else {
            throw EndpointFailure("invalid_request", "client_id is missing or another, or a member has no place here")
        }
        if let secret = body["client_secret"] {
            guard let text = secret.string, let known = registration.secret, constantTimeEqual(text.utf8, known.utf8)
            else { throw EndpointFailure("invalid_request", "client_secret is not the one that was given") }
        }
        registration.metadata = try registrable(body.removing("client_id", "client_secret"), at: now)
        giveSecret(to: &registration, at: now)
        let client = try TestClient(
            clientID, registration.metadata, secret: registration.secret, documents: settings.clientDocuments)
        if let index = clients.firstIndex(where: { $0.clientID == clientID }) { clients[index] = client }
    }

    /// Metadata as it is registered: vouched for, checked, and changed as the server likes.
    private func registrable(_ body: JSONObject, at now: NumericDate) throws(EndpointFailure) -> ClientMetadata {
        var metadata = ClientMetadata(members: body)
        guard body["client_id"] == nil, body["client_secret"] == nil else {
            throw EndpointFailure("invalid_client_metadata", "the server chooses client_id and client_secret")
        }
        if let text = metadata.softwareStatement {
            do {
                let statement = try SoftwareStatement(
                    verifying: text, keys: settings.softwareStatementIssuers.mapValues(\.set),
                    audience: address(of: .registration), now: now)
                metadata = statement.applied(to: metadata)
            } catch {
                let words = error.serverError
                throw EndpointFailure(words?.code ?? "invalid_software_statement", words?.detail ?? "")
            }
        }
        do { try metadata.check() } catch {
            guard case .invalidConfiguration(let field, let problem) = error.reason else {
                throw EndpointFailure("invalid_client_metadata", error.explanation.whatHappened)
            }
            let code = field == "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata"
            throw EndpointFailure(code, "\(field): \(problem)")
        }
        try Self.checkApplicationType(metadata)
        if metadata.authenticationMethod == nil { metadata.authenticationMethod = "client_secret_basic" }
        if metadata.grantTypes == nil { metadata.grantTypes = ["authorization_code"] }
        if metadata.responseTypes == nil { metadata.responseTypes = ["code"] }
        for (name, value) in settings.registrationChanges { metadata[name] = value }
        return metadata
    }

    /// OpenID Connect Dynamic Client Registration 1.0 §2, where the client names its type.
    private static func checkApplicationType(_ metadata: ClientMetadata) throws(EndpointFailure) {
        let kinds = metadata.redirectURIs.compactMap { try? RedirectURI($0).kind }
        switch metadata.applicationType {
        case nil: break
        case "web":
            guard kinds.allSatisfy({ $0 == .claimedHTTPS }) else {
                throw EndpointFailure("invalid_redirect_uri", "a web client has https addresses")
            }
        case "native":
            guard kinds.allSatisfy({ $0 == .loopback || $0 == .privateUseScheme }) else {
                throw EndpointFailure("invalid_redirect_uri", "a native client has loopback or private-use addresses")
            }
        default: throw EndpointFailure("invalid_client_metadata", "application_type is neither web nor native")
        }
    }

    private func giveSecret(to registration: inout Registration, at now: NumericDate) {
        let method = registration.metadata.authenticationMethod
        guard ["client_secret_basic", "client_secret_post", "client_secret_jwt"].contains(method) else {
            registration.secret = nil
            registration.secretExpiration = nil
            return
        }
        guard registration.secret == nil else { return }
        registration.secret = token("secret") + token("")
        registration.secretExpiration = settings.registeredSecretLifetime.map { now + $0 }
    }

    private func information(_ clientID: String, _ registration: Registration, status: Int) -> HTTPResponse {
        var members: JSONObject = [
            "client_id": .string(clientID),
            "client_id_issued_at": .number(JSONNumber(Int64(registration.issuedAt.secondsSince1970))),
            "registration_access_token": .string(registration.token),
            "registration_client_uri": .string(address(of: .registeredClient) + PercentCodec.encode(clientID)),
        ]
        if let secret = registration.secret {
            members["client_secret"] = .string(secret)
            members["client_secret_expires_at"] = .number(
                JSONNumber(Int64(registration.secretExpiration?.secondsSince1970 ?? 0)))
        }
        for (name, value) in registration.metadata.members where members[name] == nil { members[name] = value }
        return .json(members, status: status, fields: ["Cache-Control": "no-store", "Pragma": "no-cache"])
    }

    private static func jsonBody(of request: HTTPRequest) throws(EndpointFailure) -> JSONObject {
        let type = request.fields["Content-Type"]?.split(separator: ";").first?.lowercased()
        guard type?.filter({ $0 != " " }) == "application/json", let bytes = request.bodyBytes,
            let object = try? JSON(parsing: bytes).object
        else { throw EndpointFailure("invalid_client_metadata", "the body is not a JSON object") }
        return object
    }

    private static let registrationTokenRefused = EndpointFailure(
        "invalid_token", "the token is missing or not known", status: 401,
        challenge: "Bearer realm=\"registration\", error=\"invalid_token\"")
}
