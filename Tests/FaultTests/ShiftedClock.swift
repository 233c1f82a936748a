import Tern
import TernCrypto
import TernJOSE

/// The system's clock, some seconds ahead: the same for several processes, and moved without anybody waiting.
final class ShiftedClock: WallClock {
    private let offset: Locked<Int>
    private let system = SystemWallClock()

    init(ahead seconds: Int = 0) { offset = Locked(seconds) }

    var now: NumericDate { system.now + .seconds(offset.withLock { $0 }) }

    func sleep(for duration: Duration) async throws { try await system.sleep(for: duration) }

    /// How far a time lies ahead of the system's clock, in whole seconds.
    static func ahead(of time: NumericDate) -> Int {
        Int((time.secondsSince1970 - SystemWallClock().now.secondsSince1970).rounded())
    }

    func moveAhead(by seconds: Int) { offset.withLock { $0 += seconds } }
}
