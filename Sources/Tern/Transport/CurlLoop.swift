#if TERN_CURL
    internal import CCurl
    internal import TernCrypto
    internal import TernProtocol

    /// The thread that drives every transfer of one transport, and the inbox through which it is spoken to.
    final class CurlLoop: Sendable {
        private struct Inbox {
            var submitted: [CurlTransfer] = []
            var cancelled: [CurlTransfer] = []
            var isAwake = false
            var isStopping = false
            /// libcurl's multi handle while the thread runs.
            var multi: Multi?
        }

        /// `curl_multi_wakeup` is the one function that other threads may call.
        private struct Multi: @unchecked Sendable {
            let handle: UnsafeMutableRawPointer
        }

        private let setup: CurlSetup
        private let counters: Locked<TransportCounters>
        private let inbox = Locked(Inbox())
        private var curl: CurlFunctions { setup.curl }

        private static let idleHandleLimit = 16
        private static let longestWait: Int32 = 60_000

        /// Starts the thread; `nil` when the system has none to give.
        init?(_ setup: CurlSetup, counters: Locked<TransportCounters>, whenEnded: (@Sendable () -> Void)?) {
            let curl = setup.curl
            self.setup = setup
            self.counters = counters
            guard let handle = curl.multi_init() else { return nil }
            curl.setMulti(handle, CURLMOPT_MAXCONNECTS, long: 32)
            let multi = Multi(handle: handle)
            inbox.withLock { $0.multi = multi }
            let isRunning = DedicatedThread.start { [self] in
                run(multi.handle)
                whenEnded?()
            }
            guard isRunning else {
                _ = curl.multi_cleanup(handle)
                return nil
            }
        }

        func submit(
            _ transfer: CurlTransfer, _ continuation: CheckedContinuation<Result<HTTPResponse, TernError>, Never>
        ) {
            let isTaken = inbox.withLock { inbox in
                guard !transfer.isCancelled else { return false }
                transfer.continuation = continuation
                transfer.isSubmitted = true
                inbox.submitted.append(transfer)
                wake(&inbox)
                return true
            }
            if !isTaken { continuation.resume(returning: .failure(TernError(.cancelled, at: transfer.step))) }
        }

        func cancel(_ transfer: CurlTransfer) {
            inbox.withLock { inbox in
                transfer.isCancelled = true
                // Not yet submitted, it will not be any more.
                guard transfer.isSubmitted else { return }
                inbox.cancelled.append(transfer)
                wake(&inbox)
            }
        }

        /// Ends the thread. Nothing is under way then: whoever sends holds the transport.
        func stop() {
            inbox.withLock { inbox in
                inbox.isStopping = true
                wake(&inbox)
            }
        }

        private func wake(_ inbox: inout Inbox) {
            guard !inbox.isAwake, let multi = inbox.multi else { return }
            inbox.isAwake = true
            _ = curl.multi_wakeup(multi.handle)
        }

        private func run(_ multi: UnsafeMutableRawPointer) {
            var active: [ObjectIdentifier: CurlTransfer] = [:]
            var idle: [UnsafeMutableRawPointer] = []
            func release(_ transfer: CurlTransfer) {
                guard let handle = transfer.handle else { return }
                transfer.handle = nil
                _ = curl.multi_remove_handle(multi, handle)
                // No handle keeps an address inside a transfer that is gone.
                curl.easy_reset(handle)
                if idle.count < Self.idleHandleLimit { idle.append(handle) } else { curl.easy_cleanup(handle) }
                active[ObjectIdentifier(transfer)] = nil
            }
            while true {
                let (submitted, cancelled, isStopping) = inbox.withLock { inbox in
                    defer {
                        inbox.submitted.removeAll(keepingCapacity: true)
                        inbox.cancelled.removeAll(keepingCapacity: true)
                        inbox.isAwake = false
                    }
                    return (inbox.submitted, inbox.cancelled, inbox.isStopping)
                }
                for transfer in submitted {
                    guard let handle = idle.popLast() ?? curl.easy_init() else {
                        transfer.fail(.network(.other("out of memory")))
                        continue
                    }
                    transfer.handle = handle
                    active[ObjectIdentifier(transfer)] = transfer
                    setup.apply(to: handle, transfer)
                    if curl.multi_add_handle(multi, handle) != CURLM_OK {
                        transfer.fail(.network(.other("out of memory")))
                        release(transfer)
                    }
                }
                for transfer in cancelled {
                    // The caller is told first: taking a transfer down may wait for the name resolver.
                    transfer.fail(.cancelled)
                    release(transfer)
                }
                var running: Int32 = 0
                _ = curl.multi_perform(multi, &running)
                while let transfer = nextFinished(multi) { release(transfer) }
                if isStopping, active.isEmpty { break }
                _ = curl.multi_poll(multi, nil, 0, Self.longestWait, nil)
            }
            inbox.withLock { $0.multi = nil }
            for handle in idle { curl.easy_cleanup(handle) }
            _ = curl.multi_cleanup(multi)
        }

        private func nextFinished(_ multi: UnsafeMutableRawPointer) -> CurlTransfer? {
            var remaining: Int32 = 0
            while let message = curl.multi_info_read(multi, &remaining) {
                guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
                var context: UnsafeMutableRawPointer?
                curl.get(handle, CURLINFO_PRIVATE, pointer: &context)
                guard let context else { continue }
                let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
                var connections = 0
                curl.get(handle, CURLINFO_NUM_CONNECTS, long: &connections)
                counters.withLock { counters in
                    counters.requests += 1
                    counters.connections += connections
                }
                transfer.complete(tern_curl_message_result(message))
                return transfer
            }
            return nil
        }
    }

    /// What a transport did so far.
    package struct TransportCounters: Sendable, Hashable {
        /// The requests that ended, well or not.
        package var requests = 0
        /// The connections that were opened for them.
        package var connections = 0
    }
#endif
