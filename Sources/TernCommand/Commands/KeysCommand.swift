internal import Tern

/// `tern keys`: makes the keys of a client, and shows what may be shown of them.
struct KeysCommand: Command {
    static let specification = CommandSpecification(
        "keys", "make a client's keys, and show their public halves", operand: "generate|import|show|thumbprint FILE",
        discussion: """
            `generate` makes a private key and `import` takes one from a PEM file; both write it as a JWK to FILE, which only
            its owner may read and which must not be there yet, and print the public key set, which the server is to know.
            `show` prints the public key set of a FILE (a JWK, a key set, or PEM), `thumbprint` the thumbprints of its keys
            (RFC 7638). A key without --kid is named by its thumbprint.
            """,
        options: [
            OptionSpecification(
                "--alg", value: "ALG", "what it is for: ES256, RS256, PS256, EdDSA, RSA-OAEP-256, ECDH-ES, …"),
            OptionSpecification("--kid", value: "ID", "the key's name"),
            OptionSpecification("--curve", value: "CURVE", "ECDH-ES: P-256 by default, P-384, P-521 or X25519"),
            OptionSpecification("--bits", value: "NUMBER", "RSA: the length, 2048 by default"),
            OptionSpecification("--pem", value: "FILE", "import: where the private key is now"),
        ],
        examples: [
            (
                "tern keys generate client.jwk --alg ES256 > public.json",
                "a key for private_key_jwt; upload public.json"
            ),
            ("tern keys generate open.jwk --alg RSA-OAEP-256", "a key to which a server encrypts ID tokens"),
            ("tern keys import client.jwk --pem client.pem --alg RS256", "turn a PEM file into a JWK"),
        ])

    private enum Action: String, CaseIterable { case generate, `import`, show, thumbprint }

    private let action: Action
    private let file: String
    private let purpose: KeyPurpose?
    private let keyID: String?
    private let curve: KeyAgreementCurve?
    private let bits: Int?
    private let pem: String?

    init(_ arguments: Arguments) throws(UsageError) {
        let actions = Action.allCases.map(\.rawValue)
        guard let word = arguments.operands.first else {
            throw UsageError("say \(actions.joined(separator: ", ")), and a file")
        }
        guard let action = Action(rawValue: word) else { throw UsageError.unknown("action", word, among: actions) }
        guard arguments.operands.count == 2, !arguments.operands[1].isEmpty else {
            throw UsageError("the file is missing")
        }
        self.action = action
        file = arguments.operands[1]
        purpose = try arguments.value("--alg").map { (name) throws(UsageError) in try KeyPurpose(name) }
        keyID = arguments.value("--kid")
        curve = try arguments.value("--curve").map { (name) throws(UsageError) in
            guard let curve = KeyAgreementCurve(rawValue: name) else {
                throw UsageError.unknown("curve", name, among: KeyAgreementCurve.allCases.map(\.rawValue))
            }
            return curve
        }
        bits = try arguments.number("--bits", in: 2048...16384)
        pem = arguments.value("--pem")
        let makes = action == .generate || action == .import
        guard makes || purpose == nil && keyID == nil else { throw UsageError("--alg and --kid go with a new file") }
        guard (pem != nil) == (action == .import) else {
            throw UsageError(pem == nil ? "import wants --pem" : "--pem goes with import")
        }
        guard action != .generate || purpose != nil else { throw UsageError("--alg is missing") }
        guard curve == nil || action == .generate && purpose?.isAgreement == true else {
            throw UsageError("--curve goes with a new key for ECDH-ES")
        }
        guard bits == nil || action == .generate && purpose?.isRSA == true else {
            throw UsageError("--bits goes with a new RSA key")
        }
        if let bits, bits % 8 != 0 { throw UsageError("--bits wants a multiple of 8") }
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        switch action {
        case .generate, .import: try save(try newKey(), context.console)
        case .show: context.console.print(try KeyFile.read(file, called: file).publicJSON())
        case .thumbprint: try showThumbprints(context.console)
        }
        return .success
    }

    private func newKey() throws(TernError) -> JWK {
        if let pem {
            let text = try KeyFile.bytes(of: pem, called: pem)
            return try KeyFile.usable(pem) { () throws(JOSEError) in
                let key = try JWK(pem: text, use: purpose?.use, algorithm: purpose?.name)
                if let purpose { try purpose.check(key) }
                return key
            }
        }
        return try KeyFile.usable(file) { () throws(JOSEError) in
            guard let purpose else { throw JOSEError.keyUnusable("nothing says what it is for") }
            return try purpose.generate(curve: curve ?? .p256, bits: bits)
        }
    }

    private func save(_ key: JWK, _ console: Console) throws(TernError) {
        var key = key
        key.keyID = keyID ?? key.thumbprint()
        try PrivateFile.create(file, key.privateJSON().serialized() + [0x0A])
        console.remark("The private key is in \(file); nobody else may read it.")
        console.print(JWKSet([key]).publicJSON())
    }

    private func showThumbprints(_ console: Console) throws(TernError) {
        // The thumbprint of a shared key is a digest of the secret (RFC 7638 §7).
        let keys = try KeyFile.read(file, called: file).keys.compactMap(\.publicHalf)
        guard console.isJSON else {
            for key in keys { console.print(key.thumbprint()) }
            return
        }
        let list = keys.map { key in
            var object: JSONObject = ["thumbprint": .string(key.thumbprint())]
            object["kid"] = key.keyID.map(JSON.string)
            return JSON.object(object)
        }
        console.print(["keys": .array(list)])
    }
}

extension JSONObject {
    fileprivate func serialized() -> [UInt8] { JSON.object(self).serialized() }
}
