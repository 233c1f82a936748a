internal import TernCrypto
internal import TernProtocol

/// The thread that serves every connection of a listener.
final class HTTPListenerLoop: Sendable {
    typealias Handler = @Sendable (HTTPRequest) async -> HTTPReply

    private struct Inbox {
        var answers: [(id: Int, reply: HTTPReply)] = []
        var isResetting = false
        var resetCount = 0
        var isStopping = false
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
        /// The write end of the pipe that wakes the thread, while it runs.
        var wake: Int32?
    }

    private let listening: [Int32]
    private let authorities: Set<String>
    private let handler: Handler
    private let inbox = Locked(Inbox())

    /// The most connections at a time.
    static let maximumConnectionCount = 64
    /// How long answers that are under way may take after a stop, in milliseconds.
    static let stopTime: Int64 = 1_000
    private static let pauseWithoutDescriptors: Int64 = 100

    /// Takes over sockets that listen; they are closed when the thread ends or cannot start.
    init(_ listening: [Int32], port: Int, handler: @escaping Handler) {
        self.listening = listening
        self.handler = handler
        let names = LoopbackHost.allCases.map(\.rawValue) + ["localhost"]
        authorities = Set(names.flatMap { port == 80 ? [$0, "\($0):80"] : ["\($0):\(port)"] })
    }

    /// Starts the thread.
    func start() -> Bool {
        guard let pipe = LoopbackSocket.wakePipe() else { return false }
        inbox.withLock { $0.wake = pipe.write }
        let isRunning = DedicatedThread.start { [self] in run(wake: pipe.read) }
        if !isRunning { end(wake: pipe.read) }
        return isRunning
    }

    /// Asks the thread to end.
    func stop() {
        inbox.withLock { inbox in
            inbox.isStopping = true
            if let wake = inbox.wake { LoopbackSocket.signal(wake) }
        }
    }

    /// Waits until the thread has ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = inbox.withLock { inbox in
                if !inbox.hasEnded { inbox.waiters.append(continuation) }
                return inbox.hasEnded
            }
            if isOver { continuation.resume() }
        }
    }

    private func end(wake: Int32) {
        let waiters = inbox.withLock { inbox in
            // Both ends under the lock: a signal into a pipe without a reader would end the program (SIGPIPE).
            LoopbackSocket.closeSocket(wake)
            if let write = inbox.wake { LoopbackSocket.closeSocket(write) }
            inbox.wake = nil
            inbox.hasEnded = true
            defer { inbox.waiters = [] }
            return inbox.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Whether connections are reset instead of being read.
    func setResetting(_ isResetting: Bool) { inbox.withLock { $0.isResetting = isResetting } }

    /// How many connections were reset instead of being read.
    var resetCount: Int { inbox.withLock { $0.resetCount } }

    /// Whether the connection at hand is to be reset; counts it.
    private func isReset() -> Bool {
        inbox.withLock { inbox in
            if inbox.isResetting { inbox.resetCount += 1 }
            return inbox.isResetting
        }
    }

    private func answer(_ reply: HTTPReply, to id: Int) {
        inbox.withLock { inbox in
            guard let wake = inbox.wake else { return }
            inbox.answers.append((id, reply))
            LoopbackSocket.signal(wake)
        }
    }

    private func run(wake: Int32) {
        var state = State()
        while true {
            let now = LoopbackSocket.monotonicMilliseconds
            let (answers, isStopping) = inbox.withLock { inbox in
                defer { inbox.answers.removeAll(keepingCapacity: true) }
                return (inbox.answers, inbox.isStopping)
            }
            for (id, reply) in answers {
                state.tasks[id] = nil
                state.connections[id]?.answer(reply, now: now)
                advance(id, &state, now)
            }
            if isStopping, state.stopEnd == nil {
                state.stopEnd = now + Self.stopTime
                listening.forEach { LoopbackSocket.closeSocket($0) }
                for id in Array(state.connections.keys) {
                    state.connections[id]?.stop(by: now + Self.stopTime)
                    advance(id, &state, now)
                }
            }
            expire(&state, now)
            if state.stopEnd != nil, state.connections.isEmpty { break }
            wait(&state, wake: wake, now)
        }
        state.tasks.values.forEach { $0.cancel() }
        end(wake: wake)
    }

    private struct State {
        var connections: [Int: HTTPConnection] = [:]
        var tasks: [Int: Task<Void, Never>] = [:]
        var nextID = 0
        var stopEnd: Int64?
        var acceptsFrom: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
    }

    private func wait(_ state: inout State, wake: Int32, _ now: Int64) {
        let accepts = state.stopEnd == nil && now >= state.acceptsFrom
        var interests = [LoopbackSocket.Interest(descriptor: wake, reads: true, writes: false)]
        if accepts {
            interests += listening.map { LoopbackSocket.Interest(descriptor: $0, reads: true, writes: false) }
        }
        let firstConnection = interests.count
        let ids = state.connections.filter { $0.value.awaitsBytes || $0.value.awaitsRoom }.map(\.key)
        for id in ids {
            guard let connection = state.connections[id] else { continue }
            interests.append(
                LoopbackSocket.Interest(
                    descriptor: connection.socket, reads: connection.awaitsBytes, writes: connection.awaitsRoom))
        }
        var deadline = state.connections.values.compactMap(\.deadline).min()
        if state.acceptsFrom > now { deadline = min(deadline ?? state.acceptsFrom, state.acceptsFrom) }
        let timeout = deadline.map { Int32(max(0, min($0 - now, 60_000))) }
        LoopbackSocket.wait(&interests, milliseconds: timeout)
        let later = LoopbackSocket.monotonicMilliseconds
        if interests[0].isReady { LoopbackSocket.drain(wake) }
        for (id, interest) in zip(ids, interests[firstConnection...]) where interest.isReady {
            if interest.reads { receive(id, &state, later) }
            advance(id, &state, later)
        }
        for interest in interests[1..<firstConnection] where interest.isReady {
            acceptAll(interest.descriptor, &state, later)
        }
    }

    private func acceptAll(_ socket: Int32, _ state: inout State, _ now: Int64) {
        while true {
            switch LoopbackSocket.accept(socket) {
            case .success(nil): return
            case .failure: return state.acceptsFrom = now + Self.pauseWithoutDescriptors
            case .success(let connection?):
                if state.connections.count >= Self.maximumConnectionCount { closeLongestIdle(&state) }
                guard state.connections.count < Self.maximumConnectionCount else {
                    LoopbackSocket.closeSocket(connection)
                    continue
                }
                state.connections[state.nextID] = HTTPConnection(connection, now: now)
                state.nextID += 1
            }
        }
    }

    private func closeLongestIdle(_ state: inout State) {
        let idle = state.connections.filter { $0.value.isIdle }
        guard let oldest = idle.min(by: { ($0.value.deadline ?? 0, $0.key) < ($1.value.deadline ?? 0, $1.key) }) else {
            return
        }
        close(oldest.key, &state)
    }

    private func receive(_ id: Int, _ state: inout State, _ now: Int64) {
        guard let connection = state.connections[id] else { return }
        if connection.phase == .reading, isReset() {
            state.connections[id]?.reset()
            return
        }
        let received = state.buffer.withUnsafeMutableBytes { LoopbackSocket.receive(connection.socket, into: $0) }
        switch received {
        case .bytes(let count): state.connections[id]?.feed(state.buffer[..<count], now: now)
        case .nothingYet: break
        case .ended: state.connections[id]?.peerEnded()
        }
    }

    /// Does for a connection what can be done without waiting: write, read the next request, hand it over.
    private func advance(_ id: Int, _ state: inout State, _ now: Int64) {
        while true {
            state.connections[id]?.write(now: now)
            if state.connections[id]?.phase == .closed { return close(id, &state) }
            guard state.connections[id]?.phase == .reading else { return }
            if let request = state.connections[id]?.nextRequest(authorities, now: now) {
                let handler = handler
                // Somebody waits at the other end, whatever else this process is busy with.
                state.tasks[id] = Task(priority: .high) { [weak self] in
                    let reply = await handler(request)
                    self?.answer(reply, to: id)
                }
                return
            }
            guard state.connections[id]?.phase == .writing else { return }
        }
    }

    private func expire(_ state: inout State, _ now: Int64) {
        for (id, connection) in state.connections {
            guard let deadline = connection.deadline, deadline <= now else { continue }
            if state.stopEnd.map({ $0 <= now }) == true {
                close(id, &state)
            } else {
                state.connections[id]?.timeOut(now: now)
                advance(id, &state, now)
            }
        }
    }

    private func close(_ id: Int, _ state: inout State) {
        if let connection = state.connections.removeValue(forKey: id) { LoopbackSocket.closeSocket(connection.socket) }
        state.tasks.removeValue(forKey: id)?.cancel()
    }
}
