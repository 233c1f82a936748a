internal import TernProtocol

/// What an app for Apple's systems says about itself in its property list and its entitlements.
///
/// The files may be those of a project, in which build variables such as `$(PRODUCT_BUNDLE_IDENTIFIER)` stand, or
/// those of the built app. What holds a variable that is not known is compared with nothing, and never called wrong.
public struct AppleApp: Sendable, Hashable {
    /// The systems that an app can be for, as far as redirects differ.
    public enum Platform: Sendable, Hashable {
        /// macOS.
        case mac
        /// iOS, iPadOS, tvOS, watchOS or visionOS.
        case mobile
    }

    /// A scheme that the property list registers (`CFBundleURLTypes`).
    public struct URLScheme: Sendable, Hashable {
        /// The scheme, as it is written there.
        public let text: String
        /// The name of its entry (`CFBundleURLName`).
        public let name: String?
        /// What the app does with addresses of it (`CFBundleTypeRole`).
        public let role: String?
    }

    /// Whether the property list is known.
    public let hasInfoPropertyList: Bool
    /// Whether the entitlements are known.
    public let hasEntitlements: Bool
    /// The first part of the app identifier, which is usually the team identifier; `nil` where it is not known.
    public let prefix: String?
    /// The bundle identifier; `nil` where it is not known.
    public let bundleIdentifier: String?
    /// The registered schemes, in their order.
    public let schemes: [URLScheme]
    /// The associated domains that can be read, in their order.
    public let associatedDomains: [AssociatedDomain]
    /// The keychain access groups.
    public let keychainGroups: [String]
    /// Which systems the app is for; `nil` where its files do not tell, or tell of both.
    public let platform: Platform?

    let info: PropertyListValue?
    let entitlements: PropertyListValue?
    /// What is wrong with the files themselves.
    let faults: [Finding]

    /// The whole app identifier, such as `ABCDE12345.com.example.app`; `nil` where one of its parts is not known.
    public var appIdentifier: String? {
        guard let prefix, let bundleIdentifier else { return nil }
        return "\(prefix).\(bundleIdentifier)"
    }

    /// Takes what is known of an app.
    ///
    /// - Parameters:
    ///   - infoPropertyList: the contents of `Info.plist`, from the project or from the built app; `nil` where it
    ///     is not known.
    ///   - entitlements: the contents of the entitlements file; `nil` where it is not known.
    ///   - appIdentifier: the app identifier, such as `ABCDE12345.com.example.app`, or its first part alone. With it
    ///     the build variables that stand for it can be replaced.
    public init(
        infoPropertyList: PropertyListValue?, entitlements: PropertyListValue?, appIdentifier: String? = nil
    ) {
        let identity = AppIdentity(infoPropertyList, entitlements, given: appIdentifier)
        let variables = BuildVariables(prefix: identity.prefix, bundleIdentifier: identity.bundleIdentifier)
        var reader = AppleAppReader(variables)
        info = infoPropertyList
        self.entitlements = entitlements
        hasInfoPropertyList = infoPropertyList != nil
        hasEntitlements = entitlements != nil
        prefix = identity.prefix
        bundleIdentifier = identity.bundleIdentifier
        schemes = reader.schemes(infoPropertyList)
        associatedDomains = reader.domains(entitlements)
        keychainGroups = reader.texts(entitlements, "keychain-access-groups")
        platform = Self.platform(infoPropertyList, entitlements)
        faults = Self.rootFaults(infoPropertyList, entitlements) + identity.findings + reader.findings
    }

    /// Whether the app runs in the sandbox of macOS.
    public var isSandboxed: Bool { entitlements?["com.apple.security.app-sandbox"]?.bool == true }

    /// Whether an entitlement is there and true.
    func isEntitled(_ key: String) -> Bool { entitlements?[key]?.bool == true }

    /// What the files say by themselves, without a redirect.
    public var findings: [Finding] {
        var findings = faults
        if isSandboxed {
            findings.append(
                isEntitled("com.apple.security.network.client")
                    ? Finding(.passed, "sandbox_network_client", "The sandbox lets requests out")
                    : Finding(
                        .failed, "sandbox_network_client", "The sandbox lets no request out",
                        "The app is in the sandbox and is not entitled to connect to servers.",
                        fix: "set com.apple.security.network.client to true in the entitlements"))
        }
        return findings
    }

    private static func rootFaults(_ info: PropertyListValue?, _ entitlements: PropertyListValue?) -> [Finding] {
        func fault(_ list: PropertyListValue?, _ name: String, _ title: String) -> [Finding] {
            guard let list, list.dictionary == nil else { return [] }
            return [Finding(.failed, name, title, "It holds something else than keys with values.")]
        }
        return fault(info, "info_property_list", "The property list of the app cannot be used")
            + fault(entitlements, "entitlements", "The entitlements cannot be used")
    }

    private static func platform(_ info: PropertyListValue?, _ entitlements: PropertyListValue?) -> Platform? {
        let built = info?["DTPlatformName"]?.string ?? info?["CFBundleSupportedPlatforms"]?.array?.first?.string
        if let built { return built.asciiLowercased.hasPrefix("macosx") ? .mac : .mobile }
        func has(_ list: PropertyListValue?, _ keys: [String]) -> Bool { keys.contains { list?[$0] != nil } }
        let mac =
            has(
                info,
                ["LSMinimumSystemVersion", "NSPrincipalClass", "NSMainNibFile", "NSMainStoryboardFile", "LSUIElement"])
            || has(entitlements, ["com.apple.security.app-sandbox", "com.apple.application-identifier"])
        let mobile =
            has(
                info,
                [
                    "LSRequiresIPhoneOS", "MinimumOSVersion", "UIDeviceFamily", "UIApplicationSceneManifest",
                    "UILaunchScreen",
                    "UILaunchStoryboardName", "UIMainStoryboardFile", "UISupportedInterfaceOrientations",
                    "UIRequiredDeviceCapabilities",
                ]) || has(entitlements, ["application-identifier"])
        return mac == mobile ? nil : mac ? .mac : .mobile
    }
}
