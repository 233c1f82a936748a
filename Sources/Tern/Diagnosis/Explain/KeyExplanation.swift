internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// Keys: what each is good for, or why not, and an alarm where a private one lies open.
enum KeyExplanation {
    static func findings(ofSet text: String) -> [Finding] {
        guard let json = try? JSON(parsing: text), let list = json["keys"]?.array, let set = try? JWKSet(json) else {
            return [Finding(.failed, "verdict", "It is no key set", "A JSON object with a list \"keys\" is wanted.")]
        }
        var findings: [Finding] = []
        for (index, value) in list.prefix(JWKSet.maximumKeyCount).enumerated() {
            findings += Self.findings(value, title: "key \(index + 1)")
        }
        if list.count > JWKSet.maximumKeyCount {
            findings.append(
                Finding(
                    .warning, "key_count", "Only the first \(JWKSet.maximumKeyCount) of \(list.count) keys are read"))
        }
        findings += names(set.keys)
        let signing = set.keys.filter { !algorithms(verifiedBy: $0).isEmpty && !$0.isSecret }
        if signing.isEmpty {
            findings.append(
                Finding(.warning, "signing_keys", "No key in it is fit to check a signature with"))
        }
        let isBad = findings.contains { $0.level == .failed }
        let verdict = Finding(
            isBad ? .failed : .passed, "verdict",
            isBad
                ? "This set must not be published"
                : "\(Shown.count(set.keys.count, "key")) of \(list.count) can be used")
        return [verdict] + findings
    }

    static func findings(ofKey text: String) -> [Finding] {
        guard let json = try? JSON(parsing: text), json.object != nil else {
            return [Finding(.failed, "key", "It is no key", "A JSON object with the member kty is wanted.")]
        }
        return findings(json, title: "the key")
    }

    private static func findings(_ json: JSON, title: String) -> [Finding] {
        let name = json["kid"]?.string.map { " \"\(Shown.text($0))\"" } ?? ""
        let title = title + name
        var findings = alarm(json, title)
        do throws(JOSEError) {
            let key = try JWK(json)
            findings += uses(of: key, title)
            if key.use == nil, key.algorithm == nil {
                findings.append(
                    Finding(
                        .note, "key_use", "\(title) does not say what it is for (use, alg)",
                        "Tern tries it for everything that fits its type."))
            }
        } catch {
            findings.append(
                Finding(
                    .warning, "key", "\(title) cannot be used", "\(reason(error)).",
                    fix: "publish a key of a supported type"))
        }
        return findings
    }

    private static func reason(_ error: JOSEError) -> String {
        if case .keyUnusable(let reason) = error { reason } else { error.description }
    }

    private static func alarm(_ json: JSON, _ title: String) -> [Finding] {
        guard let object = json.object else { return [] }
        let found = object.names.filter { SecretValues.privateMembers.contains($0) && object[$0]?.isNull == false }
        guard !found.isEmpty else { return [] }
        let isShared = object["kty"]?.string == "oct"
        return [
            Finding(
                .failed, "private_key", "\(title) is \(isShared ? "a shared secret" : "a private key")",
                "It has \(found.sorted().joined(separator: ", ")), which only its owner may know.",
                fix: "if anybody else has seen it, make a new one; `tern keys show` prints what may be published")
        ]
    }

    private static func uses(of key: JWK, _ title: String) -> [Finding] {
        let kind = describe(key)
        let verifies = algorithms(verifiedBy: key)
        let decrypts = managementAlgorithms(of: key)
        var uses: [String] = []
        if !verifies.isEmpty { uses.append("signatures with \(verifies.map(\.rawValue).joined(separator: ", "))") }
        if !decrypts.isEmpty { uses.append("encryption with \(decrypts.map(\.rawValue).joined(separator: ", "))") }
        guard !uses.isEmpty else {
            return [
                Finding(
                    .warning, "key", "\(title), \(kind), is fit for nothing that Tern does",
                    "Its alg, use and key_ops do not go with its type.")
            ]
        }
        let thumbprint = key.publicHalf.map { "Its thumbprint is \($0.thumbprint())." }
        return [
            Finding(
                .passed, "key", "\(title), \(kind): \(uses.joined(separator: "; "))",
                thumbprint)
        ]
    }

    private static func describe(_ key: JWK) -> String {
        switch key.material {
        case .rsaPublic(let rsa): "RSA, \(rsa.bitCount) bits"
        case .rsaPrivate(let rsa): "RSA, \(rsa.publicKey.bitCount) bits"
        case .symmetric(let key): "shared, \(Shown.count(key.exposedBytes.count, "byte"))"
        default: key.curveName ?? key.keyType.rawValue
        }
    }

    private static func algorithms(verifiedBy key: JWK) -> [SignatureAlgorithm] {
        SignatureAlgorithm.allCases.filter { algorithm in
            !JWKSet([key]).candidates(for: JWSHeader(algorithm: algorithm)).isEmpty
        }
    }

    /// What a key is used for by those who encrypt, found out by doing it; only of keys that say that they are for it.
    private static func managementAlgorithms(of key: JWK) -> [KeyManagementAlgorithm] {
        guard key.use == "enc" || key.algorithm.flatMap(KeyManagementAlgorithm.init(rawValue:)) != nil else {
            return []
        }
        return KeyManagementAlgorithm.allCases.filter { algorithm in
            ContentEncryption.allCases.contains { encryption in
                let header = JWEHeader(algorithm: algorithm, encryption: encryption)
                return (try? JWE.encrypt(payload: [], header: header, key: key)) != nil
            }
        }
    }

    private static func names(_ keys: [JWK]) -> [Finding] {
        guard keys.count > 1 else { return [] }
        var findings: [Finding] = []
        if keys.contains(where: { $0.keyID == nil }) {
            findings.append(
                Finding(
                    .warning, "key_ids", "There are keys without a name (kid)",
                    "Tokens cannot say which one signed them.",
                    fix: "give each key a kid, such as its thumbprint"))
        }
        var seen: Set<String> = []
        let twice = keys.compactMap(\.keyID).filter { !seen.insert($0).inserted }
        if let first = twice.first {
            findings.append(
                Finding(
                    .warning, "key_ids", "\"\(Shown.text(first))\" is the name of several keys",
                    fix: "give each key its own kid"))
        }
        return findings
    }
}
