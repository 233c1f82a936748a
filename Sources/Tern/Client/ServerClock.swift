internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// The server's time, as far as its answers tell.
///
/// A device's clock may be wrong, and may be put right, or wrong, at any moment. What a server says in the `Date` of a
/// token answer, which no cache can have kept, is taken for the truth until the next one says otherwise.
final class ServerClock: Sendable {
    /// Smaller differences are left alone: `Date` has whole seconds, and answers take their time. In seconds.
    static let tolerance = 60.0

    private let clock: any WallClock
    private let knownOffset = Locked<Double?>(nil)

    init(clock: any WallClock) { self.clock = clock }

    /// How far the server's clock is ahead of the device's, in seconds; zero where they agree.
    var offset: Double { knownOffset.withLock { $0 ?? 0 } }

    /// Whether the device's clock and the server's agree; `nil` as long as no server has told its time.
    var agrees: Bool? { knownOffset.withLock { $0.map { $0 == 0 } } }

    /// The time at the server.
    var now: NumericDate { NumericDate(clock.now.secondsSince1970 + offset) }

    /// Takes over the time of an answer that has just arrived.
    func note(_ serverTime: NumericDate?) {
        guard let serverTime else { return }
        let difference = serverTime.secondsSince1970 - clock.now.secondsSince1970
        knownOffset.withLock { $0 = abs(difference) > Self.tolerance ? difference : 0 }
    }

    /// Takes over the time of a refusal, where it is another one than was assumed.
    ///
    /// - Returns: whether that is so, and a request that was made with the time is worth another try.
    func corrects(_ response: HTTPResponse) -> Bool {
        guard let theirs = response.fields["Date"].flatMap({ HTTPDate($0)?.date }),
            abs(theirs.secondsSince1970 - now.secondsSince1970) > Self.tolerance
        else { return false }
        note(theirs)
        return true
    }

    /// Takes over what an earlier process knew, unless a server has answered in this one.
    func adopt(_ offset: Double) {
        knownOffset.withLock { known in if known == nil { known = offset } }
    }
}
