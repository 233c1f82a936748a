public import TernJOSE
public import TernProtocol

extension ClaimSources {
    /// What came of asking the sources.
    public struct Resolution: Sendable {
        /// The claims that were verified.
        public var claims: JSONObject = [:]
        /// Which issuer vouches for each of them, by the name of the claim.
        public var issuers: [String: String] = [:]
        /// The sources whose claims could not be had, with the reason; they spoil nothing but themselves.
        public var failures: [String: TernError] = [:]
    }

    /// Verifies the claims of every source that the application knows, and fetches the distributed ones, one after the other.
    ///
    /// A source that the application does not know is left alone: nothing is sent to its address.
    ///
    /// - Parameters:
    ///   - environment: the way to the network, and the time.
    ///   - provider: what the application knows of a source; `nil` for one that it does not. A distributed one is known by the
    ///     address that the answer names.
    public func resolve(
        in environment: Environment, _ provider: (Source) async -> ClaimsProvider?
    ) async -> Resolution {
        var resolution = Resolution()
        for source in sources {
            guard let party = await provider(source) else { continue }
            do throws(TernError) {
                let encoded = try await encodedClaims(of: source, environment)
                let claims = try party.claims(named: source.claimNames, verifying: encoded, now: environment.clock.now)
                for (name, value) in claims {
                    resolution.claims[name] = value
                    resolution.issuers[name] = party.issuer
                }
            } catch {
                resolution.failures[source.name] = error
            }
        }
        return resolution
    }

    private func encodedClaims(of source: Source, _ environment: Environment) async throws(TernError) -> EncodedClaims {
        switch source.place {
        case .aggregated(let encoded): return encoded
        case .distributed(let endpoint, let accessToken):
            let request = try DistributedClaimsRequest(endpoint: endpoint, accessToken: accessToken)
            let response = try await environment.transport.send(request.request(), step: request.step)
            do throws(TernError) { return try request.answer(from: response) } catch {
                throw error.scrubbed(of: request.secrets)
            }
        }
    }
}
