public import TernProtocol

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

extension FileStore {
    /// The folder in which an application keeps its credentials when nobody says otherwise: on Linux
    /// `$XDG_STATE_HOME/NAME` or `~/.local/state/NAME` (XDG Base Directory Specification 0.8), on Apple's systems
    /// `~/Library/Application Support/NAME`.
    ///
    /// - Parameter application: the application's name or bundle identifier, one path segment.
    /// - Throws: ``/TernProtocol/TernError`` with the field `application` when that is not a path segment, and
    ///   ``/TernProtocol/TernError/Reason/storeUnavailable(_:)`` when the environment names no home.
    public static func defaultFolder(application: String) throws(TernError) -> String {
        try defaultFolder(application: application) { name in getenv(name).map { String(cString: $0) } }
    }

    static func defaultFolder(
        application: String, environment: (String) -> String?
    ) throws(TernError) -> String {
        let isSegment = !application.isEmpty && !application.hasPrefix(".") && application.utf8.count <= 255
        guard isSegment, !application.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") }) else {
            throw TernError(
                .invalidConfiguration(
                    field: "application", problem: "it must be one path segment that does not begin with a dot"),
                at: .storage)
        }
        // A relative path in these variables is to be ignored.
        func absolute(_ name: String) -> String? {
            environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        #if !canImport(Darwin)
            if let state = absolute("XDG_STATE_HOME") { return "\(state)/\(application)" }
            let middle = ".local/state"
        #else
            let middle = "Library/Application Support"
        #endif
        guard let home = absolute("HOME") else {
            throw TernError(
                .storeUnavailable("the environment variable HOME is not set; set it or name a folder"), at: .storage)
        }
        return "\(home)/\(middle)/\(application)"
    }
}
