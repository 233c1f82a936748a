internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// Which values of a text are secret. What is shown is chosen so that none of them is in it; this is the second lock: every
/// finding is searched for them once more.
enum SecretValues {
    /// Whether a value of this name is secret, whatever it looks like.
    static func isSecret(_ name: String) -> Bool {
        let name = name.asciiLowercased
        if names.contains(name) || name.hasSuffix("_token") || name.hasSuffix("_key") { return true }
        return name.contains("secret") || name.contains("password") || name.contains("passphrase")
    }

    private static let names: Set<String> = [
        "code", "state", "nonce", "token", "id_token_hint", "code_verifier", "client_assertion", "assertion",
        "device_code", "user_code", "verification_uri_complete", "verification_url_complete", "auth_req_id", "request",
        "response", "software_statement", "session_state", "oauth_verifier", "oauth_signature", "denied", "pin",
        "login_hint", "logout_hint", "login_hint_token", "authorization", "cookie", "set-cookie", "dpop", "api_key",
        "apikey", "passwd", "request_uri",
    ]

    /// The members of a JWK that must stay with its owner (RFC 7518 §6.2.2, §6.3.2, §6.4).
    static let privateMembers: Set<String> = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    /// The values that no finding may hold: those of the text, and those that it is held against.
    static func all(in text: String, _ context: ExplanationContext) -> [String] {
        var collector = Collector()
        for text in [text, context.counterpart].compactMap(\.self) { collector.collect(text, depth: 0) }
        for value in [context.state, context.nonce].compactMap(\.self) { collector.add(value) }
        // The longest first: a secret that begins with another one would leave its rest behind.
        return collector.found.sorted { $0.utf8.count > $1.utf8.count }
    }

    /// Shorter values occur in ordinary words; they are kept out of the findings by what is shown alone.
    private static let minimumByteCount = 8
    private static let maximumCount = 100
    /// How many texts are looked into, so that hostile ones cost little.
    private static let maximumVisitCount = 2_000
    private static let maximumPieceCount = 20
    private static let maximumDepth = 4

    private struct Collector {
        private(set) var found: Set<String> = []
        private var visits = 0

        mutating func add(_ value: String) {
            guard value.utf8.count >= minimumByteCount, found.count < maximumCount else { return }
            found.insert(value)
            let encoded = PercentCodec.encode(value)
            if encoded != value { found.insert(encoded) }
        }

        mutating func collect(_ text: String, depth: Int) {
            guard depth < maximumDepth, visits < maximumVisitCount, text.utf8.count >= minimumByteCount else { return }
            visits += 1
            if let token = CompactToken(text) {
                add(text)
                for part in text.split(separator: ".").dropFirst() { add(String(part)) }
                for object in [token.header, token.claims].compactMap(\.self) { collect(object, depth: depth + 1) }
            } else if text.hasPrefix("{") || text.hasPrefix("[") {
                if let json = try? JSON(parsing: text) { collect(json, under: "", isKey: false, depth: depth + 1) }
            } else if let base = OAuth1BaseString(text) {
                collect(base.parameters.map { ($0.name, $0.value) }, depth: depth)
            } else {
                for piece in text.split(maxSplits: maximumPieceCount, whereSeparator: { $0 == "?" || $0 == "#" }) {
                    guard piece.contains("="), let form = FormParameters(decoding: String(piece)) else { continue }
                    collect(form.parameters.map { ($0.name, $0.value) }, depth: depth)
                }
                for challenge in ChallengeExplanation.challenges(in: text).challenges {
                    collect(challenge.parameters.map { ($0.key, PercentCodec.decodeForm($0.value)) }, depth: depth)
                    collect(challenge.parameters.map { ($0.key, $0.value) }, depth: depth)
                    if let token = challenge.token { add(token) }
                }
            }
        }

        private mutating func collect(_ pairs: [(String, String)], depth: Int) {
            for (name, value) in pairs {
                if isSecret(name) { add(value) }
                collect(value, depth: depth + 1)
            }
        }

        private mutating func collect(_ object: JSONObject, depth: Int) {
            collect(.object(object), under: "", isKey: false, depth: depth)
        }

        private mutating func collect(_ json: JSON, under name: String, isKey: Bool, depth: Int) {
            guard found.count < maximumCount else { return }
            switch json {
            case .string(let text):
                if isSecret(name) || isKey && privateMembers.contains(name) { add(text) }
                collect(text, depth: depth + 1)
            case .array(let list): for one in list { collect(one, under: name, isKey: isKey, depth: depth) }
            case .object(let object):
                let isKey = object["kty"] != nil
                for (name, value) in object { collect(value, under: name, isKey: isKey, depth: depth) }
            case .null, .bool, .number: break
            }
        }
    }
}

extension Finding {
    /// The same finding, searched once more for secrets, bounded, and without control characters.
    func withoutSecrets(_ secrets: [String]) -> Finding {
        func clean(_ text: String) -> String {
            let bytes = Array(text.utf8)
            let found = secrets.filter { Self.occurs(Array($0.utf8), in: bytes) }
            let safe = found.reduce(text) { $0.replacingEvery($1, with: "<not shown>") }
            return Shown.cleaned(safe, limit: 4_000)
        }
        return Finding(
            level, name, clean(title), detail.map(clean), fix: fix.map(clean),
            comparison: comparison.map {
                Comparison($0.firstLabel, clean($0.first), $0.secondLabel, clean($0.second))
            })
    }

    private static func occurs(_ secret: [UInt8], in text: [UInt8]) -> Bool {
        guard let first = secret.first, secret.count <= text.count else { return false }
        return (0...(text.count - secret.count)).contains { start in
            text[start] == first && text[start..<(start + secret.count)].elementsEqual(secret)
        }
    }
}
