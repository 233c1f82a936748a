import TernCrypto
import TernProtocol

@testable import Tern

/// A server that takes bodies in chunks, which the library's own listener refuses. It reads one request from each
/// connection and gives the answers in their order.
final class UploadServer: Sendable {
    let port: Int
    private let texts = Locked<[String]>([])

    init(_ heads: [String]) throws {
        let (listening, port) = try LoopbackSocket.listen(.ipv4, port: 0)
        self.port = port
        let texts = texts
        _ = DedicatedThread.start {
            for head in heads {
                guard let socket = Self.next(listening) else { break }
                let text = Self.read(socket)
                texts.withLock { $0.append(text) }
                let answer = Array("HTTP/1.1 \(head)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
                _ = answer.withUnsafeBytes { LoopbackSocket.send(socket, $0) }
                LoopbackSocket.endSending(socket)
                LoopbackSocket.closeSocket(socket)
            }
            LoopbackSocket.closeSocket(listening)
        }
    }

    var address: String { "http://127.0.0.1:\(port)/upload" }

    /// What arrived, octet for octet.
    var requests: [String] { texts.withLock { $0 } }

    private static func next(_ listening: Int32) -> Int32? {
        var interests = [LoopbackSocket.Interest(descriptor: listening, reads: true, writes: false)]
        LoopbackSocket.wait(&interests, milliseconds: 10_000)
        return try? LoopbackSocket.accept(listening).get()
    }

    private static func read(_ socket: Int32) -> String {
        var all = ""
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isWhole(all) {
            var interests = [LoopbackSocket.Interest(descriptor: socket, reads: true, writes: false)]
            LoopbackSocket.wait(&interests, milliseconds: 10_000)
            switch buffer.withUnsafeMutableBytes({ LoopbackSocket.receive(socket, into: $0) }) {
            case .bytes(let count): all += String(decoding: buffer[..<count], as: UTF8.self)
            case .nothingYet: if !interests[0].isReady { return all }
            case .ended: return all
            }
        }
        return all
    }

    private static func isWhole(_ text: String) -> Bool {
        guard let head = text.firstRange(of: "\r\n\r\n") else { return false }
        let isChunked = text[..<head.lowerBound].lowercased().contains("transfer-encoding: chunked")
        return !isChunked || text.hasSuffix("0\r\n\r\n")
    }
}
