internal import Tern
internal import TernCrypto

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The terminal: results go to standard output, everything else to standard error.
struct Console: Sendable {
    let isJSON: Bool
    private let colorsErrors: Bool
    private let colorsOutput: Bool
    private let lost = Locked(false)

    /// Whether something that belonged on standard output could not be written there, except that the reader has left.
    var hasLostOutput: Bool { lost.withLock { $0 } }

    init(isJSON: Bool) {
        self.isJSON = isJSON
        let isAllowed = (Process.environment("NO_COLOR") ?? "").isEmpty && Process.environment("TERM") != "dumb"
        colorsErrors = isAllowed && isatty(2) == 1
        colorsOutput = isAllowed && isatty(1) == 1
    }

    enum Style: String { case strong = "1", good = "32", bad = "31", faint = "2" }

    /// The text in a style, where standard output shows styles.
    func styled(_ text: String, _ style: Style) -> String {
        colorsOutput ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// A line on standard output.
    func print(_ line: String) { output(Array((line + "\n").utf8)) }

    /// Bytes on standard output as they are.
    func output(_ bytes: [UInt8]) {
        let error = Self.write(bytes, to: 1)
        if error != 0, error != EPIPE { lost.withLock { $0 = true } }
    }

    /// A text of the server's for a person: without the characters that steer a terminal or begin a line of their own.
    static func plain(_ text: String) -> String {
        let steering: [Unicode.GeneralCategory] = [.control, .format, .lineSeparator, .paragraphSeparator]
        guard text.unicodeScalars.contains(where: { steering.contains($0.properties.generalCategory) }) else {
            return text
        }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { steering.contains($0.properties.generalCategory) ? "\u{FFFD}" : $0 }))
    }

    /// A JSON value as one line on standard output.
    func print(_ json: JSONObject) { print(JSON.object(json).text) }

    /// A line on standard error, for people who watch.
    func note(_ line: String) { _ = Self.write(Array((line + "\n").utf8), to: 2) }

    /// A line that only people at a terminal see: in a script it would be noise.
    func remark(_ line: String) {
        if !isJSON, isatty(2) == 1 { note(line) }
    }

    /// Whether nobody reads standard output any more.
    var readerHasLeft: Bool {
        var interest = pollfd(fd: 1, events: 0, revents: 0)
        return poll(&interest, 1, 0) > 0 && interest.revents & Int16(POLLERR | POLLHUP) != 0
    }

    /// A failure on standard error.
    func fail(_ error: TernError) {
        let explanation = error.explanation
        guard !isJSON else { return note(JSON.object(["error": .object(Self.json(of: error))]).text) }
        note("\(mark) \(Self.plain(explanation.whatHappened))")
        note("  while \(error.step.phrase) [\(error.code)]")
        for line in explanation.comparisons.flatMap(\.lines) { note("  \(Self.plain(line))") }
        for (index, cause) in explanation.causes.enumerated() {
            note("  \(index == 0 ? "likely causes: " : "               ")\(cause.text)")
            for line in cause.whatToDo { note("                 - \(line)") }
        }
        if explanation.causes.allSatisfy(\.whatToDo.isEmpty) {
            for line in explanation.whatToDo { note("  to do: \(line)") }
        }
    }

    private static func json(of error: TernError) -> JSONObject {
        let explanation = error.explanation
        var json: JSONObject = [
            "code": .string(error.code), "step": .string(error.step.rawValue),
            "message": .string(explanation.whatHappened),
        ]
        if !explanation.causes.isEmpty {
            json["likely_causes"] = .array(explanation.likelyCauses.map(JSON.string))
            json["causes"] = .array(
                explanation.causes.map { .object($0.json) })
        }
        if !explanation.whatToDo.isEmpty { json["what_to_do"] = .array(explanation.whatToDo.map(JSON.string)) }
        if !explanation.comparisons.isEmpty {
            json["comparisons"] = .array(explanation.comparisons.map { .object($0.json) })
        }
        return json
    }

    /// A call that cannot be understood, on standard error.
    func fail(_ error: UsageError, of command: String?) {
        guard !isJSON else {
            return note(JSON.object(["error": ["code": "usage", "message": .string(error.message)]]).text)
        }
        let known = Main.commands.contains { $0.specification.name == command }
        note("\(mark) \(error.message)")
        note("  `tern \(known ? (command ?? "") + " " : "")--help` says what can be said.")
    }

    private var mark: String { colorsErrors ? "\u{1B}[31mtern:\u{1B}[0m" : "tern:" }

    /// Writes all bytes, and waits where the descriptor is one that does not.
    ///
    /// - Returns: 0, or the error number.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                var interest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&interest, 1, -1)
                continue
            }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// The process and its surroundings.
enum Process {
    /// A variable of the environment.
    static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Ends the process at once. Nothing is buffered that would be lost, and threads that still fetch something must not
    /// see the libraries under them taken apart, as exit() would do.
    static func exit(_ status: ExitStatus) -> Never { systemExit(status.rawValue) }

    /// Everything on standard input, or one byte more than the limit.
    static func standardInput(limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            let count = read(0, &buffer, min(buffer.count, limit + 1 - bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes.append(contentsOf: buffer[..<count])
        }
        return bytes
    }

    /// Occupies the numbers of standard streams that the caller has closed. Otherwise the next file or connection gets
    /// such a number, and what is meant for people, tokens included, is written there. What stands in for an output can
    /// only be read, so that it is noticed that nothing could be written.
    static func holdStandardStreams() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}

private func systemExit(_ status: Int32) -> Never { _exit(status) }

/// How the command ends.
enum ExitStatus: Int32, Sendable {
    /// Everything was done.
    case success = 0
    /// The server or a check refused.
    case refused = 1
    /// The call was wrong, or the configuration.
    case usage = 2
    /// Nobody is signed in, or only a new sign-in helps.
    case signInNeeded = 3
    /// The network or the server has passing trouble.
    case unavailable = 4
    /// The store cannot be used.
    case store = 5
    /// Cancelled by the user.
    case cancelled = 130

    init(_ error: TernError) {
        switch error.reason {
        case .reported(let failure): self.init(code: failure.code)
        case .invalidConfiguration, .profileViolated, .insecureEndpoint, .unsupportedRedirect: self = .usage
        case .signedOut, .reauthenticationRequired, .interactionForbidden: self = .signInNeeded
        case .network, .transient, .outcomeUnknown: self = .unavailable
        case .storeUnavailable, .corruptedRecord, .newerRecord, .unknownRecordKey, .recordNotEncrypted: self = .store
        case .userCancelled, .cancelled: self = .cancelled
        default: self = .refused
        }
    }

    /// The status for what another process failed with.
    private init(code: String) {
        switch code {
        case "invalid_configuration", "insecure_endpoint": self = .usage
        case "network", "transient", "outcome_unknown": self = .unavailable
        case "store_unavailable", "corrupted_record": self = .store
        case "cancelled", "user_cancelled": self = .cancelled
        default: self = .refused
        }
    }
}
