#if SecretService && os(Linux)
    internal import CSecret
    internal import TernProtocol

    /// What can be wrong with the Secret Service, and what to do about it. None of these says that there is no record.
    enum KeyringTrouble {
        static let noBus = unavailable(
            "there is no session bus (DBUS_SESSION_BUS_ADDRESS); start the program in a desktop session or with "
                + "dbus-run-session, or use another store")
        static let noService = unavailable(
            "nothing answers as org.freedesktop.secrets on the session bus; start a keyring such as gnome-keyring or "
                + "KWallet, or use another store")
        static let noKeyring = unavailable(
            "the Secret Service has no default keyring; make one, or unlock the login keyring: on a machine without a "
                + "desktop, gnome-keyring-daemon --unlock reads its password from standard input")
        static let locked = unavailable(
            "the keyring is locked; unlock it and try again: on a machine without a desktop, "
                + "gnome-keyring-daemon --unlock reads its password from standard input")

        static func overdue(_ limit: Duration) -> TernError {
            unavailable("the Secret Service did not answer within \(limit); look at the keyring's process")
        }

        static func failed(_ words: String?) -> TernError {
            unavailable("the Secret Service failed" + (words.map { ": \($0)" } ?? ""))
        }

        /// - Parameter trouble: what the failing step means, where the error is not one of those that say it themselves.
        static func failure(_ error: UnsafeMutablePointer<GError>, otherwise trouble: TernError?) -> TernError {
            func isBus(_ code: GDBusError) -> Bool {
                g_error_matches(error, g_dbus_error_quark(), gint(code.rawValue)) != 0
            }
            if isBus(G_DBUS_ERROR_SERVICE_UNKNOWN) || isBus(G_DBUS_ERROR_NAME_HAS_NO_OWNER) { return noService }
            if g_error_matches(error, secret_error_get_quark(), gint(SECRET_ERROR_IS_LOCKED.rawValue)) != 0 {
                return locked
            }
            if let trouble { return trouble }
            // Words of the service, which may be of any length.
            return failed(error.pointee.message.map { String(String(cString: $0).prefix(maximumWordCount)) })
        }

        /// In characters.
        private static let maximumWordCount = 200

        private static func unavailable(_ problem: String) -> TernError {
            TernError(.storeUnavailable(problem), at: .storage)
        }
    }
#endif
