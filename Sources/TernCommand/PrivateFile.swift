internal import Tern

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A file that its owner alone may read.
enum PrivateFile {
    /// Reads a small file that nobody but its owner may read.
    ///
    /// - Parameter name: what an error calls the file.
    /// - Throws: `invalidConfiguration` when it cannot be read, or others may read it too.
    static func read(_ path: String, called name: String) throws(TernError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw problem(name, "it cannot be read: \(words(of: errno))") }
        defer { _ = close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw problem(name, "it cannot be read: \(words(of: errno))") }
        guard status.st_mode & 0o077 == 0 else {
            throw problem(name, "others than its owner can read or change it; `chmod 600` ends that")
        }
        guard let bytes = SmallFile.read(descriptor: descriptor) else {
            throw problem(name, "it cannot be read, or is larger than \(SmallFile.maximumByteCount) bytes")
        }
        return bytes
    }

    /// Writes a file that is not there yet: nothing is ever overwritten, and no link is followed.
    ///
    /// - Throws: `invalidConfiguration` with the path when it exists or cannot be written.
    static func create(_ path: String, _ bytes: [UInt8]) throws(TernError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw problem(path, errno == EEXIST ? "it exists, and a key is never overwritten" : words(of: errno))
        }
        var rest = bytes[...]
        var trouble: Int32 = 0
        while !rest.isEmpty, trouble == 0 {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { trouble = errno }
        }
        if trouble == 0, fsync(descriptor) != 0 { trouble = errno }
        if close(descriptor) != 0, trouble == 0 { trouble = errno }
        guard trouble == 0 else {
            unlink(path)
            throw problem(path, words(of: trouble))
        }
    }

    private static func words(of code: Int32) -> String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    private static func problem(_ path: String, _ problem: String) -> TernError {
        TernError(.invalidConfiguration(field: path, problem: problem), at: .configuration)
    }
}
