import TernJOSE
import TernProtocol
import Testing

/// Signs tokens for the tests of everything that takes signed tokens.
struct TokenBench: Sendable {
    static let now = 1_750_000_000.0
    static let shared = try? JWK.generate(for: .es256, keyID: "k1")

    let type: String?
    let claims: JSONObject

    /// A time so many seconds from now.
    static func date(_ offset: Double) -> JSON { JSONNumber(now + offset).map(JSON.number) ?? .null }

    var keys: JWKSet { get throws { JWKSet([try #require(Self.shared)]) } }

    func token(_ changes: [String: JSON?] = [:], type: String?? = nil, signedBy key: JWK? = nil) throws -> String {
        var changed = claims
        for (name, value) in changes { changed[name] = value }
        let signer = try #require(key ?? Self.shared)
        return try JWT.sign(
            JWTClaims(changed), header: JWSHeader(algorithm: .es256, keyID: "k1", type: type ?? self.type), key: signer)
    }
}

/// The reason for which a signed token is refused; `nil` when it is not, or for something else.
func tokenRejection<Result>(_ body: () throws -> Result) throws -> TokenRejection.Reason? {
    do {
        _ = try body()
        return nil
    } catch let error as TernError {
        if error.tokenRejection == nil { Issue.record("\(error)") }
        return error.tokenRejection
    }
}
