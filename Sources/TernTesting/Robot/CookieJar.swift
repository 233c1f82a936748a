internal import TernProtocol

/// The cookies of a browser (RFC 6265), each for the host that set it.
struct CookieJar: Sendable {
    private struct Cookie: Sendable {
        let name: String
        let value: String
        let host: String
        let path: String
        let isSecure: Bool

        func goes(to url: URI) -> Bool {
            let target = url.encodedPath.isEmpty ? "/" : url.encodedPath
            let fits = target == path || target.hasPrefix(path.hasSuffix("/") ? path : path + "/")
            return url.host?.lowercased() == host && fits && (!isSecure || url.isSecure || url.isLoopback)
        }
    }

    private var cookies: [Cookie] = []

    mutating func take(_ response: HTTPResponse, from url: URI) {
        guard let host = url.host?.lowercased() else { return }
        for line in response.fields.values(of: "Set-Cookie") {
            let parts = line.split(separator: ";").map { Self.pair($0) }
            guard let first = parts.first, !first.name.isEmpty else { continue }
            func attribute(_ name: String) -> String? {
                parts.dropFirst().first { $0.name.lowercased() == name }?.value
            }
            let given = attribute("path").flatMap { $0.hasPrefix("/") ? $0 : nil }
            let cookie = Cookie(
                name: first.name, value: first.value, host: host, path: given ?? Self.folder(of: url),
                isSecure: attribute("secure") != nil)
            cookies.removeAll { $0.name == cookie.name && $0.host == cookie.host && $0.path == cookie.path }
            let isOver = attribute("max-age").flatMap { Int($0) }.map { $0 <= 0 } ?? false
            if !isOver { cookies.append(cookie) }
        }
    }

    func field(for url: URI) -> String? {
        let fitting = cookies.filter { $0.goes(to: url) }.sorted { $0.path.count > $1.path.count }
        return fitting.isEmpty ? nil : fitting.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private static func pair(_ part: Substring) -> (name: String, value: String) {
        let pieces = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        func trimmed(_ piece: Substring) -> String {
            let rest = piece.drop { $0 == " " }
            return rest.lastIndex { $0 != " " }.map { String(rest[...$0]) } ?? ""
        }
        return (trimmed(pieces.first ?? ""), pieces.count > 1 ? trimmed(pieces[1]) : "")
    }

    private static func folder(of url: URI) -> String {
        let path = url.encodedPath
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
