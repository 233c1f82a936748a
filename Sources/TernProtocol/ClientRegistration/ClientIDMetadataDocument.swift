internal import TernCrypto
public import TernJOSE

/// The metadata of a client whose ID is the https address at which this document lies, so that it need not register
/// (draft-ietf-oauth-client-id-metadata-document).
///
/// Host ``json`` at the address, with the media type `application/json`, and use the address as client ID.
public struct ClientIDMetadataDocument: Sendable, Hashable {
    /// The address of the document, which is the client's ID, octet for octet.
    public let clientID: String
    /// What the client says about itself.
    public let metadata: ClientMetadata

    /// Makes a document.
    ///
    /// - Parameters:
    ///   - clientID: the address at which the document will lie.
    ///   - metadata: what the client says about itself. Without an authentication method it becomes a public client.
    /// - Throws: ``TernError``: what ``checkClientID(_:)`` and ``ClientMetadata/check()`` throw; with
    ///   `token_endpoint_auth_method` for a method that needs a secret, since nobody could share one; with the name of a
    ///   member that has no place here.
    public init(clientID: String, metadata: ClientMetadata) throws(TernError) {
        try Self.checkClientID(clientID)
        var metadata = metadata
        if metadata.authenticationMethod == nil { metadata.authenticationMethod = "none" }
        let named = metadata.members["client_id"]
        guard named == nil || named?.string.map({ $0.hasSameOctets(as: clientID) }) == true else {
            throw ClientMetadata.invalid("client_id", "it is not the address of the document")
        }
        metadata.members["client_id"] = nil
        try Self.check(metadata)
        self.clientID = clientID
        self.metadata = metadata
    }

    /// Reads a document, for servers.
    ///
    /// - Parameters:
    ///   - bytes: what was fetched.
    ///   - clientID: the address at which it was fetched, which redirects must not have changed.
    /// - Throws: ``TernError``: what ``init(clientID:metadata:)`` throws; `malformedResponse` for what is no JSON object;
    ///   with `client_id` when the document does not name its own address.
    public init(parsing bytes: [UInt8], at clientID: String) throws(TernError) {
        guard let members = try? JSON(parsing: bytes).object else {
            throw TernError(.malformedResponse(field: "body"), at: .registration)
        }
        guard members["client_id"]?.string != nil else {
            throw TernError(.malformedResponse(field: "client_id"), at: .registration)
        }
        guard members["token_endpoint_auth_method"] != nil else {
            // The default of RFC 7591 §2, which has no place here.
            throw ClientMetadata.invalid("token_endpoint_auth_method", "it is missing, which means client_secret_basic")
        }
        try self.init(clientID: clientID, metadata: ClientMetadata(members: members))
    }

    /// The document.
    public var json: JSONObject {
        var document: JSONObject = ["client_id": .string(clientID)]
        for (name, value) in metadata.members { document[name] = value }
        return document
    }

    /// Checks that a client ID may be the address of such a document: https, a host and a path, no user name, no
    /// fragment, no `.` and `..` among its segments.
    ///
    /// - Throws: ``TernError`` with the field `client_id`.
    /// - Returns: the address.
    @discardableResult
    public static func checkClientID(_ text: String) throws(TernError) -> URI {
        let uri = try URI.required(text, field: "client_id")
        func invalid(_ problem: String) -> TernError { ClientMetadata.invalid("client_id", problem) }
        guard uri.normalizedScheme == "https", uri.host != nil else { throw invalid("it is not an https address") }
        guard !uri.hasUserInformation else { throw invalid("it has a user name before the host") }
        guard uri.encodedFragment == nil else { throw invalid("it has a fragment") }
        guard !uri.encodedPath.isEmpty else { throw invalid("it has no path") }
        let segments = uri.encodedPath.split(separator: "/", omittingEmptySubsequences: false)
        // An encoded dot is a dot (RFC 3986 §6.2.2.2).
        guard !segments.contains(where: { [".", ".."].contains(PercentCodec.decodeForm(String($0))) }) else {
            throw invalid("it has a segment \".\" or \"..\"")
        }
        return uri
    }

    private static func check(_ metadata: ClientMetadata) throws(TernError) {
        for name in [
            "client_secret", "client_secret_expires_at", "registration_access_token", "registration_client_uri",
        ] where metadata.members[name] != nil {
            throw ClientMetadata.invalid(name, "it has no place in a document that everybody reads")
        }
        try metadata.check()
        guard !metadata.usesSecret else {
            throw ClientMetadata.invalid(
                "token_endpoint_auth_method",
                "it needs a secret that only the server knows; use private_key_jwt or none")
        }
    }
}
