internal import TernProtocol

extension Session {
    /// Renews the tokens in the background from now on, shortly before they end, so that callers never wait for it. It
    /// stops with ``stopRenewingInBackground()``, when the session ends, and when nobody holds the session any more. The
    /// page is never shown.
    public func renewInBackground() {
        guard background == nil else { return }
        let clock = client.environment.clock
        background = Task { [weak self] in
            while let wait = await self?.renewAhead() {
                do { try await clock.sleep(for: wait) } catch { return }
            }
        }
    }

    /// Ends what ``renewInBackground()`` began.
    public func stopRenewingInBackground() {
        background?.cancel()
        background = nil
    }

    /// Timers stand still while a device sleeps, so the clock is looked at again after this time at the latest.
    private static let longestSleep = Duration.seconds(60)

    /// Renews the tokens if it is time.
    ///
    /// - Returns: how long to wait until the next look; `nil` when the session is over.
    private func renewAhead() async -> Duration? {
        if case .signedOut = state { return nil }
        guard case .signedIn(let credential) = state, credential.isRenewable else { return Self.longestSleep }
        if !client.isFresh(credential) {
            do throws(TernError) {
                _ = try await refreshed(insteadOf: credential)
            } catch {
                guard error.isPassing else { return Self.longestSleep }
                return client.configuration.retryPolicy.backOff(failures, random: client.environment.random)
            }
        }
        guard case .signedIn(let current) = state, let end = current.expiration, let lifetime = current.lifetime else {
            return Self.longestSleep
        }
        let window = min(client.configuration.refreshWindow, lifetime / 2)
        let left = end.secondsSince1970 - client.serverClock.now.secondsSince1970
        return min(max(.seconds(left) - window, .milliseconds(100)), Self.longestSleep)
    }
}
