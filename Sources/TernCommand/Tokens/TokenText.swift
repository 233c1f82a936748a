internal import Tern
internal import TernCrypto
internal import TernJOSE

/// A JWT taken apart for people. Nothing in it is believed by that; its signature is never shown.
struct TokenText: Sendable {
    let compact: String
    let header: JSONObject
    /// What it states; `nil` for an encrypted one.
    let claims: JSONObject?
    let signatureByteCount: Int

    /// - Throws: `invalidConfiguration` for a text that is no JWT.
    init(_ text: String) throws(TernError) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5, let header = Self.object(parts[0]) else {
            throw TernError(
                .invalidConfiguration(
                    field: "token",
                    problem: "it is no JWT; many access tokens are text that only the server understands"),
                at: .configuration)
        }
        compact = text
        self.header = header
        claims = parts.count == 3 ? Self.object(parts[1]) : nil
        signatureByteCount = parts.count == 3 ? Base64URL.decode(parts[2])?.count ?? 0 : 0
    }

    var isEncrypted: Bool { compact.split(separator: ".", omittingEmptySubsequences: false).count == 5 }

    /// What kind of token it seems to be.
    var kind: String {
        switch header["typ"]?.string?.lowercased() {
        case "at+jwt", "application/at+jwt": return "an access token (RFC 9068)"
        case "logout+jwt", "application/logout+jwt": return "a logout token (Back-Channel Logout 1.0)"
        case "token-introspection+jwt", "application/token-introspection+jwt":
            return "an answer about a token (RFC 9701)"
        case "dpop+jwt": return "a proof of possession (RFC 9449)"
        case "oauth-authz-req+jwt": return "an authorization request (RFC 9101)"
        default: break
        }
        guard let claims else { return "an encrypted token" }
        if claims["events"] != nil { return "a token about an event, perhaps a logout token" }
        if claims["nonce"] != nil || claims["at_hash"] != nil || claims["auth_time"] != nil {
            return "probably an ID token"
        }
        return "a JWT"
    }

    /// The lines about a part, with times in words.
    static func lines(_ members: JSONObject, now: NumericDate) -> [String] {
        members.map { name, value in
            let value = masked(value, under: name)
            let text = Console.plain(value.string ?? value.text)
            guard ["exp", "nbf", "iat", "auth_time", "updated_at"].contains(name), let seconds = value.double else {
                return "  \(Console.plain(name)): \(text)"
            }
            let date = NumericDate(seconds)
            return "  \(Console.plain(name)): \(text) (\(date), \(distance(from: now, to: date)))"
        }
    }

    /// The members of a part as JSON, with what is secret left out.
    static func json(_ members: JSONObject) -> JSONObject {
        var copy = members
        for (name, value) in members { copy[name] = masked(value, under: name) }
        return copy
    }

    private static let secretMembers: Set<String> = [
        "access_token", "refresh_token", "id_token", "device_secret", "client_secret", "code",
    ]

    /// A value without the tokens that may lie in it: whoever shows a screen does not think of those.
    private static func masked(_ value: JSON, under name: String) -> JSON {
        switch value {
        case .string(let text): return secretMembers.contains(name) || looksLikeToken(text) ? "<not shown>" : value
        case .array(let list): return .array(list.map { masked($0, under: name) })
        case .object(let object): return .object(json(object))
        case .null, .bool, .number: return value
        }
    }

    private static func looksLikeToken(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return (parts.count == 3 || parts.count == 5) && parts.first.flatMap { object($0) }?["alg"] != nil
    }

    private static func distance(from now: NumericDate, to date: NumericDate) -> String {
        let seconds = date.secondsSince1970 - now.secondsSince1970
        let (number, unit): (Double, String) =
            switch abs(seconds) {
            case ..<120: (abs(seconds), "seconds")
            case ..<7_200: (abs(seconds) / 60, "minutes")
            case ..<172_800: (abs(seconds) / 3_600, "hours")
            default: (abs(seconds) / 86_400, "days")
            }
        let count = Int(min(1e12, number.rounded(.down)))
        return seconds < 0 ? "\(count) \(unit) ago" : "in \(count) \(unit)"
    }

    private static func object(_ part: Substring) -> JSONObject? {
        Base64URL.decode(part).flatMap { try? JSON(parsing: $0) }?.object
    }
}
