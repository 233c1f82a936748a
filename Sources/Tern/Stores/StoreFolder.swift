internal import TernProtocol

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// What the file store does on the disk, in calls that block.
///
/// Every file is reached through the open folder, so that a folder put into its place meanwhile changes nothing between
/// the check and the use.
struct StoreFolder: Sendable {
    let path: String

    /// A temporary file is not looked at before this age, in seconds: its writer may be about to lock it.
    static let temporaryFileAge = 600

    /// The bytes of a record; `nil` when there is none.
    func read(_ name: String) throws(TernError) -> [UInt8]? {
        guard let folder = try open(creating: false) else { return nil }
        // Without O_NONBLOCK, opening a named pipe would wait for its writer.
        let opened = SystemCall.retrying {
            openat(folder.number, name + RecordFileName.recordSuffix, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        }
        if opened == -ENOENT { return nil }
        if opened == -ELOOP { throw unavailable("a record in \(path) is a symbolic link, which is not followed") }
        guard opened >= 0 else { throw failure("reading a record in \(path)", -opened) }
        let file = FileDescriptor(opened)
        let status = try status(of: file)
        guard status.st_mode & S_IFMT == S_IFREG else { throw unavailable("a record in \(path) is not a regular file") }
        try checkOwner(status, of: "a record in \(path)", fix: "chmod 600 \(quotedPath)/*")
        let limit = StoredRecord.maximumByteCount
        guard status.st_size <= limit else { throw tooLarge(limit) }
        let (bytes, error) = SystemCall.readAll(file, limit: limit, expecting: Int(status.st_size))
        guard error == 0 else { throw failure("reading a record in \(path)", error) }
        guard bytes.count <= limit else { throw tooLarge(limit) }
        return bytes
    }

    /// Whether the folder is there, and is this user's alone.
    func exists() throws(TernError) -> Bool { try open(creating: false) != nil }

    /// Runs `body` while no other process writes in the folder. The lock, on the folder itself, is held for the time of
    /// one write; a holder that was stopped in that moment is not waited for without end.
    func whileNobodyWrites<Result>(_ body: () throws(TernError) -> Result) throws(TernError) -> Result {
        let folder = try openOrCreate()
        for _ in 0..<Self.maximumWriteLockAttempts {
            // The lock goes with the descriptor, at the end of this function.
            let result = SystemCall.retrying { [number = folder.number] in flock(number, LOCK_EX | LOCK_NB) }
            if result == 0 { return try body() }
            guard result == -EWOULDBLOCK else { throw failure("locking \(path)", -result) }
            usleep(Self.writeLockPause)
        }
        throw unavailable("another process has kept \(path) locked for writing; look for one that is stopped")
    }

    /// In microseconds.
    private static let writeLockPause: UInt32 = 1_000
    /// About five seconds.
    private static let maximumWriteLockAttempts = 5_000

    /// Puts a record in the place of the old one: written beside it, forced to the disk, renamed over it.
    func replace(_ name: String, with bytes: [UInt8]) throws(TernError) {
        let folder = try openOrCreate()
        let random: UInt64 = .random(in: .min ... .max)
        let temporary = String(random, radix: 16) + RecordFileName.temporarySuffix
        let opened = SystemCall.retrying {
            openat(folder.number, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        guard opened >= 0 else { throw failure("writing in \(path)", -opened) }
        let file = FileDescriptor(opened)
        // The lock tells cleaners that the writer lives; where a file system has no locks, the age alone protects.
        _ = flock(file.number, LOCK_EX | LOCK_NB)
        var error = SystemCall.writeAll(bytes, to: file)
        if error == 0 { error = SystemCall.synchronise(file) }
        if error == 0 {
            error = -SystemCall.retrying {
                renameat(folder.number, temporary, folder.number, name + RecordFileName.recordSuffix)
            }
        }
        guard error == 0 else {
            unlinkat(folder.number, temporary, 0)
            throw failure("writing in \(path)", error)
        }
        try synchronise(folder)
    }

    /// Removes a record; one that is not there is no error.
    func remove(_ name: String) throws(TernError) {
        guard let folder = try open(creating: false) else { return }
        let result = SystemCall.retrying { unlinkat(folder.number, name + RecordFileName.recordSuffix, 0) }
        if result == -ENOENT { return }
        guard result == 0 else { throw failure("deleting a record in \(path)", -result) }
        try synchronise(folder)
    }

    /// The names of all records, without their suffix and in no order.
    func names() throws(TernError) -> [String] {
        guard let folder = try open(creating: false) else { return [] }
        return try files(in: folder, withSuffix: RecordFileName.recordSuffix).map {
            String($0.dropLast(RecordFileName.recordSuffix.count))
        }
    }

    /// Takes the lock of a record unless somebody has it. The lock file stays for ever: were it deleted, two could each
    /// hold the lock of a file by that name.
    func tryLock(_ name: String) throws(TernError) -> RecordLock? {
        let folder = try openOrCreate()
        let lockName = name + RecordFileName.lockSuffix
        let opened = SystemCall.retrying {
            openat(folder.number, lockName, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        }
        guard opened >= 0 else { throw failure("locking a record in \(path)", -opened) }
        let lock = RecordLock(opened)
        let result = SystemCall.retrying { flock(opened, LOCK_EX | LOCK_NB) }
        if result == -EWOULDBLOCK {
            lock.release()
            return nil
        }
        guard result == 0 else {
            lock.release()
            throw failure("locking a record in \(path)", -result)
        }
        // Somebody may have removed the whole folder; a lock that no one else can find is none.
        var locked = stat()
        var named = stat()
        guard fstat(opened, &locked) == 0, fstatat(folder.number, lockName, &named, AT_SYMLINK_NOFOLLOW) == 0,
            locked.st_ino == named.st_ino, locked.st_dev == named.st_dev
        else {
            lock.release()
            return nil
        }
        return lock
    }

    #if SQLite
        /// Which file stands under a name that is no record, after a check that it is this user's alone; `nil` when there
        /// is none and it is not to be made.
        ///
        /// The file is never opened here: closing a descriptor would free every lock that SQLite holds on the same file
        /// in this process (fcntl of POSIX.1-2017).
        func privateFile(_ name: String, creating: Bool) throws(TernError) -> FileIdentity? {
            guard let folder = try open(creating: creating) else { return nil }
            var status = stat()
            var result = SystemCall.retrying { fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) }
            if result == -ENOENT {
                guard creating else { return nil }
                try makeEmptyFile(name, in: folder)
                result = SystemCall.retrying { fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) }
            }
            guard result == 0 else { throw failure("opening \(path)/\(name)", -result) }
            guard status.st_mode & S_IFMT == S_IFREG else { throw unavailable("\(path)/\(name) is not a regular file") }
            try checkOwner(status, of: "\(path)/\(name)", fix: "chmod 600 \(quotedPath)/*")
            return FileIdentity(device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
        }

        /// Made under another name, closed, and only then given its own, for the reason above.
        private func makeEmptyFile(_ name: String, in folder: borrowing FileDescriptor) throws(TernError) {
            let temporary = String(UInt64.random(in: .min ... .max), radix: 16) + RecordFileName.temporarySuffix
            let number = folder.number
            let opened = SystemCall.retrying {
                openat(number, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }
            guard opened >= 0 else { throw failure("writing in \(path)", -opened) }
            close(opened)
            defer { unlinkat(number, temporary, 0) }
            let result = SystemCall.retrying { linkat(number, temporary, number, name, 0) }
            guard result == 0 || result == -EEXIST else { throw failure("writing in \(path)", -result) }
        }
    #endif

    /// Removes temporary files whose writer died: those of a certain age that nobody has locked.
    ///
    /// - Parameter now: seconds since 1970.
    func removeStaleTemporaryFiles(now: Int) throws(TernError) {
        guard let folder = try open(creating: false) else { return }
        for name in try files(in: folder, withSuffix: RecordFileName.temporarySuffix) {
            let opened = SystemCall.retrying {
                openat(folder.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            }
            guard opened >= 0 else { continue }
            let file = FileDescriptor(opened)
            var status = stat()
            guard fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                Int(status.modified) <= now - Self.temporaryFileAge, flock(file.number, LOCK_EX | LOCK_NB) == 0
            else { continue }
            unlinkat(folder.number, name, 0)
        }
    }
}

#if SQLite
    /// Which file it is, whatever its name.
    struct FileIdentity: Sendable, Equatable {
        let device: UInt64
        let number: UInt64
    }
#endif

/// The lock of one record. The system frees it when the process ends, however it ends.
struct RecordLock: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Frees the lock, once. Closing alone would not free it while a forked process holds the file too.
    func release() {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

extension StoreFolder {
    private func openOrCreate() throws(TernError) -> FileDescriptor {
        guard let folder = try open(creating: true) else { throw failure("opening \(path)", ENOENT) }
        return folder
    }

    private func open(creating: Bool) throws(TernError) -> FileDescriptor? {
        func attempt() -> Int32 { SystemCall.retrying { openFile(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) } }
        var opened = attempt()
        if opened == -ENOENT {
            guard creating else { return nil }
            try make(path)
            opened = attempt()
        }
        guard opened >= 0 else { throw failure("opening \(path)", -opened) }
        let folder = FileDescriptor(opened)
        try checkOwner(try status(of: folder), of: path, fix: "chmod 700 \(quotedPath)")
        return folder
    }

    private func make(_ path: String) throws(TernError) {
        func attempt() -> Int32 { SystemCall.retrying { mkdir(path, 0o700) } }
        var result = attempt()
        let parent = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        if result == -ENOENT, parent != path, parent != "/", parent != "." {
            try make(parent)
            result = attempt()
        }
        guard result == 0 || result == -EEXIST else { throw failure("making the folder \(self.path)", -result) }
        let opened = SystemCall.retrying { openFile(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard result == 0, opened >= 0 else { return }
        _ = SystemCall.synchronise(FileDescriptor(opened))
    }

    private func files(in folder: borrowing FileDescriptor, withSuffix suffix: String) throws(TernError) -> [String] {
        let opened = SystemCall.retrying { [number = folder.number] in
            openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard opened >= 0 else { throw failure("listing \(path)", -opened) }
        guard let listing = fdopendir(opened) else {
            let number = errno
            close(opened)
            throw failure("listing \(path)", number)
        }
        defer { closedir(listing) }
        var found: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(listing) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name.utf8.count > suffix.utf8.count, name.hasSuffix(suffix) { found.append(name) }
        }
        guard errno == 0 else { throw failure("listing \(path)", errno) }
        return found
    }

    private func status(of file: borrowing FileDescriptor) throws(TernError) -> stat {
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw failure("opening \(path)", errno) }
        return status
    }

    private func checkOwner(_ status: stat, of what: String, fix: String) throws(TernError) {
        guard status.st_uid == geteuid() else {
            throw unavailable(
                "\(what) belongs to another user; choose another folder, or have an administrator run: "
                    + "chown \(geteuid()) \(quotedPath) && \(fix)")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw unavailable("\(what) is open to other users of this machine; run: \(fix)")
        }
    }

    /// Some file systems cannot synchronise a folder; they say EINVAL and there is nothing to do about it.
    private func synchronise(_ folder: borrowing FileDescriptor) throws(TernError) {
        let error = SystemCall.synchronise(folder)
        guard error == 0 || error == EINVAL else { throw failure("writing in \(path)", error) }
    }

    private var quotedPath: String {
        let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-"
        guard path.utf8.contains(where: { !plain.utf8.contains($0) }) else { return path }
        return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private func failure(_ action: String, _ number: Int32) -> TernError {
        unavailable("\(action): \(SystemCall.words(number))")
    }

    private func unavailable(_ problem: String) -> TernError { TernError(.storeUnavailable(problem), at: .storage) }

    private func tooLarge(_ limit: Int) -> TernError {
        TernError(.corruptedRecord("it is larger than \(limit) bytes"), at: .storage)
    }
}

private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

extension stat {
    fileprivate var modified: time_t {
        #if canImport(Darwin)
            st_mtimespec.tv_sec
        #else
            st_mtim.tv_sec
        #endif
    }
}
