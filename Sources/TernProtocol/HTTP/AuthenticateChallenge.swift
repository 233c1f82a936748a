/// A challenge of a `WWW-Authenticate` field (RFC 9110 §11.6.1, RFC 6750 §3).
public struct AuthenticateChallenge: Sendable, Hashable {
    /// The scheme in its own spelling; empty where a server left it out.
    public let scheme: String
    /// The parameters with their names in lower case; of a repeated one the first counts.
    public let parameters: [String: String]
    /// The token of a challenge that has one in the place of parameters.
    public let token: String?

    /// The most challenges read from one answer.
    public static let maximumCount = 32
    /// The longest field read, in bytes.
    public static let maximumByteCount = 16_384

    /// Every challenge of an answer, from all its fields, in order. What cannot be read is passed over.
    public static func all(in fields: HTTPFields) -> [AuthenticateChallenge] {
        var found: [AuthenticateChallenge] = []
        for value in fields.values(of: "WWW-Authenticate") where value.utf8.count <= maximumByteCount {
            var scanner = ChallengeScanner(Array(value.utf8))
            while found.count < maximumCount, let challenge = scanner.next() { found.append(challenge) }
        }
        return found
    }

    /// The first challenge of a scheme, compared without case.
    public static func first(_ scheme: String, in fields: HTTPFields) -> AuthenticateChallenge? {
        all(in: fields).first { $0.scheme.equalsIgnoringASCIICase(scheme) }
    }

    /// Whether it is about access tokens; one whose scheme was left out is taken for that.
    var isAboutToken: Bool {
        scheme.isEmpty || scheme.equalsIgnoringASCIICase("bearer") || scheme.equalsIgnoringASCIICase("dpop")
    }

    /// The error of a Bearer or DPoP challenge (RFC 6750 §3.1, RFC 9449 §7.1); a challenge whose scheme was left out counts too.
    public static func bearerError(in response: HTTPResponse) -> ServerError? {
        let challenges = all(in: response.fields).filter(\.isAboutToken)
        guard let parameters = challenges.first(where: { $0.parameters["error"] != nil })?.parameters,
            let code = parameters["error"], !code.isEmpty
        else { return nil }
        return ServerError(
            code: code, detail: parameters["error_description"], uri: parameters["error_uri"], status: response.status)
    }
}

/// Takes a field value apart. A word before `=` is a parameter, any other word begins a challenge.
private struct ChallengeScanner {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> AuthenticateChallenge? {
        var scheme = ""
        while true {
            skip { $0 == 0x20 || $0 == 0x09 || $0 == 0x2C }
            guard at < bytes.count else { return nil }
            let start = at
            let word = takeWord()
            if !word.isEmpty {
                if isBeforeEquals() { at = start } else { scheme = word }
                break
            }
            skip { $0 != 0x2C }
        }
        skip { $0 == 0x20 || $0 == 0x09 }
        if !scheme.isEmpty, let token = takeToken68() {
            return AuthenticateChallenge(scheme: scheme, parameters: [:], token: token)
        }
        var parameters: [String: String] = [:]
        while let (name, value) = takeParameter() {
            if parameters[name] == nil { parameters[name] = value }
        }
        return AuthenticateChallenge(scheme: scheme, parameters: parameters, token: nil)
    }

    private mutating func takeParameter() -> (String, String)? {
        let start = at
        skip { $0 == 0x20 || $0 == 0x09 || $0 == 0x2C }
        let name = takeWord()
        guard !name.isEmpty, isBeforeEquals() else {
            at = start
            return nil
        }
        skip { $0 == 0x20 || $0 == 0x09 }
        at += 1
        skip { $0 == 0x20 || $0 == 0x09 }
        return (name.asciiLowercased, at < bytes.count && bytes[at] == 0x22 ? takeQuoted() : takeUnquoted())
    }

    private mutating func takeToken68() -> String? {
        var end = at
        while end < bytes.count, bytes[end].isUnreserved || [0x2B, 0x2F].contains(bytes[end]) { end += 1 }
        let bodyEnd = end
        while end < bytes.count, bytes[end] == 0x3D { end += 1 }
        var next = end
        while next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
        guard bodyEnd > at, next == bytes.count || bytes[next] == 0x2C else { return nil }
        defer { at = next }
        return String(decoding: bytes[at..<end], as: UTF8.self)
    }

    private mutating func takeQuoted() -> String {
        at += 1
        var out: [UInt8] = []
        while at < bytes.count, bytes[at] != 0x22 {
            if bytes[at] == 0x5C, at + 1 < bytes.count { at += 1 }
            out.append(bytes[at])
            at += 1
        }
        at = min(at + 1, bytes.count)
        return String(decoding: out, as: UTF8.self)
    }

    private mutating func takeUnquoted() -> String {
        let start = at
        skip { $0 != 0x2C && $0 != 0x20 && $0 != 0x09 }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private mutating func takeWord() -> String {
        let start = at
        skip { $0.isTokenByte }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private func isBeforeEquals() -> Bool {
        var next = at
        while next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
        return next < bytes.count && bytes[next] == 0x3D
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while at < bytes.count, condition(bytes[at]) { at += 1 }
    }
}
