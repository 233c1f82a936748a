import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import Testing

@testable import Tern

@Suite("Keychain store")
struct KeychainStoreTests {
    private func store(
        _ keychain: FakeKeychain, accessGroup: String? = nil,
        _ accessibility: KeychainOptions.Accessibility = .afterFirstUnlock,
        control: KeychainOptions.AccessControl? = nil, isSynchronizable: Bool = false
    ) throws -> KeychainStore {
        try KeychainStore(
            KeychainOptions(
                service: "app", accessGroup: accessGroup, accessibility: accessibility, accessControl: control,
                isSynchronizable: isSynchronizable), items: keychain)
    }

    @Test("A saved item has the options' class, group and synchronisation")
    func attributes() async throws {
        let keychain = FakeKeychain()
        let store = try store(keychain, accessGroup: "team.shared", .whenUnlocked, isSynchronizable: true)
        try await store.save(StoredRecord("one"), for: StoreKey("ada"))
        let item = try #require(keychain.items.first)
        #expect(item.service == "app" && item.account == "ada" && item.group == "team.shared" && item.isSynchronizable)
        #expect(item.accessibility == .whenUnlocked && item.text == "one" && item.revision?.count == 16)
    }

    @Test("An item of the other synchronisation is read, and gone after the next save", arguments: [false, true])
    func twins(isSynchronizable: Bool) async throws {
        let keychain = FakeKeychain([.init(account: "ada", text: "old", isSynchronizable: !isSynchronizable)])
        let store = try store(keychain, isSynchronizable: isSynchronizable)
        let key = try StoreKey("ada")
        #expect(try await store.load(key)?.text == "old")
        try await store.save(StoredRecord("new"), for: key)
        #expect(keychain.items.map(\.text) == ["new"])
        #expect(keychain.items.map(\.isSynchronizable) == [isSynchronizable])
        #expect(!keychain.state.withLock { $0.wasEmptied })
    }

    @Test("A twin that cannot be deleted does not fail the save and is not read")
    func undeletableTwin() async throws {
        let keychain = FakeKeychain([.init(account: "ada", text: "old", isSynchronizable: true)])
        keychain.set { $0.refusals["delete"] = .notAvailable }
        let store = try store(keychain)
        let key = try StoreKey("ada")
        try await store.save(StoredRecord("new"), for: key)
        #expect(try await store.load(key)?.text == "new")
        try await store.delete(key)
        #expect(keychain.items.isEmpty)
    }

    @Test("Of two that add at once both succeed and one item remains")
    func raceOfAdditions() async throws {
        let keychain = FakeKeychain()
        keychain.set { $0.meddlers["add"] = { $0.append(.init(account: "ada", text: "theirs")) } }
        try await store(keychain).save(StoredRecord("ours"), for: StoreKey("ada"))
        #expect(keychain.items.map(\.text) == ["ours"])
        #expect(keychain.state.withLock { $0.calls } == ["update", "add", "update", "delete"])
    }

    @Test("A replacement loses against a write between its look and its change")
    func raceOfReplacement() async throws {
        let keychain = FakeKeychain()
        let store = try store(keychain)
        let key = try StoreKey("ada")
        try await store.save(StoredRecord("old"), for: key)
        keychain.set {
            $0.meddlers["update"] = { items in
                items[0].text = "theirs"
                items[0].revision = [1]
            }
        }
        #expect(try await store.replace(StoredRecord("old"), with: StoredRecord("ours"), for: key) == false)
        keychain.set { $0.meddlers["update"] = { $0.removeAll() } }
        #expect(try await store.replace(StoredRecord("theirs"), with: StoredRecord("ours"), for: key) == false)
        #expect(keychain.items.isEmpty, "a sign-out must stay one")
    }

    @Test("A replacement works on an item of another writer, and not on another record")
    func replacement() async throws {
        let keychain = FakeKeychain([.init(account: "ada", text: "old")])
        let store = try store(keychain)
        let key = try StoreKey("ada")
        #expect(try await store.replace(StoredRecord("else"), with: StoredRecord("new"), for: key) == false)
        #expect(try await store.replace(StoredRecord("old"), with: StoredRecord("new"), for: key))
        #expect(keychain.items.map(\.text) == ["new"])
        #expect(try await store.replace(StoredRecord("old"), with: StoredRecord("x"), for: StoreKey("bob")) == false)
    }

    @Test("A locked item that the system calls not found is unavailable, not empty")
    func lockedButNotFound() async throws {
        let keychain = FakeKeychain([.init(account: "ada", text: "old", accessibility: .whenUnlocked)])
        let store = try store(keychain)
        keychain.set { ($0.lock, $0.saysNotFoundWhenLocked) = (.locked, true) }
        let problem = await storeProblem { _ = try await store.load(StoreKey("ada")) }
        #expect(problem.contains("locked"))
        let saving = await storeProblem { try await store.save(StoredRecord("new"), for: StoreKey("ada")) }
        #expect(saving.hasPrefix("the keychain failed") || saving.contains("locked"))
        #expect(keychain.items.map(\.text) == ["old"])
        #expect(try await store.load(StoreKey("nobody")) == nil)
    }

    @Test("An access control asks on a read with its own words, and never for the list")
    func accessControl() async throws {
        let keychain = FakeKeychain()
        let control = try KeychainOptions.AccessControl(.biometryCurrentSet, prompt: "Unlock your account")
        let store = try store(keychain, .whenUnlockedThisDeviceOnly, control: control)
        let key = try StoreKey("ada")
        try await store.save(StoredRecord("one"), for: key)
        #expect(keychain.items.first?.accessControl == control)
        #expect(try await store.keys() == [key])
        #expect(keychain.state.withLock { $0.questions } == 0)
        #expect(try await store.load(key)?.text == "one")
        #expect(keychain.state.withLock { $0.questions } == 1)
        keychain.set { $0.userAnswer = .userCancelled }
        await #expect(throws: TernError(.userCancelled, at: .storage)) { try await store.load(key) }
        keychain.set { $0.userAnswer = .authenticationFailed }
        #expect(await storeProblem { _ = try await store.load(key) }.contains("not recognised"))
        #expect(keychain.items.map(\.text) == ["one"])
    }

    @Test("The list holds this service's records, each key once, and passes other names over")
    func list() async throws {
        let keychain = FakeKeychain([
            .init(account: "b", text: ""), .init(account: "a", text: ""),
            .init(account: "a", text: "", isSynchronizable: true), .init(account: "not a key", text: ""),
            .init(account: "c", text: "", service: "else"),
        ])
        #expect(try await store(keychain).keys().map(\.name) == ["a", "b"])
        #expect(keychain.state.withLock { $0.calls } == ["list"])
        keychain.set { $0.lock = .neverUnlocked }
        #expect(await storeProblem { _ = try await store(keychain).keys() }.contains("locked"))
    }

    @Test(
        "Every failure is typed and says what to do",
        arguments: [
            (-25308, "store_unavailable", "unlocked"), (-25291, "store_unavailable", "sign in"),
            (-25293, "store_unavailable", "again"), (-34018, "store_unavailable", "entitlement"),
            (-50, "store_unavailable", "options"), (-26275, "corrupted_record", "decode"),
            (-128, "user_cancelled", ""), (-4, "store_unavailable", "status -4"),
        ] as [(Int32, String, String)])
    func failures(status: Int32, code: String, advice: String) async throws {
        let keychain = FakeKeychain([.init(account: "ada", text: "old")])
        let store = try store(keychain)
        for call in ["copy", "update", "list", "delete"] {
            keychain.set { $0.refusals = [call: KeychainStatus(rawValue: status)] }
            let error = await #expect(throws: TernError.self) {
                switch call {
                case "copy": _ = try await store.load(StoreKey("ada"))
                case "update": try await store.save(StoredRecord("new"), for: StoreKey("ada"))
                case "list": _ = try await store.keys()
                default: try await store.delete(StoreKey("ada"))
                }
            }
            #expect(error?.code == code && error?.step == .storage)
            #expect(error.map { "\($0)".contains(advice) } == true)
        }
        #expect(keychain.items.map(\.text) == ["old"])
    }

    @Test("What cannot be kept together is refused")
    func options() throws {
        func field(_ make: () throws -> Void) -> String? {
            do { try make() } catch let error as TernError {
                if case .invalidConfiguration(let field, _) = error.reason { return field }
            } catch {}
            return nil
        }
        #expect(field { _ = try KeychainOptions(service: "") } == "service")
        #expect(field { _ = try KeychainOptions(service: "app", accessGroup: "") } == "access_group")
        #expect(field { _ = try KeychainOptions(service: "app", isSynchronizable: true) } == "synchronizable")
        #expect(
            field {
                let control = try KeychainOptions.AccessControl(.userPresence, prompt: "Unlock")
                _ = try KeychainOptions(
                    service: "app", accessibility: .whenUnlocked, accessControl: control, isSynchronizable: true)
            } == "synchronizable")
        #expect(field { _ = try KeychainOptions.AccessControl(.userPresence, prompt: "") } == "prompt")
    }
}
