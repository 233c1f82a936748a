#if TERN_OPENSSL
    internal import COpenSSL
    internal import Tern

    /// libcrypto's own check of a signature over the same bytes, with nothing around it: the floor under `verify_*`.
    final class BareVerification {
        private let key: OpaquePointer
        private let digest: OpaquePointer?
        private let input: [UInt8]
        private let signature: [UInt8]

        init(text: String, keys: JWKSet, algorithm: SignatureAlgorithm) throws {
            let parts = text.split(separator: ".").map(String.init)
            guard parts.count == 3, let raw = Base64URL.decode(parts[2]) else {
                throw Failure("three parts are wanted")
            }
            input = Array((parts[0] + "." + parts[1]).utf8)
            signature = algorithm == .es256 ? Self.der(raw) : raw
            digest = algorithm == .edDSA ? nil : EVP_sha256()
            let name = algorithm.rawValue
            let jwk = keys.keys.first { $0.algorithm == name || $0.keyID?.hasSuffix(name) == true }
            guard let json = jwk?.publicJSON(), let key = Self.parsed(json) else {
                throw Failure("no key for \(algorithm.rawValue)")
            }
            self.key = key
        }

        deinit { EVP_PKEY_free(key) }

        func verify() throws {
            let context = EVP_MD_CTX_new()
            defer { EVP_MD_CTX_free(context) }
            guard EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1,
                EVP_DigestVerify(context, signature, signature.count, input, input.count) == 1
            else { throw Failure("the bare check refuses the signature") }
        }

        private static func parsed(_ json: JSONObject) -> OpaquePointer? {
            func bytes(_ name: String) -> [UInt8] { json[name]?.string.flatMap { Base64URL.decode($0) } ?? [] }
            switch json["kty"]?.string {
            case "OKP":
                let x = bytes("x")
                return EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, x, x.count)
            case "EC":
                // SubjectPublicKeyInfo of a P-256 key up to the uncompressed point (RFC 5480).
                let prefix: [UInt8] = [
                    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A,
                    0x86,
                    0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
                ]
                return decode(prefix + bytes("x") + bytes("y"))
            case "RSA":
                let inner = sequence(integer(bytes("n")) + integer(bytes("e")))
                let algorithm: [UInt8] = [
                    0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01, 0x05, 0x00,
                ]
                return decode(sequence(algorithm + element(0x03, [0] + inner)))
            default: return nil
            }
        }

        private static func decode(_ der: [UInt8]) -> OpaquePointer? {
            der.withUnsafeBufferPointer { buffer in
                var pointer = buffer.baseAddress
                return d2i_PUBKEY(nil, &pointer, buffer.count)
            }
        }

        private static func der(_ raw: [UInt8]) -> [UInt8] {
            sequence(integer(Array(raw.prefix(32))) + integer(Array(raw.suffix(32))))
        }

        private static func integer(_ bytes: [UInt8]) -> [UInt8] {
            var digits = Array(bytes.drop { $0 == 0 })
            if digits.first.map({ $0 > 127 }) ?? true { digits.insert(0, at: 0) }
            return element(0x02, digits)
        }

        private static func sequence(_ content: [UInt8]) -> [UInt8] { element(0x30, content) }

        private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            switch content.count {
            case ..<128: [tag, UInt8(content.count)] + content
            case ..<256: [tag, 0x81, UInt8(content.count)] + content
            default: [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 255)] + content
            }
        }
    }
#endif
