internal import TernProtocol

extension Profile {
    /// Holds a server's metadata against the text, before anybody is sent there.
    func check(_ metadata: ServerMetadata) throws(TernError) {
        switch self {
        case .oauth21: try checkProofKey(metadata, "§4.1.1", isSilenceRefused: false)
        case .fapi2, .fapi2MessageSigning: try checkProofKey(metadata, "§5.3.2.2", isSilenceRefused: false)
        case .mcp: try checkProofKey(metadata, "Authorization Code Protection", isSilenceRefused: true)
        case .atproto: try checkATProto(metadata)
        }
    }

    private func checkProofKey(
        _ metadata: ServerMetadata, _ clause: String, isSilenceRefused: Bool
    ) throws(TernError) {
        let methods = metadata.codeChallengeMethods
        try require(
            methods?.contains("S256") ?? !isSilenceRefused, clause,
            "the server does not say that it takes PKCE with S256")
    }

    private func checkATProto(_ metadata: ServerMetadata) throws(TernError) {
        let clause = "Authorization Servers"
        let issuer = metadata.issuer.flatMap { URI($0) }
        try require(
            issuer != nil && issuer?.encodedPath.isEmpty == true, clause, "the issuer is an address without a path")
        try checkProofKey(metadata, clause, isSilenceRefused: true)
        try require(
            metadata.requiresPushedAuthorizationRequests, clause, "the server demands that requests are pushed")
        try require(
            metadata.promisesIssuerInAnswers, clause, "the server names its issuer in answers")
        try require(
            metadata.supportsClientIDMetadataDocuments, clause, "the server reads the metadata of clients")
        try require(
            metadata.list("dpop_signing_alg_values_supported")?.contains("ES256") == true, clause,
            "the server takes proofs with ES256")
        try require(metadata.scopes?.contains("atproto") == true, clause, "the server knows the scope \"atproto\"")
    }

    /// The user whom a token answer names; `nil` where only ID tokens name users.
    ///
    /// - Throws: `profileViolated` where the text demands a user and the answer has none; `idTokenRejected` with
    ///   `subjectMismatch` for another one than was expected.
    func subject(in tokens: TokenResponse, expecting expected: String?) throws(TernError) -> String? {
        guard self == .atproto else { return nil }
        let subject = tokens.additionalMembers["sub"]?.string ?? ""
        let parts = subject.split(separator: ":", omittingEmptySubsequences: false)
        try require(
            parts.count >= 3 && parts[0] == "did" && parts.allSatisfy { !$0.isEmpty }, "Tokens and Session Lifetime",
            "the token answer names the account by its DID in \"sub\"")
        try require(
            tokens.scope?.contains("atproto") == true, "Tokens and Session Lifetime",
            "the token answer grants the scope \"atproto\"")
        if let expected, !expected.hasSameOctets(as: subject) {
            throw TernError(.idTokenRejected(.subjectMismatch), at: .tokenRequest)
        }
        return subject
    }
}
