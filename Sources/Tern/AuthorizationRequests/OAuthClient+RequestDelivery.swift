internal import TernProtocol

extension OAuthClient {
    /// The address that the browser opens for a request.
    func address(
        of request: AuthorizationRequest, at metadata: ServerMetadata, boundTo binding: DPoPBinding?
    ) async throws(TernError) -> URI {
        try checkDetails(of: request, metadata)
        let endpoint = try pushedAuthorizationEndpoint(metadata)
        let signed = try await signed(request, metadata, isPushed: endpoint != nil)
        var parameters = if let signed { signed } else { try request.parameters() }
        if let endpoint {
            let push = PushedAuthorizationRequest(endpoint: endpoint, parameters: parameters)
            let pushed = try await answer(to: push, at: metadata, try prover(of: binding))
            parameters = ["client_id": request.clientID, "request_uri": pushed.requestURI]
        }
        let quirks = configuration.quirks.authorization
        let address = try request.endpoint.appending(
            once: quirks.applied(to: parameters), field: "authorization_endpoint", at: .authorizationRequest)
        return quirks.address(address)
    }

    /// Pushes a request, with a proof where there is a key. A server that does not like the proof here gets the request
    /// without it: `dpop_jkt` ties the code to the key as well (RFC 9449 §10.1). One server wants a nonce here that it does
    /// not give.
    private func answer(
        to push: PushedAuthorizationRequest, at metadata: ServerMetadata, _ prover: DPoPProver?
    ) async throws(TernError) -> PushedAuthorization {
        do throws(TernError) {
            return try await caller.perform(authenticated: push, at: metadata, proving: prover)
        } catch {
            guard prover != nil, case .serverError(let words) = error.reason, words.code == "invalid_dpop_proof" else {
                throw error
            }
            return try await caller.perform(authenticated: push, at: metadata)
        }
    }

    /// Where the request is pushed to; `nil` where it is not.
    private func pushedAuthorizationEndpoint(_ metadata: ServerMetadata) throws(TernError) -> URI? {
        let wants =
            switch configuration.requestDelivery.pushing {
            case .always: true
            case .whenOffered: metadata[.pushedAuthorization] != nil
            case .whenRequired: metadata.requiresPushedAuthorizationRequests
            }
        return wants ? try metadata.address(of: .pushedAuthorization, for: .pushedAuthorization) : nil
    }

    /// What carries the signed request; `nil` where requests are not signed.
    private func signed(
        _ request: AuthorizationRequest, _ metadata: ServerMetadata, isPushed: Bool
    ) async throws(TernError) -> FormParameters? {
        guard let object = configuration.requestDelivery.signing else {
            guard !metadata.requiresSignedRequestObjects else {
                throw TernError(
                    .invalidConfiguration(field: "request", problem: "the server takes only signed requests"),
                    at: .authorizationRequest)
            }
            return nil
        }
        guard let audience = metadata.issuer else {
            throw TernError(.missingMetadata(field: "issuer"), at: .authorizationRequest)
        }
        let publish: (@Sendable (String) async throws -> URI)?
        if !isPushed, case .byReference(let closure) = configuration.requestDelivery.placement {
            publish = closure
        } else {
            publish = nil
        }
        // A pushed request is not the parameter of a browser's address, about which the metadata speaks.
        if !isPushed { try metadata.checkTakes(object, as: publish == nil ? "request" : "request_uri") }
        let text = try object.signed(
            request, audience: audience, now: serverClock.now, random: environment.random)
        guard let publish else { return object.carrier(["request": text], of: request, isPushed: isPushed) }
        let place: URI
        do { place = try await publish(text) } catch let error as TernError { throw error } catch {
            throw TernError(
                .invalidConfiguration(field: "request_uri", problem: "the signed request could not be published"),
                at: .authorizationRequest)
        }
        guard place.isSecure || place.isLoopback else {
            throw TernError(.insecureEndpoint(field: "request_uri"), at: .authorizationRequest)
        }
        guard place.text.utf8.count <= Self.maximumReferenceByteCount else {
            throw TernError(
                .invalidConfiguration(
                    field: "request_uri", problem: "it is longer than \(Self.maximumReferenceByteCount) bytes"),
                at: .authorizationRequest)
        }
        return object.carrier(["request_uri": place.text], of: request, isPushed: false)
    }

    /// The longest `request_uri`, in bytes (RFC 9101 §5.2).
    private static let maximumReferenceByteCount = 512

    /// A server that does not know a type has to refuse the request (RFC 9396 §5); the user need not see its page first.
    private func checkDetails(of request: AuthorizationRequest, _ metadata: ServerMetadata) throws(TernError) {
        guard let known = metadata.authorizationDetailsTypes,
            let unknown = request.authorizationDetails.first(where: { !known.contains($0.type) })
        else { return }
        throw TernError(
            .unsupported("authorization details of the type \"\(unknown.type)\""), at: .authorizationRequest)
    }
}
