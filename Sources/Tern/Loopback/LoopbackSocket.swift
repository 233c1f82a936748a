#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A loopback address to listen at.
public enum LoopbackHost: String, Sendable, Hashable, CaseIterable {
    /// 127.0.0.1.
    case ipv4 = "127.0.0.1"
    /// ::1, written `[::1]` in addresses.
    case ipv6 = "[::1]"
}

/// The system calls of the listener, with the differences between systems. Sockets are plain numbers here; whoever
/// opens one closes it.
enum LoopbackSocket {
    enum OpenFailure: Error, Sendable, Hashable {
        /// Another program has the port.
        case portInUse
        /// The address does not exist on this machine.
        case noSuchAddress
        /// Anything else; the number of the error.
        case other(Int32)
    }

    #if canImport(Glibc)
        private static let streamType = Int32(SOCK_STREAM.rawValue)
    #else
        private static let streamType = Int32(SOCK_STREAM)
    #endif
    private static let backlog: Int32 = 128

    /// Opens a socket that listens, with port 0 at a free one.
    static func listen(_ host: LoopbackHost, port: Int) throws(OpenFailure) -> (socket: Int32, port: Int) {
        let family = host == .ipv4 ? AF_INET : AF_INET6
        let socket = openSocket(Int32(family))
        guard socket >= 0 else { throw errno == EAFNOSUPPORT ? .noSuchAddress : .other(errno) }
        set(socket, SOL_SOCKET, SO_REUSEADDR)
        if host == .ipv6 { set(socket, Int32(IPPROTO_IPV6), Int32(IPV6_V6ONLY)) }
        guard prepare(socket), bind(socket, host, port), systemListen(socket) == 0, let bound = self.port(of: socket)
        else {
            let code = errno
            closeSocket(socket)
            switch code {
            case EADDRINUSE: throw .portInUse
            case EADDRNOTAVAIL: throw .noSuchAddress
            default: throw .other(code)
            }
        }
        return (socket, bound)
    }

    /// The next connection; `nil` when none waits. The error tells when the system has no more to give.
    static func accept(_ socket: Int32) -> Result<Int32?, OpenFailure> {
        let connection = systemAccept(socket)
        guard connection >= 0 else {
            switch errno {
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .failure(.other(errno))
            default: return .success(nil)
            }
        }
        guard prepare(connection) else {
            closeSocket(connection)
            return .success(nil)
        }
        set(connection, Int32(IPPROTO_TCP), Int32(TCP_NODELAY))
        return .success(connection)
    }

    enum Received {
        case bytes(Int)
        case nothingYet
        case ended
    }

    static func receive(_ socket: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Received {
        let count = recv(socket, buffer.baseAddress, buffer.count, 0)
        if count > 0 { return .bytes(count) }
        return count < 0 && isPassing(errno) ? .nothingYet : .ended
    }

    /// Sends what fits; `nil` when the connection is gone.
    static func send(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int? {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        let count = systemSend(socket, bytes, flags)
        if count >= 0 { return count }
        return isPassing(errno) ? 0 : nil
    }

    /// Says that nothing more will be sent.
    static func endSending(_ socket: Int32) { shutdown(socket, Int32(SHUT_WR)) }

    /// Makes the close of a connection a reset (RFC 9293 §3.10.5).
    static func resetWhenClosed(_ socket: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }

    static func closeSocket(_ socket: Int32) { close(socket) }

    /// A pipe whose ends do not block; `nil` when the system has none to give.
    static func wakePipe() -> (read: Int32, write: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        guard prepare(ends[0], isSocket: false), prepare(ends[1], isSocket: false) else {
            ends.forEach { closeSocket($0) }
            return nil
        }
        return (ends[0], ends[1])
    }

    static func signal(_ pipe: Int32) {
        var byte: UInt8 = 1
        _ = write(pipe, &byte, 1)
    }

    static func drain(_ pipe: Int32) {
        var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        while read(pipe, &bytes, 32) == 32 {}
    }

    /// What is awaited of a descriptor, and what happened to it.
    struct Interest {
        let descriptor: Int32
        let reads: Bool
        let writes: Bool
        var isReady = false
    }

    /// Waits until something happens or the time is over; `nil` waits without end.
    static func wait(_ interests: inout [Interest], milliseconds: Int32?) {
        var polled = interests.map { interest in
            pollfd(
                fd: interest.descriptor,
                events: Int16((interest.reads ? POLLIN : 0) | (interest.writes ? POLLOUT : 0)), revents: 0)
        }
        guard poll(&polled, nfds_t(polled.count), milliseconds ?? -1) > 0 else { return }
        for index in polled.indices { interests[index].isReady = polled[index].revents != 0 }
    }

    /// Milliseconds of a clock that is never set.
    static var monotonicMilliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func isPassing(_ code: Int32) -> Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }

    private static func openSocket(_ family: Int32) -> Int32 { socket(family, streamType, 0) }

    private static func systemListen(_ socket: Int32) -> Int32 {
        #if canImport(Darwin)
            Darwin.listen(socket, backlog)
        #elseif canImport(Musl)
            Musl.listen(socket, backlog)
        #else
            Glibc.listen(socket, backlog)
        #endif
    }

    private static func systemAccept(_ socket: Int32) -> Int32 {
        #if canImport(Darwin)
            Darwin.accept(socket, nil, nil)
        #elseif canImport(Musl)
            Musl.accept(socket, nil, nil)
        #else
            Glibc.accept(socket, nil, nil)
        #endif
    }

    private static func systemSend(_ socket: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
        #if canImport(Darwin)
            Darwin.send(socket, bytes.baseAddress, bytes.count, flags)
        #elseif canImport(Musl)
            Musl.send(socket, bytes.baseAddress, bytes.count, flags)
        #else
            Glibc.send(socket, bytes.baseAddress, bytes.count, flags)
        #endif
    }

    private static func prepare(_ descriptor: Int32, isSocket: Bool = true) -> Bool {
        #if canImport(Darwin)
            if isSocket { set(descriptor, SOL_SOCKET, SO_NOSIGPIPE) }
        #endif
        let flags = fcntl(descriptor, F_GETFL)
        return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0
            && fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    }

    private static func set(_ socket: Int32, _ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        setsockopt(socket, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func bind(_ socket: Int32, _ host: LoopbackHost, _ port: Int) -> Bool {
        guard let port = UInt16(exactly: port) else {
            errno = EINVAL
            return false
        }
        switch host {
        case .ipv4:
            var address = sockaddr_in()
            #if canImport(Darwin)
                address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
            #endif
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return withBytes(of: &address) { systemBind(socket, $0, $1) == 0 }
        case .ipv6:
            var address = sockaddr_in6()
            #if canImport(Darwin)
                address.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
            #endif
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin6_addr) { $0[15] = 1 }
            return withBytes(of: &address) { systemBind(socket, $0, $1) == 0 }
        }
    }

    private static func systemBind(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
        #if canImport(Darwin)
            Darwin.bind(socket, address, length)
        #elseif canImport(Musl)
            Musl.bind(socket, address, length)
        #else
            Glibc.bind(socket, address, length)
        #endif
    }

    private static func withBytes<Address>(
        of address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) -> Bool {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    private static func port(of socket: Int32) -> Int? {
        var storage = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let status = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        // The port stands at the same place in both kinds of address.
        return status == 0 ? Int(UInt16(bigEndian: storage.sin6_port)) : nil
    }
}
