#if os(Linux)
    import Foundation
    import Testing

    /// A file system of a few pages, mounted where nobody else sees it.
    struct TinyDisk {
        /// The way to it for every thread of this process.
        let path: String

        /// Mounts one in a namespace of a thread that stays for as long as the process; the others reach it by the open
        /// folder. `nil` where that is not permitted.
        init?(at folder: String, pages: Int) {
            let descriptor = Self.onThread { Self.mount(folder, "size=\(pages * 4)k,mode=700") }
            guard descriptor >= 0 else { return nil }
            path = "/proc/self/fd/\(descriptor)"
        }

        /// Whether this process may mount anything: tried out, in a thread whose namespace ends with it.
        static let isPermitted: Bool = {
            let folder = FileManager.default.temporaryDirectory.path
            let descriptor = onThread(staysAlive: false) { mount(folder, "size=4k") }
            if descriptor >= 0 { close(descriptor) }
            return descriptor >= 0
        }()

        private static func mount(_ folder: String, _ options: String) -> Int32 {
            // Private: what is mounted here must not show up in the namespace that this one is a copy of.
            guard leaveNamespace(), Glibc.mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0,
                Glibc.mount("tmpfs", folder, "tmpfs", 0, options) == 0
            else { return -1 }
            return open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }

        /// `unshare(CLONE_NEWNS)`, which the C library's module does not show to Swift.
        private static func leaveNamespace() -> Bool {
            typealias Unshare = @convention(c) (CInt) -> CInt
            guard let symbol = dlsym(nil, "unshare") else { return false }
            return unsafeBitCast(symbol, to: Unshare.self)(0x0002_0000) == 0
        }

        private static func onThread(staysAlive: Bool = true, _ body: @escaping @Sendable () -> Int32) -> Int32 {
            let done = DispatchSemaphore(value: 0)
            nonisolated(unsafe) var result: Int32 = -1
            Thread.detachNewThread {
                result = body()
                done.signal()
                while staysAlive { pause() }
            }
            done.wait()
            return result
        }

        /// Takes all the room there is.
        func fill() throws {
            let file = open(path + "/filling", O_WRONLY | O_CREAT, 0o600)
            try #require(file >= 0)
            defer { close(file) }
            let page = [UInt8](repeating: 1, count: 4_096)
            while write(file, page, page.count) > 0 {}
            try #require(errno == ENOSPC)
        }

        func free() { unlink(path + "/filling") }
    }
#endif
