#if canImport(Darwin)
    internal import Foundation
    internal import Security
    internal import TernCrypto
    internal import TernJOSE
    public import TernProtocol

    #if !os(tvOS)
        internal import LocalAuthentication
    #endif

    extension KeychainStore {
        /// Uses the keychain of the system; on macOS the one with data protection, which needs a signed program.
        ///
        /// - Throws: ``/TernProtocol/TernError`` with the field `folder` when the folder for lock files has no legal name.
        public init(_ options: KeychainOptions) throws(TernError) {
            try self.init(options, items: AppleKeychain())
        }
    }

    /// The keychain's own calls.
    struct AppleKeychain: KeychainItems {
        func add(_ item: KeychainQuery, _ values: KeychainValues) -> KeychainStatus {
            guard let attributes = attributes(values) else { return .parameter }
            let whole = dictionary(item).merging(attributes) { $1 }
            return KeychainStatus(rawValue: SecItemAdd(whole as CFDictionary, nil))
        }

        func update(_ query: KeychainQuery, to values: KeychainValues) -> KeychainStatus {
            guard let attributes = attributes(values) else { return .parameter }
            var search = dictionary(query)
            authenticate(&search, query.prompt)
            return KeychainStatus(rawValue: SecItemUpdate(search as CFDictionary, attributes as CFDictionary))
        }

        func copy(_ query: KeychainQuery) -> Result<KeychainItem, KeychainStatus> {
            var search = dictionary(query)
            authenticate(&search, query.prompt)
            search[kSecReturnData as String] = true
            search[kSecReturnAttributes as String] = true
            search[kSecMatchLimit as String] = kSecMatchLimitOne
            var found: CFTypeRef?
            let status = KeychainStatus(rawValue: SecItemCopyMatching(search as CFDictionary, &found))
            guard status == .success else { return .failure(status) }
            guard let item = found as? [String: Any], let data = item[kSecValueData as String] as? Data else {
                return .failure(.decode)
            }
            let revision = item[kSecAttrGeneric as String] as? Data
            return .success(KeychainItem(record: StoredRecord([UInt8](data)), revision: revision.map { [UInt8]($0) }))
        }

        func delete(_ query: KeychainQuery) -> KeychainStatus {
            KeychainStatus(rawValue: SecItemDelete(dictionary(query) as CFDictionary))
        }

        func list(_ query: KeychainQuery) -> Result<[KeychainEntry], KeychainStatus> {
            var search = dictionary(query)
            authenticate(&search, nil)
            search[kSecReturnAttributes as String] = true
            search[kSecMatchLimit as String] = kSecMatchLimitAll
            var found: CFTypeRef?
            let status = KeychainStatus(rawValue: SecItemCopyMatching(search as CFDictionary, &found))
            guard status == .success else { return .failure(status) }
            guard let items = found as? [[String: Any]] else { return .failure(.decode) }
            return .success(
                items.compactMap { item in
                    guard let account = item[kSecAttrAccount as String] as? String else { return nil }
                    let modified = item[kSecAttrModificationDate as String] as? Date
                    return KeychainEntry(
                        account: account, modified: modified.map { NumericDate($0.timeIntervalSince1970) })
                })
        }

        private func dictionary(_ query: KeychainQuery) -> [String: Any] {
            var search: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: query.service,
                // Without it macOS takes the old keychain, which knows no classes and no groups.
                kSecUseDataProtectionKeychain as String: true,
            ]
            if let account = query.account { search[kSecAttrAccount as String] = account }
            if let group = query.accessGroup { search[kSecAttrAccessGroup as String] = group }
            if let revision = query.revision { search[kSecAttrGeneric as String] = Data(revision) }
            if let isSynchronizable = query.isSynchronizable {
                search[kSecAttrSynchronizable as String] = isSynchronizable
            } else {
                search[kSecAttrSynchronizable as String] = kSecAttrSynchronizableAny
            }
            return search
        }

        private func authenticate(_ search: inout [String: Any], _ prompt: String?) {
            #if !os(tvOS)
                let context = LAContext()
                if let prompt { context.localizedReason = prompt } else { context.interactionNotAllowed = true }
                search[kSecUseAuthenticationContext as String] = context
            #endif
        }

        private func attributes(_ values: KeychainValues) -> [String: Any]? {
            var attributes: [String: Any] = [
                kSecValueData as String: Data(values.record.exposedBytes),
                kSecAttrGeneric as String: Data(values.revision),
            ]
            let accessibility = constant(values.accessibility)
            guard let control = values.accessControl else {
                attributes[kSecAttrAccessible as String] = accessibility
                return attributes
            }
            // The class is inside the access control and must not stand beside it.
            guard let control = SecAccessControlCreateWithFlags(nil, accessibility, flags(control.proof), nil) else {
                return nil
            }
            attributes[kSecAttrAccessControl as String] = control
            return attributes
        }

        private func constant(_ accessibility: KeychainOptions.Accessibility) -> CFString {
            switch accessibility {
            case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlock
            case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            case .whenUnlocked: kSecAttrAccessibleWhenUnlocked
            case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
            case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
            }
        }

        private func flags(_ proof: KeychainOptions.AccessControl.Proof) -> SecAccessControlCreateFlags {
            switch proof {
            case .userPresence: .userPresence
            case .biometryAny: .biometryAny
            case .biometryCurrentSet: .biometryCurrentSet
            case .devicePasscode: .devicePasscode
            }
        }
    }
#endif
