/// What an app for Apple's systems says about itself in its property list and its entitlements.
public struct AppleApp: Sendable, Hashable {
    /// Takes what is known of an app.
    ///
    /// - Parameters:
    ///   - infoPropertyList: the contents of `Info.plist`, from the project or from the built app; `nil` where it is not known.
    ///   - entitlements: the contents of the entitlements file; `nil` where it is not known.
    ///   - appIdentifier: the app identifier, such as `ABCDE12345.com.example.app`, or its first part alone. With it the
    ///     build variables that stand for it can be replaced.
    public init(
        infoPropertyList: PropertyListValue?, entitlements: PropertyListValue?, appIdentifier: String? = nil
    ) {
    }

    /// What the files say by themselves, without a redirect.
    public var findings: [Finding] { [] }
}
