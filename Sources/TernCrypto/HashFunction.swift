/// The hash functions that OAuth and JOSE use: SHA-1 and the SHA-2 family (FIPS 180-4).
///
/// SHA-1 is here for the HMAC-SHA1 and RSA-SHA1 signatures of OAuth 1.0 (RFC 5849 section 3.4) and for RSA-OAEP (RFC 7518
/// section 4.3) alone.
public enum HashFunction: Sendable, Hashable, CaseIterable {
    /// SHA-1, for OAuth 1.0 and RSA-OAEP only.
    case sha1
    /// SHA-256.
    case sha256
    /// SHA-384.
    case sha384
    /// SHA-512.
    case sha512

    /// The length of a digest in bytes.
    public var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// Hashes `bytes`. The digest is ``byteCount`` bytes long.
    public func digest(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes(digest)
    }

    /// Hashes the bytes of a buffer without copying them. The digest is ``byteCount`` bytes long.
    public func digest(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { digest, filled in
            hash(bytes, into: UnsafeMutableRawBufferPointer(digest))
            filled = byteCount
        }
    }
}
