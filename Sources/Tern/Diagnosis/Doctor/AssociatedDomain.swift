internal import TernProtocol

/// An entry of the entitlement `com.apple.developer.associated-domains`, such as `webcredentials:app.example.com`.
public struct AssociatedDomain: Sendable, Hashable {
    /// What the association is for.
    public enum Service: Sendable, Hashable {
        /// Callbacks of the system's sign-in sheet, and saved passwords.
        case webCredentials
        /// Links that open the app from elsewhere.
        case appLinks
        /// Something that no sign-in needs, with its name.
        case other(String)

        /// The word before the colon.
        public var name: String {
            switch self {
            case .webCredentials: "webcredentials"
            case .appLinks: "applinks"
            case .other(let name): name
            }
        }
    }

    /// What the association is for.
    public let service: Service
    /// The host in lower case, without the `*.` of a wildcard.
    public let host: String
    /// Whether it stands for every host below as well.
    public let isWildcard: Bool
    /// The word after `?mode=`, such as `developer`.
    public let mode: String?
    /// The entry as it is written.
    public let text: String

    /// Whether the entry works only for apps that are signed for development.
    public var isForDevelopment: Bool { mode?.split(separator: "+").contains("developer") == true }

    /// Whether the entry names a host.
    ///
    /// - Parameter host: the host to look for.
    public func covers(_ host: String) -> Bool {
        let host = host.asciiLowercased
        return host == self.host || isWildcard && host.hasSuffix("." + self.host)
    }

    /// Reads an entry.
    init(_ text: String) throws(Problem) {
        self.text = text
        guard let colon = text.firstIndex(of: ":") else { throw Problem("it has no service, such as webcredentials:") }
        let name = String(text[..<colon])
        switch name {
        case "webcredentials": service = .webCredentials
        case "applinks": service = .appLinks
        case "activitycontinuation", "appclips": service = .other(name)
        case "http", "https": throw Problem("it is an address: write a service and a host, without a scheme")
        default:
            throw Problem("\"\(Shown.text(name))\" is no service; there are webcredentials and applinks for sign-ins")
        }
        var rest = text[text.index(after: colon)...]
        var mode: String?
        if let mark = rest.firstIndex(of: "?") {
            let query = rest[rest.index(after: mark)...]
            guard query.hasPrefix("mode="), query.count > 5 else {
                throw Problem("after the question mark there can only be a mode")
            }
            mode = String(query.dropFirst(5))
            rest = rest[..<mark]
        }
        self.mode = mode
        isWildcard = rest.hasPrefix("*.")
        let host = isWildcard ? rest.dropFirst(2) : rest
        guard !host.contains("/") else { throw Problem("it has a path or a scheme: only the host is written") }
        guard !host.contains("*") else { throw Problem("a wildcard can only be the first label, as in *.example.com") }
        guard let uri = URI("https://\(host)"), let name = uri.host, !uri.hasUserInformation else {
            throw Problem("\"\(Shown.text(String(host)))\" is no host")
        }
        self.host = name.asciiLowercased
    }

    /// What is wrong with an entry.
    struct Problem: Error {
        let words: String
        init(_ words: String) { self.words = words }
    }
}
