internal import Tern

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Makes this program the one that a Linux desktop opens the addresses of a scheme with.
struct SchemeHandler {
    let entry: DesktopEntry
    /// Where desktop entries of this user are (XDG Base Directory Specification 0.8).
    private let applications: String
    private let list: String

    /// What a change did.
    struct Report {
        var wroteEntry = false
        var wroteList = false
        var didSomething: Bool { wroteEntry || wroteList }
    }

    var entryPath: String { applications + "/" + entry.fileName }

    var listPath: String { list }

    /// - Parameters:
    ///   - scheme: a scheme that was checked.
    ///   - store: the folder of the accounts, where it is not the usual one.
    init(scheme: String, store: String?, environment: (String) -> String? = Process.environment) throws(TernError) {
        func folder(_ variable: String, _ usual: String) throws(TernError) -> String {
            // A relative path in these variables is to be ignored.
            if let path = environment(variable), path.hasPrefix("/") { return path }
            guard let home = environment("HOME"), home.hasPrefix("/") else {
                throw Self.problem("the environment variable HOME is not set")
            }
            return home + "/" + usual
        }
        applications = try folder("XDG_DATA_HOME", ".local/share") + "/applications"
        list = try folder("XDG_CONFIG_HOME", ".config") + "/mimeapps.list"
        guard let program = Self.resolved("/proc/self/exe") else {
            throw Self.problem("the path of this program is not known")
        }
        let storeWords = try store.map { (path) throws(TernError) in ["--store", try Self.absolute(path)] } ?? []
        entry = try DesktopEntry(scheme: scheme, command: [program, "callback"] + storeWords + ["--"])
    }

    func install() throws(TernError) -> Report {
        var report = Report()
        if SmallFile.read(entryPath) != Array(entry.text.utf8) {
            try Self.write(entry.text, to: entryPath)
            report.wroteEntry = true
        }
        report.wroteList = try changeList { $0.prefer(entry.fileName, for: entry.mediaType) }
        return report
    }

    func remove() throws(TernError) -> Report {
        var report = Report()
        report.wroteList = try changeList { $0.remove(entry.fileName, for: entry.mediaType) }
        if unlink(entryPath) == 0 {
            report.wroteEntry = true
        } else if errno != ENOENT && errno != ENOTDIR {
            throw Self.problem("\(entryPath) cannot be removed")
        }
        return report
    }

    /// Whether the desktop opens the scheme with an entry that is there.
    var isInstalled: Bool {
        let defaults = DefaultApplications(String(decoding: SmallFile.read(list) ?? [], as: UTF8.self))
        return defaults.applications(for: entry.mediaType).first == entry.fileName && access(entryPath, R_OK) == 0
    }

    private func changeList(_ change: (inout DefaultApplications) -> Void) throws(TernError) -> Bool {
        let bytes = SmallFile.read(list)
        guard bytes != nil || access(list, F_OK) != 0 else { throw Self.problem("\(list) cannot be read") }
        let before = DefaultApplications(String(decoding: bytes ?? [], as: UTF8.self))
        var after = before
        change(&after)
        guard after != before else { return false }
        // Some keep this file elsewhere and a symbolic link here, which must not be replaced by a file.
        try Self.write(after.text, to: Self.resolved(list) ?? list)
        return true
    }

    /// Writes a file in the place of the old one, and the folders on the way to it.
    private static func write(_ text: String, to path: String) throws(TernError) {
        var end = path.startIndex
        while let slash = path[path.index(after: end)...].firstIndex(of: "/") {
            mkdir(String(path[..<slash]), 0o700)
            end = slash
        }
        let temporary = path + ".\(getpid()).tmp"
        guard SmallFile.write(Array(text.utf8), to: temporary), rename(temporary, path) == 0 else {
            let words = String(cString: strerror(errno))
            unlink(temporary)
            throw problem("\(path) cannot be written: \(words)")
        }
    }

    private static func absolute(_ path: String) throws(TernError) -> String {
        if let path = resolved(path) { return path }
        if path.hasPrefix("/") { return path }
        guard let folder = resolved(".") else { throw problem("the working folder is not known") }
        return folder + "/" + path
    }

    private static func resolved(_ path: String) -> String? {
        guard let text = realpath(path, nil) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    private static func problem(_ words: String) -> TernError {
        TernError(.unsupportedRedirect(words), at: .configuration)
    }
}
