internal import TernJOSE
internal import TernProtocol

/// The server's keys: whether they can be had, what each is good for or why not, and whether there is one for every algorithm
/// that the server says it signs with.
enum KeyChecks {
    static func findings(_ metadata: ServerMetadata, _ examination: Examination) async -> [Finding] {
        guard let address = metadata[.keys] else {
            // Its absence where it is needed is told with the metadata.
            return []
        }
        guard address.isSecure || address.isLoopback else { return [] }
        let response: HTTPResponse
        switch await examination.visitor.visit(KeySetRequest(address: address).request(), step: .keys) {
        case .notAllowed(let finding): return [finding.named("keys_reachable")]
        case .failure(let error):
            return [.refusal(error, "keys_reachable", "The keys at \(Shown.address(address.text)) cannot be had")]
        case .answer(let answer): response = answer
        }
        guard response.isSuccess else {
            return [
                Finding(
                    .failed, "keys_reachable", "\(Shown.address(address.text)) answers with status \(response.status)",
                    "ID tokens cannot be checked without keys.", fix: "publish the keys there, or correct jwks_uri")
            ]
        }
        let found = KeyExplanation.findings(ofSet: String(decoding: response.body, as: UTF8.self))
        guard let set = try? JWKSet(parsing: response.body) else {
            return found.map { $0.named("keys_usable") }
        }
        let reachable = Finding(.passed, "keys_reachable", "The keys are at \(Shown.address(address.text))")
        let isOpenID = ServerMetadataExplanation.isOpenID(metadata)
        return [reachable] + found.map { $0.name == "verdict" ? $0.named("keys_usable") : $0 }
            + (isOpenID ? algorithms(metadata, set) : [])
    }

    private static func algorithms(_ metadata: ServerMetadata, _ set: JWKSet) -> [Finding] {
        let name = "keys_for_algorithms"
        let offered = (metadata.idTokenSigningAlgorithms ?? ["RS256"]).compactMap(SignatureAlgorithm.init(rawValue:))
            .filter(\.isAsymmetric)
        let without = offered.filter { set.candidates(for: JWSHeader(algorithm: $0)).isEmpty }
        guard !offered.isEmpty else { return [] }
        guard without.count == offered.count else {
            return [
                without.isEmpty
                    ? Finding(.passed, name, "There is a key for each algorithm of ID tokens")
                    : Finding(
                        .note, name, "No key for \(without.map(\.rawValue).joined(separator: ", "))",
                        "The server says that it can sign ID tokens so; it may make such a key when a client asks for it."
                    )
            ]
        }
        return [
            Finding(
                .failed, name, "There is no key for any algorithm of its ID tokens",
                "It signs with \(offered.map(\.rawValue).joined(separator: ", ")).",
                fix: "publish the keys that sign ID tokens at jwks_uri")
        ]
    }
}
