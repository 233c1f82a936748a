internal import Tern

/// Opening encrypted ID tokens, with keys that were parsed beforehand; the signature inside is not checked here.
struct Decryption {
    let inputs: Inputs
    let meter: Meter

    func run() throws {
        guard let token = inputs.tokens[.rs256] else { return }
        try measure("jwe_open_rsa_oaep", .rsaOAEP, .a256GCM, Array(token.utf8))
        try measure("jwe_open_ecdh_es", .ecdhES, .a256GCM, Array(token.utf8))
    }

    private func measure(
        _ name: String, _ algorithm: KeyManagementAlgorithm, _ encryption: ContentEncryption, _ payload: [UInt8]
    ) throws {
        guard meter.wants(name) else { return }
        let key = try JWK.generate(for: algorithm, keyID: "bench-enc")
        let keys = JWKSet([key])
        let header = JWEHeader(algorithm: algorithm, encryption: encryption, keyID: "bench-enc", contentType: "JWT")
        let text = try JWE.encrypt(payload: payload, header: header, key: key.publicHalf ?? key)
        guard try JWE(compact: text).opened(with: keys) == payload else { throw Failure("the wrong content came out") }
        var bytes = Array(text.utf8)
        bytes[bytes.count - 10] = bytes[bytes.count - 10] == 0x41 ? 0x42 : 0x41
        let altered = String(decoding: bytes, as: UTF8.self)
        if (try? JWE(compact: altered).opened(with: keys)) != nil { throw Failure("an altered token was opened") }
        try meter.measure(name) {
            let content = try JWE(compact: text).opened(with: keys)
            if content.count != payload.count { throw Failure("the wrong content came out") }
        }
    }
}
