#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A thread for work that waits in system calls, which must not be done on the threads that tasks share.
enum DedicatedThread {
    fileprivate final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread that ends when `run` returns.
    ///
    /// - Returns: whether the system had one to give.
    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        // Signals are for the program's own threads. SIGPIPE comes to the thread that writes: TLS libraries write
        // without MSG_NOSIGNAL, and a blocked SIGPIPE cannot end the program.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        let isStarted = create(Unmanaged.passRetained(Work(run)).toOpaque())
        pthread_sigmask(SIG_SETMASK, &before, nil)
        return isStarted
    }

    private static func create(_ work: UnsafeMutableRawPointer) -> Bool {
        #if canImport(Glibc)
            var thread = pthread_t()
            let status = pthread_create(&thread, nil, runDedicatedThread, work)
            if status == 0 { pthread_detach(thread) }
        #else
            var thread: pthread_t?
            let status = pthread_create(&thread, nil, runDedicatedThread, work)
            if status == 0, let thread { pthread_detach(thread) }
        #endif
        if status != 0 { Unmanaged<Work>.fromOpaque(work).release() }
        return status == 0
    }
}

#if canImport(Darwin)
    private func runDedicatedThread(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<DedicatedThread.Work>.fromOpaque(work).takeRetainedValue().run()
        return nil
    }
#else
    private func runDedicatedThread(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let work else { return nil }
        Unmanaged<DedicatedThread.Work>.fromOpaque(work).takeRetainedValue().run()
        return nil
    }
#endif
