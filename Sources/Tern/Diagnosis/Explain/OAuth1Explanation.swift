internal import TernCrypto
internal import TernJOSE
internal import TernOAuth1
internal import TernProtocol

/// A signature base string taken apart (RFC 5849 §3.4.1).
struct OAuth1BaseString {
    let method: String
    let address: String
    /// The parameters as they stand there, encoded once.
    let encoded: [String]
    /// The same, decoded.
    let parameters: [FormParameters.Parameter]

    init?(_ text: String) {
        let parts = text.split(separator: "&", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].utf8.count <= 20,
            parts[0].unicodeScalars.allSatisfy({ $0.properties.isAlphabetic })
        else { return nil }
        let address = Self.decode(String(parts[1]))
        guard let uri = URI(address), ["http", "https"].contains(uri.normalizedScheme) else { return nil }
        method = String(parts[0])
        self.address = address
        let list = Self.decode(String(parts[2]))
        encoded = list.split(separator: "&").prefix(FormParameters.maximumCount).map(String.init)
        parameters = encoded.map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return FormParameters.Parameter(
                name: Self.decode(sides.first ?? ""), value: sides.count > 1 ? Self.decode(sides[1]) : "")
        }
    }

    /// In a base string a plus sign is itself.
    static func decode(_ text: String) -> String { PercentCodec.decodeForm(text.replacingEvery("+", with: "%2B")) }
}

/// A base string or a header of OAuth 1.0a, by itself or against one's own.
enum OAuth1Explanation {
    static func findings(of text: String, _ context: ExplanationContext) -> [Finding] {
        guard let one = Side(text) else {
            return [
                Finding(.failed, "verdict", "It is neither a base string nor an Authorization header of OAuth 1.0a")
            ]
        }
        let own = one.findings(context)
        guard let counterpart = context.counterpart else {
            return [
                Finding(
                    own.contains { $0.level == .failed } ? .failed : .note, "verdict",
                    "It is \(one.isBaseString ? "a base string" : "an Authorization header") of OAuth 1.0a",
                    "Give the other side's too, to see where they begin to differ (--against).")
            ] + own
        }
        guard let other = Side(counterpart) else {
            return [
                Finding(
                    .failed, "verdict",
                    "What it is to be held against is neither a base string nor an Authorization header")
            ] + own
        }
        let differences = one.differences(from: other)
        let verdict =
            differences.isEmpty
            ? Finding(
                .passed, "verdict", "Both say the same",
                "If the signature is still refused, the secrets or the signature method differ.")
            : Finding(
                .failed, "verdict", "They begin to differ at \(differences[0].title)",
                fix: "change one side until both are the same, character by character")
        return [verdict] + differences + own
    }

    private struct Side {
        let base: OAuth1BaseString?
        let parameters: [FormParameters.Parameter]
        let encoded: [String]
        private let text: String

        var isBaseString: Bool { base != nil }

        init?(_ text: String) {
            self.text = text
            let tidy = SpecimenRecognition.tidied(text)
            base = OAuth1BaseString(tidy)
            if let base {
                (parameters, encoded) = (base.parameters, base.encoded)
                return
            }
            let fields: HTTPFields = ["WWW-Authenticate": tidy]
            guard let header = AuthenticateChallenge.first("OAuth", in: fields), !header.parameters.isEmpty else {
                return nil
            }
            parameters = header.parameters.map {
                FormParameters.Parameter(
                    name: OAuth1BaseString.decode($0.key),
                    value: $0.key == "realm" ? $0.value : OAuth1BaseString.decode($0.value))
            }.sorted { $0.name < $1.name }
            encoded = []
        }

        func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

        func findings(_ context: ExplanationContext) -> [Finding] {
            var findings: [Finding] = []
            if let base { findings += form(base) } else { findings += header() }
            let method = value("oauth_signature_method")
            for name in ["oauth_consumer_key", "oauth_signature_method", "oauth_timestamp", "oauth_nonce"]
            where value(name) == nil && !(method == "PLAINTEXT" && (name == "oauth_timestamp" || name == "oauth_nonce"))
            {
                findings.append(Finding(.failed, "required_parameter", "There is no \(name)", fix: "RFC 5849 §3.1"))
            }
            if let version = value("oauth_version"), version != "1.0" {
                findings.append(Finding(.failed, "oauth_version", "oauth_version is not 1.0"))
            }
            if let time = value("oauth_timestamp") { findings.append(timestamp(time, context)) }
            for parameter in parameters.prefix(ParameterGlossary.maximumShownCount) {
                findings.append(
                    Finding(
                        .note, "parameter", Shown.text(parameter.name), Shown.value(parameter.value, of: parameter.name)
                    ))
            }
            return findings
        }

        private func header() -> [Finding] {
            guard let url = URI("https://api.invalid/") else { return [] }
            do throws(TernError) {
                var request = HTTPRequest(.get, url)
                request.fields.append("Authorization", SpecimenRecognition.tidied(text))
                _ = try OAuth1SignedRequest(reading: request)
                return []
            } catch {
                // A body hash is of a body that is not here.
                guard case .malformedResponse(let field, _) = error.reason, field != "oauth_body_hash" else {
                    return []
                }
                return [
                    Finding(
                        .failed, "header", "\(Shown.text(field)) is missing, repeated or wrong", fix: "RFC 5849 §3.5.1")
                ]
            }
        }

        private func form(_ base: OAuth1BaseString) -> [Finding] {
            var findings: [Finding] = []
            func wrong(_ name: String, _ title: String, _ fix: String) {
                findings.append(Finding(.failed, name, title, fix: fix))
            }
            if base.method.contains(where: \.isLowercase) {
                wrong(
                    "method", "The method is not in capitals: \(base.method)",
                    "write it in capitals (RFC 5849 §3.4.1.1)")
            }
            if let uri = URI(base.address) {
                if uri.encodedQuery != nil || uri.encodedFragment != nil {
                    wrong(
                        "address", "The address has a query or a fragment",
                        "the query belongs among the parameters (RFC 5849 §3.4.1.2)")
                }
                if uri.scheme != uri.normalizedScheme || (uri.host ?? "") != (uri.host ?? "").asciiLowercased {
                    wrong("address", "Scheme and host are not in small letters", "RFC 5849 §3.4.1.2")
                }
                if uri.port != nil, uri.port == URI.defaultPort(of: uri.scheme) {
                    wrong("address", "The address has the usual port", "leave out 80 and 443 (RFC 5849 §3.4.1.2)")
                }
                if uri.encodedPath.isEmpty {
                    wrong("address", "The address has no path", "write / (RFC 5849 §3.4.1.2)")
                }
            }
            for name in ["oauth_signature", "realm"] where value(name) != nil {
                wrong("forbidden_parameter", "\(name) is among the parameters", "leave it out (RFC 5849 §3.4.1.3.1)")
            }
            let pairs = base.encoded.map { Array($0.utf8) }
            if zip(pairs, pairs.dropFirst()).contains(where: { Self.isAfter($0, $1) }) {
                wrong(
                    "order", "The parameters are not sorted",
                    "sort by the encoded name, then by the value (RFC 5849 §3.4.1.3.2)")
            }
            let normal = zip(base.encoded, base.parameters).allSatisfy { encoded, parameter in
                encoded == PercentCodec.encode(parameter.name) + "=" + PercentCodec.encode(parameter.value)
            }
            if !normal {
                wrong(
                    "encoding", "Something is not encoded as RFC 5849 §3.6 wants it",
                    "encode everything but letters, digits and -._~, with %20 for blanks and capital digits")
            }
            return findings
        }

        private static func isAfter(_ one: [UInt8], _ other: [UInt8]) -> Bool {
            let equals = UInt8(ascii: "=")
            let (first, second) = (
                one.split(separator: equals, maxSplits: 1), other.split(separator: equals, maxSplits: 1)
            )
            let (name, next) = (Array(first.first ?? []), Array(second.first ?? []))
            if name != next { return next.lexicographicallyPrecedes(name) }
            return Array(second.dropFirst().first ?? []).lexicographicallyPrecedes(Array(first.dropFirst().first ?? []))
        }

        private func timestamp(_ text: String, _ context: ExplanationContext) -> Finding {
            guard let seconds = Double(text), seconds > 0, seconds < 1e11 else {
                return Finding(
                    .failed, "oauth_timestamp", "oauth_timestamp is no number of seconds since 1970",
                    fix: "write whole seconds, not milliseconds")
            }
            let isFar = abs(seconds - context.now.secondsSince1970) > 300
            return Finding(
                isFar ? .warning : .passed, "oauth_timestamp", "Signed \(Shown.time(seconds, now: context.now))",
                isFar ? "Services refuse requests that are some minutes off." : nil,
                fix: isFar ? "set the clock, unless the request is an old one" : nil)
        }

        /// Where the two differ, in the order of the base string. A header has neither method nor address, and no parameters but
        /// its own.
        func differences(from other: Side) -> [Finding] {
            var found: [Finding] = []
            let areBases = base != nil && other.base != nil
            if let one = base, let two = other.base {
                if one.method != two.method { found.append(difference("the method", one.method, two.method)) }
                if one.address != two.address { found.append(difference("the address", one.address, two.address)) }
            }
            func names(_ side: Side) -> [String] {
                side.parameters.map(\.name).filter { name in
                    areBases
                        || name.hasPrefix("oauth_") && (name != "oauth_signature" || base == nil && other.base == nil)
                }
            }
            for name in Set(names(self) + names(other)).sorted().prefix(100) {
                found += differences(of: name, other)
            }
            if found.isEmpty, areBases, encoded != other.encoded {
                let index = zip(encoded, other.encoded).prefix { $0 == $1 }.count
                let name = index < parameters.count ? parameters[index].name : "the end"
                found.append(
                    Finding(
                        .failed, "difference", "the order or the encoding, from \(Shown.text(name)) on",
                        "The parameters say the same and are written in another way."))
            }
            return found
        }

        private func differences(of name: String, _ other: Side) -> [Finding] {
            let mine = parameters.filter { $0.name == name }.map(\.value).sorted()
            let theirs = other.parameters.filter { $0.name == name }.map(\.value).sorted()
            if mine == theirs { return [] }
            let shown = Shown.text(name)
            if theirs.isEmpty {
                return [Finding(.failed, "difference", "the parameter \(shown)", "Only the given one has it.")]
            }
            if mine.isEmpty {
                return [
                    Finding(
                        .failed, "difference", "the parameter \(shown)", "Only the one that it is held against has it.")
                ]
            }
            guard mine.count == 1, theirs.count == 1 else {
                return [
                    Finding(
                        .failed, "difference", "the parameter \(shown)",
                        "It stands there \(mine.count) and \(theirs.count) times, not with the same values.")
                ]
            }
            return [difference("the parameter \(shown)", mine[0], theirs[0], isSecret: SecretValues.isSecret(name))]
        }

        private func difference(_ what: String, _ one: String, _ two: String, isSecret: Bool = false) -> Finding {
            if isSecret {
                return Finding(
                    .failed, "difference", what,
                    "Both have a value and they differ: \(Shown.secret(one)), \(Shown.secret(two)).")
            }
            let isEncoded = one != two && (PercentCodec.decodeForm(one) == two || PercentCodec.decodeForm(two) == one)
            return Finding(
                .failed, "difference", what, isEncoded ? "One of them is encoded once more." : nil,
                comparison: Shown.comparison("given", one, "against", two))
        }
    }
}
