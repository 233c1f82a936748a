#if SecretService && os(Linux)
    internal import CSecret
    internal import TernProtocol

    /// A conversation with the Secret Service, for one thread and a short time.
    ///
    /// It has a connection to the session bus of its own. The one that a process shares would end it with SIGTERM when
    /// the bus goes away; and its proxies would gather signals for a main loop that nobody runs.
    struct Keyring {
        private let service: UnsafeMutablePointer<CSecret.SecretService>
        private let interruption: Interruption
        private let application: String

        /// Connects, runs `body`, and hangs up.
        ///
        /// - Parameters:
        ///   - address: of the bus, in D-Bus's form; `nil` for the user's session bus.
        ///   - application: whose items it is about.
        /// - Throws: what `body` throws; `storeUnavailable` when there is no bus or no service.
        static func use<Result>(
            at address: String?, for application: String, _ interruption: Interruption,
            _ body: (Keyring) throws(TernError) -> Result
        ) throws(TernError) -> Result {
            // Signals come to the main loop of the thread that connects. This one is thrown away with them.
            let signals = g_main_context_new()
            g_main_context_push_thread_default(signals)
            defer {
                // What is left to be freed waits in it.
                while g_main_context_iteration(signals, 0) != 0 {}
                g_main_context_pop_thread_default(signals)
                g_main_context_unref(signals)
            }
            let bus = try connect(to: address, interruption)
            defer {
                g_dbus_connection_close_sync(bus, nil, nil)
                g_object_unref(UnsafeMutableRawPointer(bus))
            }
            let opened = try checked(KeyringTrouble.noService) { error in
                tern_secret_open(bus, interruption.cancellable, error)
            }
            defer { g_object_unref(opened) }
            return try body(Keyring(service: opened, interruption: interruption, application: application))
        }

        private static func connect(
            to address: String?, _ interruption: Interruption
        ) throws(TernError) -> OpaquePointer {
            var found: UnsafeMutablePointer<CChar>?
            if address == nil {
                found = try checked(KeyringTrouble.noBus) { error in
                    g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, interruption.cancellable, error)
                }
            }
            defer { g_free(found) }
            let flags = GDBusConnectionFlags(
                rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                    | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
            let text = address ?? found.map { String(cString: $0) } ?? ""
            return try checked(KeyringTrouble.noBus) { error in
                g_dbus_connection_new_for_address_sync(text, flags, nil, interruption.cancellable, error)
            }
        }

        /// The items of an account, or of all; locked ones too, and nobody is asked to unlock them.
        func items(of account: String? = nil, withSecrets: Bool = false) throws(TernError) -> [KeyringItem] {
            let attributes = attributes(account)
            defer { g_hash_table_unref(attributes) }
            var flags = SECRET_SEARCH_ALL.rawValue
            if withSecrets { flags |= SECRET_SEARCH_LOAD_SECRETS.rawValue }
            let list = try Self.called { error in
                secret_service_search_sync(
                    service, tern_secret_schema(), attributes, SecretSearchFlags(rawValue: flags),
                    interruption.cancellable, error)
            }
            defer { g_list_free(list) }
            var found: [KeyringItem] = []
            var next = list
            while let node = next {
                if let item = node.pointee.data {
                    found.append(KeyringItem(item.assumingMemoryBound(to: SecretItem.self)))
                }
                next = node.pointee.next
            }
            return found
        }

        /// Makes an item in the keyring where new ones belong.
        func add(_ record: StoredRecord, for account: String) throws(TernError) {
            let collection = try openCollection()
            defer { g_object_unref(collection) }
            let (attributes, value) = (attributes(account), Self.value(record))
            defer {
                g_hash_table_unref(attributes)
                secret_value_unref(UnsafeMutableRawPointer(value))
            }
            let item = try Self.checked { error in
                secret_item_create_sync(
                    collection, tern_secret_schema(), attributes, "\(application): \(account)", value,
                    SECRET_ITEM_CREATE_REPLACE, interruption.cancellable, error)
            }
            g_object_unref(item)
        }

        func update(_ item: KeyringItem, to record: StoredRecord) throws(TernError) {
            let value = Self.value(record)
            defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
            _ = try Self.called { error in
                secret_item_set_secret_sync(item.object, value, interruption.cancellable, error)
            }
        }

        func remove(_ item: KeyringItem) throws(TernError) {
            _ = try Self.called { error in secret_item_delete_sync(item.object, interruption.cancellable, error) }
        }

        /// Makes sure that "nothing found" means that nothing is there: a service whose keyring is locked may show none
        /// of its items.
        func checkThatItIsOpen() throws(TernError) { g_object_unref(try openCollection()) }

        private func openCollection() throws(TernError) -> UnsafeMutablePointer<SecretCollection> {
            let collection = try Self.checked(KeyringTrouble.noKeyring) { error in
                secret_collection_for_alias_sync(
                    service, "default", SECRET_COLLECTION_NONE, interruption.cancellable, error)
            }
            guard secret_collection_get_locked(collection) == 0 else {
                g_object_unref(collection)
                throw KeyringTrouble.locked
            }
            return collection
        }

        private func attributes(_ account: String?) -> OpaquePointer? {
            let table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)
            g_hash_table_insert(table, g_strdup(TERN_SECRET_APPLICATION), g_strdup(application))
            if let account { g_hash_table_insert(table, g_strdup(TERN_SECRET_ACCOUNT), g_strdup(account)) }
            return table
        }

        private static func value(_ record: StoredRecord) -> OpaquePointer {
            record.exposedBytes.withUnsafeBytes { bytes in
                secret_value_new(
                    bytes.assumingMemoryBound(to: CChar.self).baseAddress, bytes.count, "application/octet-stream")
            }
        }

        /// Runs a call that says in its error alone whether it failed.
        private static func called<Result>(
            _ trouble: TernError? = nil,
            _ call: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Result
        ) throws(TernError) -> Result {
            var error: UnsafeMutablePointer<GError>?
            let result = call(&error)
            guard let error else { return result }
            defer { g_error_free(error) }
            throw KeyringTrouble.failure(error, otherwise: trouble)
        }

        /// Runs a call that returns nothing when it failed.
        private static func checked<Result>(
            _ trouble: TernError = KeyringTrouble.failed(nil),
            _ call: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> Result?
        ) throws(TernError) -> Result {
            guard let result = try called(trouble, call) else { throw trouble }
            return result
        }
    }

    /// An item of the Secret Service.
    final class KeyringItem {
        fileprivate let object: UnsafeMutablePointer<SecretItem>

        /// Takes over the reference.
        fileprivate init(_ object: UnsafeMutablePointer<SecretItem>) { self.object = object }

        deinit { g_object_unref(object) }

        var isLocked: Bool { secret_item_get_locked(object) != 0 }

        /// The account; `nil` when the service hides it while the item is locked.
        var account: String? {
            guard let attributes = secret_item_get_attributes(object) else { return nil }
            defer { g_hash_table_unref(attributes) }
            return g_hash_table_lookup(attributes, TERN_SECRET_ACCOUNT).map {
                String(cString: $0.assumingMemoryBound(to: CChar.self))
            }
        }

        /// The secret, where it was loaded.
        ///
        /// - Throws: `corruptedRecord` when it is larger than a record can be.
        func record() throws(TernError) -> StoredRecord? {
            guard let value = secret_item_get_secret(object) else { return nil }
            defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
            var count: gsize = 0
            let bytes = secret_value_get(value, &count)
            guard count <= StoredRecord.maximumByteCount else {
                throw TernError(
                    .corruptedRecord("it is larger than \(StoredRecord.maximumByteCount) bytes"), at: .storage)
            }
            return StoredRecord([UInt8](UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(count))))
        }
    }

    /// Ends a conversation from another thread.
    ///
    /// `@unchecked`: GLib lets every thread use it.
    final class Interruption: @unchecked Sendable {
        fileprivate let cancellable: UnsafeMutablePointer<GCancellable>? = g_cancellable_new()

        deinit { g_object_unref(cancellable) }

        func interrupt() { g_cancellable_cancel(cancellable) }
    }
#endif
