internal import TernCrypto
public import TernProtocol

/// The one place to which an application hands every address that the system opens it with.
///
/// It knows the application's clients and what waits in this process, and finds the one that an address answers: a sign-in
/// or a logout shown by a ``HubUserAgent``, or a sign-in that an earlier process began and the store keeps. Addresses of
/// others use nothing up, and the answer says why none fits.
///
/// ```swift
/// switch await hub.handle(address) {
/// case .delivered: break                       // whoever waits for it goes on
/// case .finished(let session): show(session)   // an earlier process began it
/// case .failed(let error): show(error)
/// case .notMine: return false                  // somebody else's address
/// }
/// ```
public final class CallbackHub: Sendable {
    private struct Wait {
        let id: UInt64
        let judge: CallbackJudge
        let deliver: @Sendable (URI) -> Void
    }

    private struct State {
        var clients: [OAuthClient]
        var waits: [Wait] = []
        var lastID: UInt64 = 0
        /// The digests of the addresses that were taken last: systems report an address twice.
        var taken: [[UInt8]] = []
    }

    private let state: Locked<State>

    /// How many taken addresses are remembered.
    private static let memory = 64

    /// Makes a hub.
    ///
    /// - Parameter clients: the clients whose pending sign-ins it finishes.
    public init(_ clients: [OAuthClient] = []) { state = Locked(State(clients: clients)) }

    /// Adds a client whose pending sign-ins the hub finishes.
    public func add(_ client: OAuthClient) { state.withLock { $0.clients.append(client) } }

    /// Handles an address that the system opened the application with.
    ///
    /// - Parameter callback: the address, whosever it is.
    public func handle(_ callback: URI) async -> CallbackHandling {
        let digest = HashFunction.sha256.digest(Array(callback.text.utf8))
        let isFirst = state.withLock { state in
            guard !state.taken.contains(digest) else { return false }
            state.taken.append(digest)
            state.taken.removeFirst(max(0, state.taken.count - Self.memory))
            return true
        }
        guard isFirst else { return .notMine(.alreadyUsed) }
        let handling = await first(callback)
        switch handling {
        case .delivered, .finished: break
        // What used nothing up may come again.
        case .failed, .notMine: state.withLock { $0.taken.removeAll { $0 == digest } }
        }
        return handling
    }

    private func first(_ callback: URI) async -> CallbackHandling {
        let (waits, clients) = state.withLock { ($0.waits, $0.clients) }
        var stray = StrayCallback.foreignAddress
        for wait in waits {
            switch wait.judge(callback) {
            case .success, .signedOut, .failure:
                wait.deliver(callback)
                return .delivered
            case .refused: stray = callback.states.isEmpty ? .missingState : .unknownState
            case .notMine: break
            }
        }
        var trouble: TernError?
        for client in clients {
            do throws(TernError) {
                return await finish(try await client.pendingSignIn(for: callback), of: client, callback)
            } catch {
                // Another client may have another store, and know the address.
                guard case .strayCallback(let reason) = error.reason else {
                    trouble = trouble ?? error
                    continue
                }
                if reason.rank > stray.rank { stray = reason }
            }
        }
        if let trouble { return .failed(trouble) }
        return .notMine(stray)
    }

    private func finish(_ signIn: SignIn, of client: OAuthClient, _ callback: URI) async -> CallbackHandling {
        do throws(TernError) {
            return .finished(try await client.finish(signIn, answeredBy: callback))
        } catch {
            guard case .strayCallback(let reason) = error.reason else { return .failed(error) }
            return .notMine(reason)
        }
    }

    /// Lets a visit receive.
    ///
    /// - Returns: what ``leave(_:)`` wants.
    func enter(_ judge: @escaping CallbackJudge, deliver: @escaping @Sendable (URI) -> Void) -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            state.waits.append(Wait(id: state.lastID, judge: judge, deliver: deliver))
            return state.lastID
        }
    }

    func leave(_ id: UInt64) { state.withLock { $0.waits.removeAll { $0.id == id } } }
}

/// What became of an address that the system opened the application with.
public enum CallbackHandling: Sendable {
    /// A sign-in or a logout waited for it in this process and goes on.
    case delivered
    /// It finished a sign-in that an earlier process began; the session is stored already.
    case finished(Session)
    /// It answers such a sign-in, which failed, or the store could not be asked.
    case failed(TernError)
    /// It is somebody else's, or nothing waits for it; nothing was used up. The reason is for logs.
    case notMine(StrayCallback)
}

extension StrayCallback {
    /// How much a reason says when several clients have one.
    fileprivate var rank: Int {
        switch self {
        case .foreignAddress: 0
        case .nothingPending: 1
        case .missingState: 2
        case .unknownState: 3
        case .alreadyUsed: 4
        }
    }
}
