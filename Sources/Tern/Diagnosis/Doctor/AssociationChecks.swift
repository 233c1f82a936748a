public import TernProtocol

/// The association file of a host, or what came in its place.
public enum AssociationDocument: Sendable, Hashable {
    /// The bytes of a file that is not served yet.
    case file([UInt8])
    /// What a server answered, without redirects being followed, and the address that was asked.
    case response(HTTPResponse, URI)
    /// Why no answer came, and the address that was asked.
    case unreachable(TernError, URI)
}

/// The checks of `tern doctor` about the association file of an https redirect.
public enum AssociationChecks {
    /// Looks at an association file: whether it is served as Apple's systems want it, and names the app and the redirect.
    ///
    /// - Parameters:
    ///   - document: the file.
    ///   - redirect: the https redirect whose host it belongs to.
    ///   - app: the app that receives the redirect; without it no app identifier can be compared.
    public static func findings(_ document: AssociationDocument, redirect: URI, app: AppleApp?) -> [Finding] { [] }
}
