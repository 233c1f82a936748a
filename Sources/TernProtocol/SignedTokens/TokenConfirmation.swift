internal import TernCrypto
public import TernJOSE

/// What a token is bound to: the claim `cnf` (RFC 7800 §3.1).
public struct TokenConfirmation: Sendable, Hashable {
    /// All members as they came.
    public let members: JSONObject

    /// Takes the members of a `cnf`.
    public init(members: JSONObject) { self.members = members }

    /// The thumbprint of the DPoP key that the token is bound to (`jkt`, RFC 9449 §6.1).
    public var keyThumbprint: String? { members["jkt"]?.string }

    /// The thumbprint of the certificate that the token is bound to (`x5t#S256`, RFC 8705 §3.1).
    public var certificateThumbprint: String? { members["x5t#S256"]?.string }

    /// What the caller of an API has proven to hold, beside the token.
    public struct Proof: Sendable, Hashable {
        /// The SHA-256 thumbprint (RFC 7638) of the key of a DPoP proof that was checked, in Base64url.
        public var keyThumbprint: String?
        /// The SHA-256 of the certificate that the caller authenticated the connection with, in Base64url.
        public var certificateThumbprint: String?

        /// Nothing but the token: RFC 6750.
        public static let none = Proof()

        /// Says what was proven.
        public init(keyThumbprint: String? = nil, certificateThumbprint: String? = nil) {
            self.keyThumbprint = keyThumbprint
            self.certificateThumbprint = certificateThumbprint
        }
    }

    /// Whether a token with this confirmation, or with none, may be used with a proof: everything that it is bound to was
    /// proven, and a DPoP proof is for a token that is bound to its key (RFC 9449 §7.1, RFC 8705 §3).
    static func isMet(_ confirmation: TokenConfirmation?, by proof: Proof) -> Bool {
        guard let members = confirmation?.members else { return proof.keyThumbprint == nil }
        // A binding that is not known cannot be checked, and must not count as none.
        guard !members.isEmpty, members.names.allSatisfy({ $0 == "jkt" || $0 == "x5t#S256" }) else { return false }
        return fits(members["jkt"], proof.keyThumbprint, isWanted: true)
            && fits(members["x5t#S256"], proof.certificateThumbprint, isWanted: false)
    }

    /// - Parameter isWanted: whether a thumbprint that was proven must be in the token.
    private static func fits(_ bound: JSON?, _ proven: String?, isWanted: Bool) -> Bool {
        guard let bound else { return proven == nil || !isWanted }
        guard let text = bound.string, let proven else { return false }
        return constantTimeEqual(text.utf8, proven.utf8)
    }
}
