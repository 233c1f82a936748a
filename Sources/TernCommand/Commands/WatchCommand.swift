internal import Dispatch
internal import Tern

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// `tern watch`: says what happens to the accounts.
struct WatchCommand: Command {
    static let specification = CommandSpecification(
        "watch", "print what happens to the accounts, until Ctrl-C",
        discussion: """
            One line an event, printed at once: signed_in, refreshed, sign_in_needed, signed_out, whichever process was the
            cause. The store is looked at every second, and at once on SIGHUP.
            """,
        options: [
            OptionSpecification("--account", value: "NAME", "only this account, by name or label"),
            OptionSpecification("--renew", "keep the tokens fresh meanwhile"),
            OptionSpecification("--interval", value: "SECONDS", "how often the store is looked at; 1 by default"),
        ],
        examples: [("tern watch --renew --json", "renew in the background, and tell a program")])

    private let account: String?
    private let renews: Bool
    private let interval: Int

    init(_ arguments: Arguments) throws(UsageError) {
        account = arguments.value("--account")
        renews = arguments.has("--renew")
        interval = try arguments.number("--interval", in: 1...3_600) ?? 1
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let (accounts, console) = (try context.accounts(), context.console)
        var only: StoreKey?
        if let account { only = try await accounts.chosen(account, console) }
        let clock = SystemWallClock()
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        tick.yield()
        let timer = Task { [interval] in
            while (try? await clock.sleep(for: .seconds(interval))) != nil { tick.yield() }
        }
        signal(SIGHUP, SIG_IGN)
        let hangUp = DispatchSource.makeSignalSource(signal: SIGHUP)
        hangUp.setEventHandler { tick.yield() }
        hangUp.resume()
        defer {
            timer.cancel()
            hangUp.cancel()
        }
        var look = StoreLook(only: only)
        var sessions: [StoreKey: Session] = [:]
        var isFirst = true
        var trouble: String?
        for await _ in ticks {
            do throws(TernError) {
                let changes = try await look.changes(in: accounts.credentials, at: clock.now, isFirst: isFirst)
                for change in changes {
                    if change.event != .refreshed { sessions[change.account] = nil }
                    tell(change, at: clock.now, console)
                }
                if isFirst { console.remark("Watching \(look.accounts.count) accounts. Ctrl-C ends it.") }
                (isFirst, trouble) = (false, nil)
            } catch {
                guard !isFirst else { throw error }
                // It may pass; it is told once.
                if trouble != error.code { console.fail(error) }
                trouble = error.code
            }
            if renews { await keepFresh(look.accounts, &sessions, context, accounts) }
            if console.readerHasLeft { return .success }
        }
        return .cancelled
    }

    private func keepFresh(
        _ names: [StoreKey], _ sessions: inout [StoreKey: Session], _ context: CommandContext, _ accounts: Accounts
    ) async {
        for name in names where sessions[name] == nil {
            guard let session = try? await context.session(of: name, accounts) else { continue }
            await session.renewInBackground()
            sessions[name] = session
        }
    }

    private func tell(_ change: StoreLook.Change, at now: NumericDate, _ console: Console) {
        guard console.isJSON else {
            return console.print("\(now)  \(change.account)  \(change.event.rawValue)")
        }
        var object: JSONObject = [
            "time": .string(now.description), "account": .string(change.account.name),
            "event": .string(change.event.rawValue),
        ]
        object["expires_at"] = change.expiration.map { .string($0.description) }
        console.print(object)
    }
}
