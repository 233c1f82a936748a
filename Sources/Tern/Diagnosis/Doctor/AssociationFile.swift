public import TernProtocol

/// The file with which a host names the apps that may act for it (`apple-app-site-association`).
public struct AssociationFile: Sendable, Hashable {
    /// The largest file that Apple's systems take, in bytes.
    public static let maximumByteCount = 128 << 10

    /// Where the file of a host is asked for; `nil` when the text is no host.
    ///
    /// - Parameter host: the host, without scheme and port.
    public static func address(host: String) -> URI? { URI("https://\(host)/.well-known/apple-app-site-association") }
}
