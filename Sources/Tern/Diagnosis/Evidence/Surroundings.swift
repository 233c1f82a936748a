package import TernProtocol

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// What the process's environment tells about why a page or a server is not reached.
package enum Surroundings {
    /// Whether somebody sits at this machine.
    package static var clues: Set<Clue> {
        var clues: Set<Clue> = []
        if has("SSH_CONNECTION") || has("SSH_TTY") { clues.insert(.remoteSession) }
        #if os(Linux)
            if !has("DISPLAY"), !has("WAYLAND_DISPLAY") { clues.insert(.noDisplay) }
        #endif
        return clues
    }

    /// What the name of a host, and the way to it, tell.
    static func clues(of url: URI) -> Set<Clue> {
        var clues: Set<Clue> = []
        let host = (url.host ?? "").lowercased()
        let privateEndings = [".local", ".lan", ".internal", ".intranet", ".corp", ".home", ".home.arpa", ".test"]
        if ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host) || host.hasSuffix(".localhost") {
            clues.insert(.loopbackHost)
        } else if !host.contains(".") || privateEndings.contains(where: host.hasSuffix) || host.hasPrefix("10.")
            || host.hasPrefix("192.168.")
        {
            clues.insert(.privateHost)
        }
        if has("https_proxy") || has("HTTPS_PROXY") || has("all_proxy") || has("ALL_PROXY") { clues.insert(.proxied) }
        return clues
    }

    private static func has(_ variable: String) -> Bool { getenv(variable).map { $0.pointee != 0 } ?? false }
}
