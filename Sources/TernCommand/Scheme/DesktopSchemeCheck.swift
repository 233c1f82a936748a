internal import Tern

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The check of `tern doctor` whether a Linux desktop opens a redirect's scheme with something.
enum DesktopSchemeCheck {
    private static let name = "redirect_desktop_entry"

    /// Looks at what this user's desktop does with the scheme; nothing for other redirects and on other systems.
    ///
    /// - Parameters:
    ///   - redirect: the address as it was given.
    ///   - store: the folder of the accounts, where it is not the usual one.
    ///   - environment: the variables that say where the desktop's files are.
    static func findings(
        redirect: String, store: String? = nil, environment: (String) -> String? = Process.environment
    ) -> [Finding] {
        #if os(Linux)
            guard let redirect = try? RedirectURI(redirect), redirect.kind == .privateUseScheme else { return [] }
            let scheme = redirect.uri.normalizedScheme
            do throws(TernError) {
                let handler = try SchemeHandler(scheme: scheme, store: store, environment: environment)
                return [finding(scheme, handler, environment)]
            } catch {
                return [
                    Finding(
                        .unchecked, name, "Whether the desktop knows the scheme could not be looked at",
                        error.explanation.whatHappened)
                ]
            }
        #else
            return []
        #endif
    }

    private static func finding(
        _ scheme: String, _ handler: SchemeHandler, _ environment: (String) -> String?
    ) -> Finding {
        if handler.isInstalled {
            if let program = missingProgram(handler.entryPath) {
                return Finding(
                    .warning, name, "The program that the desktop opens the scheme with is not there",
                    "\(handler.entryPath) names \(program).", fix: "tern scheme install \(scheme)")
            }
            return Finding(.passed, name, "The desktop opens the scheme with tern", handler.entryPath)
        }
        let list = DefaultApplications(String(decoding: SmallFile.read(handler.listPath) ?? [], as: UTF8.self))
        let chosen = list.applications(for: handler.entry.mediaType)
        let isOwn = (try? DesktopEntry.checked(scheme)) != nil
        let fix =
            isOwn
            ? "for sign-ins with tern: tern scheme install \(scheme)"
            : "register an entry for it, or use a domain of yours in reverse order"
        guard let first = chosen.first else {
            return Finding(
                .warning, name, "No program of this desktop is registered for the scheme",
                "No default for \(handler.entry.mediaType) in \(handler.listPath).", fix: fix)
        }
        guard folders(environment).contains(where: { access("\($0)/applications/\(first)", R_OK) == 0 }) else {
            return Finding(
                .warning, name, "The program that is registered for the scheme is not there",
                "\(handler.listPath) names \(first).", fix: fix)
        }
        return Finding(.note, name, "The desktop opens the scheme with another program", first)
    }

    /// The program of an entry, where it is written as a plain path and cannot be run, as after a move.
    private static func missingProgram(_ path: String) -> String? {
        let text = String(decoding: SmallFile.read(path) ?? [], as: UTF8.self)
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Exec=/") }),
            let program = line.dropFirst(5).split(separator: " ").first.map(String.init), access(program, X_OK) != 0
        else { return nil }
        return program
    }

    /// Where desktop entries are: those of the user, and those of the system.
    private static func folders(_ environment: (String) -> String?) -> [String] {
        let home = environment("HOME").map { $0 + "/.local/share" }
        let user = environment("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
        let system = environment("XDG_DATA_DIRS").flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
        return (user.map { [$0] } ?? []) + system.split(separator: ":").map(String.init)
    }
}
