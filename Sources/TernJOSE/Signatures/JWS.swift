internal import TernCrypto

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A signed token in its compact form, taken apart but not yet believed (RFC 7515 §7.1).
///
/// Nothing in it may be trusted before ``verify(with:allowed:)-(JWK,_)`` has succeeded. A JWS prints nothing of itself.
public struct JWS: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The longest token that is read unless the caller says otherwise: 64 KiB.
    public static let standardMaximumByteCount = 65_536

    /// What the token says about its signature.
    public let header: JWSHeader

    /// The signed bytes, decoded.
    public let payload: [UInt8]

    /// The signature, decoded.
    public let signature: [UInt8]

    private let compact: String
    private let signingInputByteCount: Int

    /// Takes a token apart.
    ///
    /// - Parameters:
    ///   - compact: The token: three parts in strict Base64url, joined by dots.
    ///   - maximumByteCount: The longest token that is read, in bytes. A longer one is refused before anything is done.
    /// - Throws: ``JOSEError/tooLarge``, ``JOSEError/encrypted`` for five parts, ``JOSEError/malformed(_:)`` with `token`
    ///   for another number of parts and with `header`, `payload` or `signature` for what is not Base64url, and what
    ///   ``JWSHeader/init(parsing:)`` throws.
    public init(
        compact: String, maximumByteCount: Int = JWS.standardMaximumByteCount
    ) throws(JOSEError) {
        guard compact.utf8.count <= maximumByteCount else { throw .tooLarge }
        var compact = compact
        compact.makeContiguousUTF8()
        let parts = try Self.withBytes(of: compact) { (bytes) throws(JOSEError) in try Parts(bytes) }
        header = try JWSHeader(parsing: parts.header)
        payload = parts.payload
        signature = parts.signature
        signingInputByteCount = parts.signingInputByteCount
        self.compact = compact
    }

    /// Checks that the key made the signature.
    ///
    /// - Parameters:
    ///   - key: The key; a private key verifies like its public half.
    ///   - allowed: The algorithms that the caller accepts. Never derive them from the token.
    /// - Throws: ``JOSEError/unsupportedAlgorithm(_:)`` when the algorithm is not allowed,
    ///   ``JOSEError/keyUnusable(_:)`` when the key does not fit it, ``JOSEError/invalidSignature``.
    public func verify(with key: JWK, allowed: Set<SignatureAlgorithm>) throws(JOSEError) {
        guard allowed.contains(header.algorithm) else { throw .unsupportedAlgorithm(header.algorithm.rawValue) }
        if let reason = key.mismatch(verifying: header.algorithm) { throw .keyUnusable(reason) }
        guard isSigned(by: key) else { throw .invalidSignature }
    }

    /// Checks that one of the keys that ``JWKSet/candidates(for:)-(JWSHeader)`` chooses made the signature.
    ///
    /// - Parameters:
    ///   - keys: The keys of the issuer.
    ///   - allowed: The algorithms that the caller accepts. Never derive them from the token.
    /// - Returns: The key that made the signature.
    /// - Throws: ``JOSEError/unsupportedAlgorithm(_:)`` when the algorithm is not allowed,
    ///   ``JOSEError/unknownKey(hasKeyID:)`` when no key fits, ``JOSEError/invalidSignature``.
    @discardableResult
    public func verify(with keys: JWKSet, allowed: Set<SignatureAlgorithm>) throws(JOSEError) -> JWK {
        guard allowed.contains(header.algorithm) else { throw .unsupportedAlgorithm(header.algorithm.rawValue) }
        let candidates = keys.candidates(for: header)
        guard !candidates.isEmpty else { throw .unknownKey(hasKeyID: header.keyID != nil) }
        guard let key = candidates.first(where: isSigned) else { throw .invalidSignature }
        return key
    }

    /// Signs a payload and writes the token.
    ///
    /// - Throws: ``JOSEError/keyUnusable(_:)`` when the key is not a private or symmetric one that fits the algorithm of
    ///   the header, and ``JOSEError/criticalHeader`` when the header holds `crit` or `b64`, which are not supported.
    public static func sign(payload: [UInt8], header: JWSHeader, key: JWK) throws(JOSEError) -> String {
        try sign(payload: payload, header: header) { (input) throws(JOSEError) in
            try key.signature(for: input, using: header.algorithm)
        }
    }

    static func sign(
        payload: [UInt8], header: JWSHeader, _ signature: ([UInt8]) throws(JOSEError) -> [UInt8]
    ) throws(JOSEError) -> String {
        guard header.parameters["crit"] == nil, header.parameters["b64"] == nil else { throw .criticalHeader }
        let input = Base64URL.encode(header.parameters.serialized()) + "." + Base64URL.encode(payload)
        return input + "." + Base64URL.encode(try signature(Array(input.utf8)))
    }

    private func isSigned(by key: JWK) -> Bool {
        // What is signed is the start of the token itself, which is not copied.
        Self.withBytes(of: compact) { bytes in
            key.isValidSignature(
                signature, for: UnsafeRawBufferPointer(rebasing: bytes.prefix(signingInputByteCount)),
                using: header.algorithm)
        }
    }

    /// Says that a token is here, and nothing of it.
    public var description: String { "<JWS>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    private static func withBytes<Result, Failure: Error>(
        of text: String, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var text = text
        let result: Swift.Result<Result, Failure> = text.withUTF8 { buffer in
            do throws(Failure) {
                return .success(try body(UnsafeRawBufferPointer(buffer)))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The three parts of a token, decoded.
    private struct Parts {
        let header: [UInt8]
        let payload: [UInt8]
        let signature: [UInt8]
        let signingInputByteCount: Int

        init(_ bytes: UnsafeRawBufferPointer) throws(JOSEError) {
            guard let first = Self.dot(in: bytes, from: 0), let second = Self.dot(in: bytes, from: first + 1) else {
                throw .malformed("token")
            }
            if let third = Self.dot(in: bytes, from: second + 1) {
                let fourth = Self.dot(in: bytes, from: third + 1)
                let hasFiveParts = fourth.map { Self.dot(in: bytes, from: $0 + 1) == nil } ?? false
                throw hasFiveParts ? .encrypted : .malformed("token")
            }
            header = try Self.decode(bytes[..<first], "header")
            payload = try Self.decode(bytes[(first + 1)..<second], "payload")
            signature = try Self.decode(bytes[(second + 1)...], "signature")
            signingInputByteCount = second
        }

        /// The place of the first dot at or after `start`, which is not beyond the end.
        private static func dot(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
            guard let base = bytes.baseAddress else { return nil }
            let place = memchr(base + start, Int32(UInt8(ascii: ".")), bytes.count - start)
            return place.map { UnsafeRawPointer($0) - base }
        }

        private static func decode(
            _ part: Slice<UnsafeRawBufferPointer>, _ name: String
        ) throws(JOSEError) -> [UInt8] {
            guard let bytes = Base64URL.decode(UnsafeRawBufferPointer(rebasing: part)) else { throw .malformed(name) }
            return bytes
        }
    }
}
