internal import Dispatch
internal import TernCrypto
internal import TernProtocol

/// The keys that a passphrase gives. Each is derived once, since that takes a good part of a second on purpose, and on a
/// thread of its own.
final class PassphraseKeys: Sendable {
    private struct State {
        var keys: [KeySalt: SealingKey] = [:]
        /// What new records are sealed with.
        var current: SealingKey?
    }

    private let passphrase: Passphrase
    private let iterations: Int
    private let worker = DispatchQueue(label: "tern.passphrase")
    private let state = Locked(State())

    /// How many keys are remembered; a store has one, or a few where processes began at once.
    private static let maximumCount = 64

    init(_ passphrase: Passphrase, iterations: Int) {
        self.passphrase = passphrase
        self.iterations = iterations
    }

    /// What new records are sealed with, once it is known.
    var current: SealingKey? { state.withLock { $0.current } }

    /// The key for a salt.
    func key(for salt: KeySalt) async throws(TernError) -> SealingKey {
        if let key = state.withLock({ $0.keys[salt] }) { return key }
        return try await onWorker { () throws(TernError) in try self.derive(salt) }
    }

    /// Notes that a record was opened with a key: new records take it too, so that a store has few salts. One with fewer
    /// iterations than are wanted now is only for reading.
    func noteOpened(with key: SealingKey) {
        guard case .passphrase(let salt) = key.origin, salt.iterations >= iterations else { return }
        state.withLock { $0.current = $0.current ?? key }
    }

    /// The key for new records, with a new salt where there is none yet.
    func currentOrNew(_ random: any RandomSource) async throws(TernError) -> SealingKey {
        try await onWorker { () throws(TernError) in
            if let key = self.current { return key }
            let key = try self.derive(
                KeySalt(bytes: random.bytes(KeySalt.byteCount), iterations: self.iterations))
            self.noteOpened(with: key)
            return key
        }
    }

    private func derive(_ salt: KeySalt) throws(TernError) -> SealingKey {
        if let key = state.withLock({ $0.keys[salt] }) { return key }
        do throws(CryptoError) {
            let bytes = try PBKDF2.deriveKey(
                from: Array(passphrase.exposedText.utf8), salt: salt.bytes, iterations: salt.iterations,
                byteCount: AESGCMKey.byteCount)
            let key = try SealingKey(bytes, origin: .passphrase(salt))
            state.withLock { state in
                if state.keys.count >= Self.maximumCount { state.keys = [:] }
                state.keys[salt] = key
            }
            return key
        } catch {
            throw TernError(.storeUnavailable("deriving a key: \(error)"), at: .storage)
        }
    }

    private func onWorker(
        _ work: @escaping @Sendable () throws(TernError) -> SealingKey
    ) async throws(TernError) -> SealingKey {
        let result = await withCheckedContinuation { continuation in
            worker.async { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }
}
