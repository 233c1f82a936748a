internal import TernJOSE
public import TernProtocol

/// The file with which a host names the apps that may act for it (`apple-app-site-association`).
public struct AssociationFile: Sendable, Hashable {
    /// The largest file that Apple's systems take, in bytes.
    public static let maximumByteCount = 128 << 10

    /// Where the file of a host is asked for; `nil` when the text is no host.
    ///
    /// The address without `/.well-known` that older systems asked is not asked any more.
    ///
    /// - Parameter host: the host, without scheme and port.
    public static func address(host: String) -> URI? {
        guard let uri = URI("https://\(host)/.well-known/apple-app-site-association"), uri.host == host,
            uri.port == nil, !uri.hasUserInformation
        else { return nil }
        return uri
    }

    /// What the file says about links of an address.
    public enum Decision: Sendable, Hashable {
        /// They open the app; the pattern that decides.
        case opens(pattern: String)
        /// They are kept from the app; the pattern that decides.
        case excluded(pattern: String)
        /// No pattern is about them.
        case unmentioned
        /// It depends on something that is not known before an answer comes; what that is.
        case undecided(String)
    }

    /// The app identifiers under `webcredentials`.
    public let webCredentials: [String]
    /// The app identifiers under `applinks`, in their order.
    public var appLinks: [String] { details.flatMap(\.apps) }
    /// Whether links are described in the form of before iOS 13 (`appID` and `paths`).
    public var usesOldForm: Bool { details.contains(where: \.usesOldForm) }
    /// What is in the file and cannot be read, in words.
    public let problems: [String]

    private let details: [AssociationDetail]

    /// Reads a file.
    ///
    /// - Parameter bytes: its contents, which are JSON.
    /// - Throws: ``/TernJOSE/JSONError`` when it is no JSON object.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        guard let json = try JSON(parsing: bytes).object else { throw JSONError(.unexpectedByte, at: 0) }
        var reader = AssociationReader()
        webCredentials = reader.webCredentials(json)
        details = reader.details(json)
        problems = reader.problems
    }

    /// What the file says about links of an address to an app. The first pattern that fits decides.
    ///
    /// - Parameters:
    ///   - uri: the address without what an answer adds to it.
    ///   - app: the app identifier.
    public func decision(for uri: URI, app: String) -> Decision {
        for detail in details where detail.apps.contains(app) {
            let decision = detail.decision(for: uri)
            if decision != .unmentioned { return decision }
        }
        return .unmentioned
    }
}
