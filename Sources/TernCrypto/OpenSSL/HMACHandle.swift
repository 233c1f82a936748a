#if TERN_OPENSSL
    internal import COpenSSL

    /// A key for HMAC, with one keyed context for each hash function that is used.
    final class HMACHandle: Sendable {
        private let key: [UInt8]
        private let contexts = PerHash<HMACContext>()

        init(_ key: [UInt8]) { self.key = key }

        func authenticationCode(for message: UnsafeRawBufferPointer, using hash: HashFunction) -> [UInt8] {
            let context = contexts.object(for: hash) { HMACContext(key: key, hash: hash) }
            return LibCrypto.required(context?.authenticationCode(for: message), "HMAC")
        }
    }

    /// A keyed context that is never fed itself, only its copies are; so that many threads can use it.
    private final class HMACContext: @unchecked Sendable {
        private let context: OpaquePointer
        private let byteCount: Int

        init?(key: [UInt8], hash: HashFunction) {
            guard let context = EVP_MAC_CTX_new(LibCrypto.shared.hmac) else { return nil }
            self.context = context
            byteCount = hash.byteCount
            // A null pointer would mean "no key given" instead of "the empty key".
            let material = key.isEmpty ? [0] : key
            let name = UnsafeMutablePointer(mutating: hash.libCryptoName.cString)
            let parameters = [
                OSSL_PARAM_construct_utf8_string(("digest" as StaticString).cString, name, 0),
                OSSL_PARAM_construct_end(),
            ]
            guard EVP_MAC_init(context, material, key.count, parameters) == 1 else { return nil }
        }

        deinit { EVP_MAC_CTX_free(context) }

        func authenticationCode(for message: UnsafeRawBufferPointer) -> [UInt8]? {
            guard let copy = EVP_MAC_CTX_dup(context) else { return nil }
            defer { EVP_MAC_CTX_free(copy) }
            let bytes = message.bindMemory(to: UInt8.self).baseAddress
            guard message.isEmpty || EVP_MAC_update(copy, bytes, message.count) == 1 else { return nil }
            var count = 0
            let code = [UInt8](unsafeUninitializedCapacity: byteCount) { code, filled in
                if EVP_MAC_final(copy, code.baseAddress, &count, code.count) == 1 { filled = count }
            }
            return code.count == byteCount ? code : nil
        }
    }
#endif
