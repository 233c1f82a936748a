internal import Tern

/// Whether the command keeps its credentials encrypted: it does where the environment holds a key or a passphrase.
enum StoreEncryption {
    static let keyVariable = "TERN_STORE_KEY"
    static let passphraseVariable = "TERN_STORE_PASSPHRASE"

    /// Records from before are read as they are, and encrypted when they are saved next.
    static func around(_ store: FileStore) throws(TernError) -> any CredentialStore {
        guard let key = try key() else { return store }
        return EncryptedStore(store, key: key, readsPlainRecords: true)
    }

    private static func key() throws(TernError) -> RecordKey? {
        let passphrase = Process.environment(passphraseVariable)
        guard Process.environment(keyVariable) != nil else {
            guard let passphrase else { return nil }
            guard !passphrase.isEmpty else { throw invalid(passphraseVariable, "it is empty") }
            return try RecordKey(passphrase: Passphrase(passphrase))
        }
        guard passphrase == nil else {
            throw invalid(passphraseVariable, "\(keyVariable) is set too; unset one of them")
        }
        return try RecordKey(environmentVariable: keyVariable)
    }

    private static func invalid(_ name: String, _ problem: String) -> TernError {
        TernError(.invalidConfiguration(field: name, problem: problem), at: .configuration)
    }
}
