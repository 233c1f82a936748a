internal import TernCrypto
internal import TernJOSE
public import TernProtocol

extension StoreKey {
    /// Where the client is kept that was registered at a server: one for each issuer, beside the accounts.
    public static func registration(at issuer: Issuer) -> StoreKey {
        StoreKey(reserved: "registration-" + Base64URL.encode(HashFunction.sha256.digest(Array(issuer.text.utf8))))
    }
}

/// A client that was registered at a server, as it is kept beside the accounts, with its secret and its registration access
/// token (``ClientRegistrar`` itself keeps nothing).
extension CredentialStore {
    /// The client that was registered at a server; `nil` where none is kept.
    ///
    /// - Throws: `storeUnavailable`; `corruptedRecord` when what is kept cannot be read.
    public func registration(at issuer: Issuer) async throws(TernError) -> ClientInformation? {
        guard let record = try await load(.registration(at: issuer)) else { return nil }
        guard let members = try? JSON(parsing: record.exposedBytes).object,
            let information = try? ClientInformation(members)
        else { throw TernError(.corruptedRecord("the registered client cannot be read"), at: .storage) }
        return information
    }

    /// Keeps a registered client in the place of the one that is there. Do it before anything else with each answer of a
    /// ``ClientRegistrar``: what was there may not be good any more.
    ///
    /// - Throws: `storeUnavailable`.
    public func keep(_ information: ClientInformation, registeredAt issuer: Issuer) async throws(TernError) {
        try await save(
            StoredRecord(information.exposedMembers.serialized()), for: .registration(at: issuer))
    }

    /// Forgets the client that was registered at a server; there it stays.
    ///
    /// - Throws: `storeUnavailable`.
    public func forgetRegistration(at issuer: Issuer) async throws(TernError) {
        try await delete(.registration(at: issuer))
    }
}
