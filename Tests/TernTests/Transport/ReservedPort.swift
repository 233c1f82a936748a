import Glibc
import Testing

/// A port at which nobody listens and which nobody else can take: a bound socket that does not listen.
final class ReservedPort: Sendable {
    let number: Int
    private let socket: Int32

    init() throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var count = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, count) | getsockname(socket, $0, &count)
            }
        }
        try #require(status == 0, "no port could be reserved")
        number = Int(UInt16(bigEndian: address.sin_port))
        self.socket = socket
    }

    deinit { close(socket) }
}
