internal import TernProtocol

/// What a call of the keychain answers: the `OSStatus` of Security's `SecBase.h`.
struct KeychainStatus: RawRepresentable, Error, Sendable, Hashable {
    let rawValue: Int32

    init(rawValue: Int32) { self.rawValue = rawValue }

    private init(_ value: Int32) { rawValue = value }

    static let success = KeychainStatus(0)
    static let parameter = KeychainStatus(-50)
    static let userCancelled = KeychainStatus(-128)
    static let notAvailable = KeychainStatus(-25291)
    static let authenticationFailed = KeychainStatus(-25293)
    static let duplicateItem = KeychainStatus(-25299)
    static let itemNotFound = KeychainStatus(-25300)
    static let interactionNotAllowed = KeychainStatus(-25308)
    static let interactionRequired = KeychainStatus(-25315)
    static let dataNotAvailable = KeychainStatus(-25316)
    static let inDarkWake = KeychainStatus(-25320)
    static let decode = KeychainStatus(-26275)
    static let missingEntitlement = KeychainStatus(-34018)

    /// The failure as users of a store see it. None of these says that there is no record.
    var failure: TernError {
        func unavailable(_ problem: String) -> TernError {
            TernError(.storeUnavailable("\(problem) (status \(rawValue))"), at: .storage)
        }
        switch self {
        case .userCancelled: return TernError(.userCancelled, at: .storage)
        case .decode:
            return TernError(.corruptedRecord("the keychain cannot decode the item (status \(rawValue))"), at: .storage)
        case .interactionNotAllowed, .interactionRequired, .dataNotAvailable, .inDarkWake:
            return unavailable(
                "the keychain is locked or may not ask the user now; try again once the device is unlocked")
        case .authenticationFailed: return unavailable("the user was not recognised; try again")
        case .missingEntitlement:
            return unavailable(
                "the program lacks a keychain entitlement; sign it with an application identifier and list the "
                    + "access group among its keychain groups")
        case .notAvailable: return unavailable("there is no keychain; sign in to the system as a user first")
        case .parameter: return unavailable("the system refuses this combination of keychain options")
        default: return unavailable("the keychain failed")
        }
    }
}
