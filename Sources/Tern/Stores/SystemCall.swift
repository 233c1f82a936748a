internal import TernProtocol

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// An open file, closed at the end of its life.
struct FileDescriptor: ~Copyable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { _ = close(number) }
}

enum SystemCall {
    /// Repeats a call for as long as a signal interrupts it.
    ///
    /// - Returns: what the call returned, or minus the error number.
    static func retrying<Count: SignedInteger & FixedWidthInteger>(_ call: () -> Count) -> Count {
        while true {
            let result = call()
            if result >= 0 { return result }
            let number = errno
            if number != EINTR { return -Count(number) }
        }
    }

    /// What the system says about an error number.
    static func words(_ number: some FixedWidthInteger) -> String {
        strerror(Int32(truncatingIfNeeded: number)).map { String(cString: $0) } ?? "error \(number)"
    }

    /// Writes every byte.
    ///
    /// - Returns: 0, or the error number.
    static func writeAll(_ bytes: [UInt8], to file: borrowing FileDescriptor) -> Int32 {
        let number = file.number
        return bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
                let count = retrying { write(number, rest.baseAddress, rest.count) }
                if count < 0 { return Int32(truncatingIfNeeded: -count) }
                written += count
            }
            return 0
        }
    }

    /// Reads to the end of the file, or one byte more than the limit.
    ///
    /// - Returns: the bytes, or the error number.
    static func readAll(
        _ file: borrowing FileDescriptor, limit: Int, expecting size: Int
    ) -> (bytes: [UInt8], error: Int32) {
        let number = file.number
        var bytes: [UInt8] = []
        var room = min(limit, max(0, size)) + 1
        while bytes.count <= limit {
            var result = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
                result = retrying { read(number, buffer.baseAddress, buffer.count) }
                filled = max(0, result)
            }
            if result < 0 { return ([], Int32(truncatingIfNeeded: -result)) }
            if result == 0 { break }
            bytes += chunk
            room = max(1, min(limit + 1 - bytes.count, 65_536))
        }
        return (bytes, 0)
    }

    /// Has everything of a file on the disk.
    ///
    /// - Returns: 0, or the error number.
    static func synchronise(_ file: borrowing FileDescriptor) -> Int32 {
        let number = file.number
        #if canImport(Darwin)
            // fsync leaves the bytes in the drive's own cache there; not every file system knows the full one.
            if fcntl(number, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return -retrying { fsync(number) }
    }
}
