public import TernProtocol

/// A way of showing the sign-in page and catching the callback.
public protocol UserAgent: Sendable {
    /// Gets ready to receive at a redirect URI, before the authorization request is built: the loopback agent takes its
    /// port here.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `portInUse`, `unsupportedRedirect`.
    func prepare(for redirectURI: RedirectURI) async throws(TernError) -> any UserAgentVisit
}

/// One visit to the sign-in page.
public protocol UserAgentVisit: Sendable {
    /// The redirect URI at which this visit receives; the one to put into the request.
    var redirectURI: RedirectURI { get }

    /// How the callback reaches this visit, which decides what an answer without state is worth.
    var delivery: CallbackDelivery { get }

    /// Opens the page and waits for the callback. Addresses that `judge` does not accept do not end the visit.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `userCancelled`, `cancelled`, `browserUnavailable`.
    func open(_ page: URI, judge: @escaping CallbackJudge) async throws(TernError) -> URI

    /// Takes the page down and frees what was held. May be called at any moment and more than once.
    func dismiss() async

    /// What this visit knows about why no callback came, for the explanation of an error. Nothing, unless it says so.
    var evidence: Evidence { get }
}

extension UserAgentVisit {
    /// Nothing.
    public var evidence: Evidence { Evidence() }
}

/// Decides what an arriving address is to a sign-in.
public typealias CallbackJudge = @Sendable (URI) -> CallbackVerdict

/// What an arriving address is to a sign-in.
public enum CallbackVerdict: Sendable, Hashable {
    /// It is the answer of a sign-in, and it brings a code.
    case success
    /// It is the answer of a logout.
    case signedOut
    /// It is the answer, and it brings an error; the text is for the user's page.
    case failure(String)
    /// It came to the redirect and is not the answer of this sign-in; the sign-in goes on waiting.
    case refused(String)
    /// It is an address of somebody else's.
    case notMine
}
