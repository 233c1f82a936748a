import TernCrypto
import TernProtocol
import Testing

@testable import Tern

@Suite("Exclusive access inside a process")
struct AccessQueueTests {
    @Test("Waiters come in the order of their arrival")
    func order() async throws {
        let store = MemoryStore()
        let key = try StoreKey("k")
        let order = Locked<[Int]>([])
        let gate = Gate()
        let entered = Locked(false)
        let holder = Task {
            try await store.withExclusiveAccess(to: key) { () throws(TernError) in
                entered.withLock { $0 = true }
                await gate.wait()
            }
        }
        try await eventually { entered.withLock { $0 } }
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<20 {
            tasks.append(
                Task {
                    try await store.withExclusiveAccess(to: key) { () throws(TernError) in
                        order.withLock { $0.append(number) }
                    }
                })
            try await eventually { store.queue.waiterCount(key) == number + 1 }
        }
        for number in [0, 7, 19] { tasks[number].cancel() }
        try await eventually { store.queue.waiterCount(key) == 17 }
        await gate.open()
        try await holder.value
        for task in tasks { _ = try? await task.value }
        #expect(order.withLock { $0 } == (1..<19).filter { $0 != 7 })
        #expect(store.queue.waiterCount(key) == 0)
    }

    @Test("A task that is cancelled already does not get in, and leaves no trace")
    func cancelledBefore() async throws {
        let store = MemoryStore()
        let key = try StoreKey("k")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await store.withExclusiveAccess(to: key) { () throws(TernError) in
                Issue.record("it got in")
            }
        }
        await #expect(throws: TernError(.cancelled, at: .storage)) { try await task.value }
        #expect(try await store.withExclusiveAccess(to: key) { () throws(TernError) in 1 } == 1)
    }

    @Test("Cancelling at any moment neither hangs nor lets two in")
    func cancellationRaces() async throws {
        let store = MemoryStore()
        let key = try StoreKey("k")
        let inside = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2_000 {
                let task = Task {
                    _ = try await store.withExclusiveAccess(to: key) { () throws(TernError) in
                        let count = inside.withLock { count -> Int in
                            count += 1
                            return count
                        }
                        if count != 1 { Issue.record("\(count) are inside") }
                        await Task.yield()
                        inside.withLock { $0 -= 1 }
                    }
                }
                group.addTask {
                    if number.isMultiple(of: 3) { task.cancel() }
                    _ = try? await task.value
                }
            }
        }
        #expect(inside.withLock { $0 } == 0)
        #expect(store.queue.waiterCount(key) == 0)
    }
}
