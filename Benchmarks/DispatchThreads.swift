internal import Dispatch

/// Runs the same work on several threads and waits for all of them.
enum DispatchThreads {
    static func run(_ count: Int, _ work: @escaping @Sendable () -> Void) {
        DispatchQueue.concurrentPerform(iterations: count) { _ in work() }
    }
}
