import TernCrypto
import TernJOSE
import TernProtocol

@testable import Tern

/// A keychain that behaves like the system's: an item is the same one by service, account, group and synchronisation;
/// classes and access controls are kept apart from that and decide who may read; a change is one step.
final class FakeKeychain: KeychainItems {
    enum Lock: Sendable { case open, locked, neverUnlocked }

    struct Item: Sendable, Equatable {
        var account: String
        var text: String
        var service = "app"
        var group = FakeKeychain.firstGroup
        var isSynchronizable = false
        var accessibility = KeychainOptions.Accessibility.afterFirstUnlockThisDeviceOnly
        var accessControl: KeychainOptions.AccessControl?
        var revision: [UInt8]?
        var modified = NumericDate(0)

        func isSameItem(as other: Item) -> Bool {
            (service, account, group) == (other.service, other.account, other.group)
                && isSynchronizable == other.isSynchronizable
        }
    }

    struct State: Sendable {
        var items: [Item] = []
        var lock = Lock.open
        /// Some systems say so of what they cannot decrypt.
        var saysNotFoundWhenLocked = false
        var userAnswer = KeychainStatus.success
        /// The answers of the next calls by name, in the place of doing anything.
        var refusals: [String: KeychainStatus] = [:]
        /// What another process does just before the next call by that name.
        var meddlers: [String: @Sendable (inout [Item]) -> Void] = [:]
        var now = NumericDate(1_000)
        var calls: [String] = []
        var questions = 0
        /// Whether there was a moment without any item after there had been one.
        var wasEmptied = false
    }

    static let firstGroup = "team.app"

    let state: Locked<State>

    init(_ items: [Item] = []) { state = Locked(State(items: items)) }

    var items: [Item] { state.withLock { $0.items } }

    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func add(_ item: KeychainQuery, _ values: KeychainValues) -> KeychainStatus {
        call("add") { state in
            guard let account = item.account, let isSynchronizable = item.isSynchronizable else { return .parameter }
            guard !isSynchronizable || !values.accessibility.isThisDeviceOnly else { return .parameter }
            var new = Item(account: account, text: "", service: item.service)
            new.group = item.accessGroup ?? Self.firstGroup
            new.isSynchronizable = isSynchronizable
            state.write(values, into: &new)
            guard !state.items.contains(where: { $0.isSameItem(as: new) }) else { return .duplicateItem }
            guard state.canDecrypt(new) else { return .interactionNotAllowed }
            state.items.append(new)
            return .success
        } refused: {
            $0
        }
    }

    func update(_ query: KeychainQuery, to values: KeychainValues) -> KeychainStatus {
        call("update") { state in
            let found = state.indices(query)
            guard !found.isEmpty else { return .itemNotFound }
            for index in found {
                let status = state.access(state.items[index], prompt: query.prompt)
                guard status == .success else { return status }
            }
            for index in found { state.write(values, into: &state.items[index]) }
            return .success
        } refused: {
            $0
        }
    }

    func copy(_ query: KeychainQuery) -> Result<KeychainItem, KeychainStatus> {
        call("copy") { state in
            guard let index = state.indices(query).first else { return .failure(.itemNotFound) }
            let item = state.items[index]
            let status = state.access(item, prompt: query.prompt)
            guard status == .success else { return .failure(status) }
            return .success(KeychainItem(record: StoredRecord(item.exposedBytes), revision: item.revision))
        } refused: {
            .failure($0)
        }
    }

    func delete(_ query: KeychainQuery) -> KeychainStatus {
        call("delete") { state in
            let found = state.indices(query)
            state.items = state.items.indices.filter { !found.contains($0) }.map { state.items[$0] }
            return found.isEmpty ? .itemNotFound : .success
        } refused: {
            $0
        }
    }

    func list(_ query: KeychainQuery) -> Result<[KeychainEntry], KeychainStatus> {
        call("list") { state in
            guard state.lock != .neverUnlocked || state.saysNotFoundWhenLocked else {
                return .failure(.interactionNotAllowed)
            }
            let found = state.indices(query).map { state.items[$0] }
            guard !found.isEmpty else { return .failure(.itemNotFound) }
            return .success(found.map { KeychainEntry(account: $0.account, modified: $0.modified) })
        } refused: {
            .failure($0)
        }
    }

    private func call<Answer: Sendable>(
        _ name: String, _ work: (inout State) -> Answer, refused: (KeychainStatus) -> Answer
    ) -> Answer {
        state.withLock { state in
            state.calls.append(name)
            if let refusal = state.refusals.removeValue(forKey: name) { return refused(refusal) }
            state.meddlers.removeValue(forKey: name)?(&state.items)
            let hadItems = !state.items.isEmpty
            let answer = work(&state)
            if hadItems, state.items.isEmpty { state.wasEmptied = true }
            return answer
        }
    }
}

extension FakeKeychain.Item {
    fileprivate var exposedBytes: [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
}

extension FakeKeychain.State {
    fileprivate func indices(_ query: KeychainQuery) -> [Int] {
        items.indices.filter { index in
            let item = items[index]
            return item.service == query.service && item.account == query.account ?? item.account
                && item.group == query.accessGroup ?? item.group
                && item.isSynchronizable == query.isSynchronizable ?? item.isSynchronizable
                && (query.revision == nil || query.revision == item.revision)
        }
    }

    fileprivate func canDecrypt(_ item: FakeKeychain.Item) -> Bool {
        switch lock {
        case .open: true
        case .locked: [.afterFirstUnlock, .afterFirstUnlockThisDeviceOnly].contains(item.accessibility)
        case .neverUnlocked: false
        }
    }

    fileprivate mutating func access(_ item: FakeKeychain.Item, prompt: String?) -> KeychainStatus {
        guard canDecrypt(item) else { return saysNotFoundWhenLocked ? .itemNotFound : .interactionNotAllowed }
        guard item.accessControl != nil else { return .success }
        guard prompt != nil else { return .interactionNotAllowed }
        questions += 1
        return userAnswer
    }

    fileprivate func write(_ values: KeychainValues, into item: inout FakeKeychain.Item) {
        // One scalar a byte, so that any record can be read in a failing test.
        item.text = String(String.UnicodeScalarView(values.record.exposedBytes.map { Unicode.Scalar($0) }))
        item.revision = values.revision
        item.accessibility = values.accessibility
        item.accessControl = values.accessControl
        item.modified = now
    }
}
