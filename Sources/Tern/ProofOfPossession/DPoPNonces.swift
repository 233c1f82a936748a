internal import TernCrypto
internal import TernProtocol

/// The last nonce of each server that gives any (RFC 9449 §8 and §9). An origin that is both an authorization server and an
/// API has one for each role.
final class DPoPNonces: Sendable {
    /// What a server is to the request.
    enum Role: Sendable, Hashable {
        case authorizationServer
        case resourceServer
    }

    private struct Place: Hashable {
        let role: Role
        let origin: String
    }

    /// Whoever talks to more servers than this asks some of them for their nonce again.
    private static let maximumCount = 64
    private let nonces = Locked<[Place: String]>([:])

    func nonce(for url: URI, _ role: Role) -> String? {
        guard let place = Self.place(url, role) else { return nil }
        return nonces.withLock { $0[place] }
    }

    /// Notes what an answer brings.
    func note(_ response: HTTPResponse, from url: URI, _ role: Role) {
        guard let nonce = response.newProofNonce, let place = Self.place(url, role) else { return }
        nonces.withLock { nonces in
            if nonces.count >= Self.maximumCount, nonces[place] == nil { nonces.removeAll() }
            nonces[place] = nonce
        }
    }

    private static func place(_ url: URI, _ role: Role) -> Place? {
        url.origin.map { Place(role: role, origin: $0.description) }
    }
}
