import Tern

enum EncryptionExamples {
    static func environment() throws -> Environment {
        let files = try FileStore(folder: try FileStore.defaultFolder(application: "my-app"))
        let store = EncryptedStore(files, key: try RecordKey(environmentVariable: "MY_APP_KEY"))
        let environment = Environment(transport: SystemTransport(), store: store)
        return environment
    }

    static func move(_ files: FileStore, to newKey: RecordKey, from oldKey: RecordKey) -> EncryptedStore {
        let store = EncryptedStore(files, key: newKey, oldKeys: [oldKey], readsPlainRecords: true)
        return store
    }
}
