public import TernProtocol

/// How a ``KeychainStore`` keeps its items.
public struct KeychainOptions: Sendable, Hashable {
    /// When an item can be read, from the most open to the strictest.
    public enum Accessibility: Sendable, Hashable, CaseIterable {
        /// From the first unlock after a start of the device. Right for tokens that are renewed in the background.
        case afterFirstUnlock
        /// The same; the item is in no backup that another device can read.
        case afterFirstUnlockThisDeviceOnly
        /// While the device is unlocked.
        case whenUnlocked
        /// The same; the item is in no backup that another device can read.
        case whenUnlockedThisDeviceOnly
        /// While the device is unlocked, and only on a device with a passcode: the item is gone when that is removed.
        case whenPasscodeSetThisDeviceOnly

        /// Whether the item stays on this device.
        public var isThisDeviceOnly: Bool {
            switch self {
            case .afterFirstUnlock, .whenUnlocked: false
            case .afterFirstUnlockThisDeviceOnly, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: true
            }
        }
    }

    /// Who must be there for an item to be read. The system then shows its own question, and a background refresh is
    /// ``/TernProtocol/TernError/Reason/storeUnavailable(_:)``.
    public struct AccessControl: Sendable, Hashable {
        /// What proves that the user is there.
        public enum Proof: Sendable, Hashable, CaseIterable {
            /// Face, finger or passcode.
            case userPresence
            /// Any enrolled face or finger.
            case biometryAny
            /// A face or finger enrolled now; enrolling another one makes the item unreadable for good.
            case biometryCurrentSet
            /// The passcode of the device.
            case devicePasscode
        }

        /// What proves that the user is there.
        public let proof: Proof
        /// What the system's question says, such as "Unlock your account".
        public let prompt: String

        /// Asks for a proof.
        ///
        /// - Throws: ``/TernProtocol/TernError`` with the field `prompt` when it is empty.
        public init(_ proof: Proof, prompt: String) throws(TernError) {
            guard !prompt.isEmpty else {
                throw TernError(.invalidConfiguration(field: "prompt", problem: "it is empty"), at: .storage)
            }
            self.proof = proof
            self.prompt = prompt
        }
    }

    /// The name that the items share, such as the bundle identifier. Each account is an item of its own.
    public let service: String
    /// The group of programs that share the items; `nil` for the program's first one.
    public let accessGroup: String?
    /// When the items can be read.
    public let accessibility: Accessibility
    /// Who must be there; `nil` for nobody.
    public let accessControl: AccessControl?
    /// Whether the items go to the user's other devices.
    public let isSynchronizable: Bool
    /// A folder for lock files that all programs of the group reach, such as one in the app group's container; `nil`
    /// where one store in one process uses the items.
    public let lockFolder: String?

    /// Checks options.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with the field `service` or `access_group` when that is empty, and
    ///   `synchronizable` when the items are bound to this device or to its user's presence.
    public init(
        service: String, accessGroup: String? = nil, accessibility: Accessibility = .afterFirstUnlockThisDeviceOnly,
        accessControl: AccessControl? = nil, isSynchronizable: Bool = false, lockFolder: String? = nil
    ) throws(TernError) {
        func invalid(_ field: String, _ problem: String) -> TernError {
            TernError(.invalidConfiguration(field: field, problem: problem), at: .storage)
        }
        guard !service.isEmpty else { throw invalid("service", "it is empty") }
        guard accessGroup?.isEmpty != true else { throw invalid("access_group", "it is empty") }
        guard !isSynchronizable || !accessibility.isThisDeviceOnly else {
            throw invalid("synchronizable", "items of this device only are not synchronised; choose afterFirstUnlock")
        }
        guard !isSynchronizable || accessControl == nil else {
            throw invalid("synchronizable", "items that ask for the user are not synchronised")
        }
        self.service = service
        self.accessGroup = accessGroup
        self.accessibility = accessibility
        self.accessControl = accessControl
        self.isSynchronizable = isSynchronizable
        self.lockFolder = lockFolder
    }
}
