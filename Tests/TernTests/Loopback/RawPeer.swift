import TernProtocol

@testable import Tern

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A client that sends exactly the bytes it is given, on a thread of its own.
enum RawPeer {
    /// Connects, sends, and reads until the server closes or ten seconds are over.
    static func exchange(port: Int, _ text: String) async -> String {
        await exchange(port: port, bytes: Array(text.utf8))
    }

    static func exchange(port: Int, bytes: [UInt8]) async -> String {
        await onThread {
            guard let socket = connect(port) else { return "no connection" }
            defer { close(socket) }
            _ = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            return readToEnd(socket)
        }
    }

    /// Runs something that waits in system calls.
    static func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            _ = DedicatedThread.start { continuation.resume(returning: work()) }
        }
    }

    static func connect(_ port: Int) -> Int32? {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if status == 0 { return socket }
        close(socket)
        return nil
    }

    static func readToEnd(_ socket: Int32) -> String {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            received += buffer[..<count]
        }
        return String(decoding: received, as: UTF8.self)
    }
}

/// A server that plays a script: each element is what one connection does.
final class ScriptedServer: Sendable {
    enum Act: Sendable {
        /// Reads a request and sends the bytes.
        case answer(String)
        /// Reads a request and closes without a word.
        case hangUp
        /// Reads a request and waits until the client closes.
        case silence
    }

    let port: Int
    private let ended: OneShot<Int>

    /// - Parameter connections: for each connection what it does with one request after another; it is closed then.
    init(_ connections: [[Act]]) throws {
        let (listening, port) = try LoopbackSocket.listen(.ipv4, port: 0)
        self.port = port
        let ended = OneShot<Int>()
        self.ended = ended
        _ = DedicatedThread.start {
            var requests = 0
            for acts in connections {
                guard let socket = Self.next(listening) else { break }
                for act in acts {
                    guard Self.readRequest(socket) else { break }
                    requests += 1
                    switch act {
                    case .answer(let text):
                        let bytes = Array(text.utf8)
                        var sent = 0
                        while sent < bytes.count {
                            var interests = [LoopbackSocket.Interest(descriptor: socket, reads: false, writes: true)]
                            LoopbackSocket.wait(&interests, milliseconds: 10_000)
                            let count = bytes[sent...].withUnsafeBytes { LoopbackSocket.send(socket, $0) }
                            guard let count else { break }
                            sent += count
                        }
                    case .hangUp: break
                    case .silence: _ = Self.readRequest(socket)
                    }
                }
                LoopbackSocket.endSending(socket)
                LoopbackSocket.closeSocket(socket)
            }
            LoopbackSocket.closeSocket(listening)
            ended.resolve(requests)
        }
    }

    /// Waits for the end of the script: how many requests were read.
    func requestCount() async -> Int { await ended.value(whenCancelled: -1) }

    private static func next(_ listening: Int32) -> Int32? {
        var interests = [LoopbackSocket.Interest(descriptor: listening, reads: true, writes: false)]
        LoopbackSocket.wait(&interests, milliseconds: 10_000)
        return try? LoopbackSocket.accept(listening).get()
    }

    /// Reads a head and the body that it announces.
    private static func readRequest(_ socket: Int32) -> Bool {
        var reader = HTTPRequestReader()
        var head: HTTPRequestHead?
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if head == nil { head = try? reader.nextHead() }
            if let head, reader.body(head.contentLength) != nil { return true }
            var interests = [LoopbackSocket.Interest(descriptor: socket, reads: true, writes: false)]
            LoopbackSocket.wait(&interests, milliseconds: 10_000)
            switch buffer.withUnsafeMutableBytes({ LoopbackSocket.receive(socket, into: $0) }) {
            case .bytes(let count): reader.feed(buffer[..<count])
            case .nothingYet: if !interests[0].isReady { return false }
            case .ended: return false
            }
        }
    }
}
