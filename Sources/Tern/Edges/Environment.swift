public import TernCrypto
public import TernProtocol

/// The edges of the world that a client works with; tests put in others.
public struct Environment: Sendable {
    /// The way to the network.
    public var transport: any HTTPTransport
    /// Where credentials are kept.
    public var store: any CredentialStore
    /// The time.
    public var clock: any WallClock
    /// Where random bytes come from.
    public var random: any RandomSource
    /// Where events go; `nil` for nowhere. See ``EventLog`` and ``TraceRecorder``.
    public var events: (any EventSink)?
    /// What the process's surroundings tell about why a page is not reached.
    package var surroundings = Surroundings.clues

    /// Makes an environment.
    public init(
        transport: any HTTPTransport, store: any CredentialStore, clock: any WallClock = SystemWallClock(),
        random: any RandomSource = SystemRandomSource()
    ) {
        self.transport = transport
        self.store = store
        self.clock = clock
        self.random = random
    }

    /// The platform's transport, and a file store in the usual place for an application's state.
    ///
    /// - Parameter application: the name of the application's folder, one path segment.
    /// - Throws: what ``FileStore/defaultFolder(application:)`` throws. Whether the folder can be used shows at the first
    ///   load or save.
    public static func standard(application: String) throws(TernError) -> Environment {
        Environment(
            transport: SystemTransport(),
            store: try FileStore(folder: FileStore.defaultFolder(application: application)))
    }
}
