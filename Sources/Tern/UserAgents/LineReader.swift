internal import TernCrypto

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Reads what a user types.
public protocol LineReader: Sendable {
    /// The next line without its end; `nil` at the end of the input and when the calling task is cancelled.
    func nextLine() async -> String?
}

/// Reads lines from standard input, waiting on a thread of its own. A line may have 64 KiB; a longer one is handed over
/// in pieces. Nothing beyond the line is taken from the input.
public struct StandardInputReader: LineReader {
    /// The longest line, in bytes.
    public static let maximumByteCount = 64 << 10

    private let descriptor: Int32

    /// Makes the reader; it has no state.
    public init() { self.init(descriptor: 0) }

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The next line of standard input.
    public func nextLine() async -> String? {
        guard let pipe = LoopbackSocket.wakePipe() else { return nil }
        let line = OneShot<String?>()
        let wake = Locked<Int32?>(pipe.write)
        let isRunning = DedicatedThread.start { [descriptor] in
            line.resolve(Self.read(descriptor, until: pipe.read))
            wake.withLock { wake in
                if let end = wake { LoopbackSocket.closeSocket(end) }
                wake = nil
            }
            LoopbackSocket.closeSocket(pipe.read)
        }
        guard isRunning else {
            LoopbackSocket.closeSocket(pipe.read)
            LoopbackSocket.closeSocket(pipe.write)
            return nil
        }
        let result = await line.value(whenCancelled: nil)
        wake.withLock { if let end = $0 { LoopbackSocket.signal(end) } }
        return result
    }

    private static func read(_ descriptor: Int32, until stop: Int32) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < maximumByteCount {
            var interests = [descriptor, stop].map {
                LoopbackSocket.Interest(descriptor: $0, reads: true, writes: false)
            }
            LoopbackSocket.wait(&interests, milliseconds: nil)
            if interests[1].isReady { return nil }
            guard interests[0].isReady else { continue }
            var byte: UInt8 = 0
            let count = systemRead(descriptor, &byte)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == 0x0A { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func systemRead(_ descriptor: Int32, _ byte: inout UInt8) -> Int {
        #if canImport(Darwin)
            Darwin.read(descriptor, &byte, 1)
        #elseif canImport(Musl)
            Musl.read(descriptor, &byte, 1)
        #else
            Glibc.read(descriptor, &byte, 1)
        #endif
    }
}
