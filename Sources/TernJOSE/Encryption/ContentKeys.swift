internal import TernCrypto

extension JWK {
    /// The key of the content, for the recipient; the key fits the header.
    ///
    /// Where it cannot be got out, a random one takes its place: the content then does not open with it, and neither the
    /// answer nor the time that it takes tells which of the two was wrong (RFC 7516 §11.5).
    func contentKey(of header: JWEHeader, _ encryptedKey: [UInt8]) throws(JOSEError) -> [UInt8] {
        let byteCount = header.encryption.keyByteCount
        let found: [UInt8]?
        switch header.algorithm.family {
        case .direct, .agreement:
            guard encryptedKey.isEmpty else { throw .malformed("encrypted_key") }
            let key = header.algorithm == .direct ? sharedBytes : try agreedKey(for: header)
            guard let key else { throw .decryptionFailed }
            return key
        case .rsa(let hash):
            guard case .rsaPrivate(let key) = material else { throw .decryptionFailed }
            found = key.decrypted(encryptedKey, using: hash)
        case .agreementWithKeyWrap:
            guard let wrapping = try agreedKey(for: header) else { throw .decryptionFailed }
            found = (try? AESKeyWrapKey(wrapping))?.unwrapped(encryptedKey)
        case .keyWrap:
            found = sharedBytes.flatMap { try? AESKeyWrapKey($0) }?.unwrapped(encryptedKey)
        case .gcmKeyWrap:
            guard let nonce = try header.bytes("iv"), nonce.count == AESGCMKey.nonceByteCount else {
                throw .malformed("header.iv")
            }
            guard let tag = try header.bytes("tag"), tag.count == AESGCMKey.tagByteCount else {
                throw .malformed("header.tag")
            }
            found = sharedBytes.flatMap { try? AESGCMKey($0) }?.open(nonce + encryptedKey + tag)
        }
        let substitute = SystemRandomSource().bytes(byteCount)
        guard let found, found.count == byteCount else { return substitute }
        return found
    }

    /// A key for new content, in the form in which it goes to the recipient.
    struct NewContentKey {
        let key: [UInt8]
        let encryptedKey: [UInt8]
        /// The header with what the algorithm adds to it.
        let header: JWEHeader
    }

    /// Makes a key for new content; this key fits the header.
    func newContentKey(
        for header: JWEHeader, ephemeralKey: JWK?, random: any RandomSource
    ) throws(JOSEError) -> NewContentKey {
        do throws(CryptoError) {
            switch header.algorithm.family {
            case .direct: return NewContentKey(key: sharedBytes ?? [], encryptedKey: [], header: header)
            case .rsa(let hash):
                let key = random.bytes(header.encryption.keyByteCount)
                return NewContentKey(key: key, encryptedKey: try rsaEncrypted(key, hash), header: header)
            case .keyWrap:
                let key = random.bytes(header.encryption.keyByteCount)
                return NewContentKey(
                    key: key, encryptedKey: try AESKeyWrapKey(sharedBytes ?? []).wrapped(key), header: header)
            case .gcmKeyWrap:
                let key = random.bytes(header.encryption.keyByteCount)
                let sealed = try AESGCMKey(sharedBytes ?? []).seal(key, random: random)
                let (nonce, tag) = (sealed.prefix(AESGCMKey.nonceByteCount), sealed.suffix(AESGCMKey.tagByteCount))
                return NewContentKey(
                    key: key, encryptedKey: Array(sealed[nonce.endIndex..<tag.startIndex]),
                    header: header.setting("iv", .string(Base64URL.encode(Array(nonce))))
                        .setting("tag", .string(Base64URL.encode(Array(tag)))))
            case .agreement, .agreementWithKeyWrap: break
            }
        } catch {
            throw .keyUnusable(error.description)
        }
        return try agreedContentKey(for: header, ephemeralKey: ephemeralKey, random: random)
    }

    private func agreedContentKey(
        for header: JWEHeader, ephemeralKey: JWK?, random: any RandomSource
    ) throws(JOSEError) -> NewContentKey {
        let ephemeral: JWK
        if let ephemeralKey { ephemeral = ephemeralKey } else { ephemeral = try newKeyOfSameCurve() }
        guard let shown = ephemeral.publicHalf.flatMap({ JWK($0.material).publicJSON() }),
            let agreed = try ephemeral.agreedKey(with: self, for: header)
        else { throw .keyUnusable("no key can be agreed on with it") }
        let complete = header.setting("epk", .object(shown))
        guard header.algorithm != .ecdhES else { return NewContentKey(key: agreed, encryptedKey: [], header: complete) }
        let key = random.bytes(header.encryption.keyByteCount)
        do throws(CryptoError) {
            return NewContentKey(key: key, encryptedKey: try AESKeyWrapKey(agreed).wrapped(key), header: complete)
        } catch {
            throw .keyUnusable(error.description)
        }
    }

    private func agreedKey(for header: JWEHeader) throws(JOSEError) -> [UInt8]? {
        guard let ephemeralKey = header.ephemeralKey else { throw .malformed("header.epk") }
        return try agreedKey(with: ephemeralKey, for: header)
    }

    /// What this private key and another's public one derive for a header (RFC 7518 §4.6); `nil` where they share nothing.
    private func agreedKey(with other: JWK, for header: JWEHeader) throws(JOSEError) -> [UInt8]? {
        guard let secret = sharedSecret(with: other) else { return nil }
        let isDirect = header.algorithm == .ecdhES
        return ConcatKDF.key(
            from: secret, algorithm: isDirect ? header.encryption.rawValue : header.algorithm.rawValue,
            partyU: try header.bytes("apu") ?? [], partyV: try header.bytes("apv") ?? [],
            byteCount: header.algorithm.wrappingKeyByteCount ?? header.encryption.keyByteCount)
    }

    private func sharedSecret(with other: JWK) -> [UInt8]? {
        switch (material, other.material) {
        case (.ecPrivate(let mine), .ecPublic(let theirs)): try? mine.sharedSecret(with: theirs)
        case (.ecPrivate(let mine), .ecPrivate(let theirs)): try? mine.sharedSecret(with: theirs.publicKey)
        case (.x25519Private(let mine), .x25519Public(let theirs)): try? mine.sharedSecret(with: theirs)
        case (.x25519Private(let mine), .x25519Private(let theirs)): try? mine.sharedSecret(with: theirs.publicKey)
        default: nil
        }
    }

    private func newKeyOfSameCurve() throws(JOSEError) -> JWK {
        do {
            switch material {
            case .ecPublic(let key): return JWK(.ecPrivate(try ECPrivateKey.generate(key.curve)))
            case .ecPrivate(let key): return JWK(.ecPrivate(try ECPrivateKey.generate(key.curve)))
            case .x25519Public, .x25519Private: return JWK(.x25519Private(try X25519PrivateKey.generate()))
            default: break
            }
        } catch {}
        throw .keyUnusable("no key can be agreed on with it")
    }

    private func rsaEncrypted(_ key: [UInt8], _ hash: HashFunction) throws(CryptoError) -> [UInt8] {
        switch material {
        case .rsaPublic(let recipient): try recipient.encrypted(key, using: hash)
        case .rsaPrivate(let recipient): try recipient.publicKey.encrypted(key, using: hash)
        default: throw CryptoError(.operationFailed("RSA-OAEP"))
        }
    }

    private var sharedBytes: [UInt8]? {
        if case .symmetric(let key) = material { key.exposedBytes } else { nil }
    }
}
