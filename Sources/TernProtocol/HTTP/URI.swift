/// An absolute address, kept octet for octet as it was written (RFC 3986).
///
/// Authorization servers compare addresses as text, so a type that normalises what it is given cannot carry them. This
/// one finds the parts of an address and leaves the text alone; only ``origin`` and the matching rules lower the case
/// of scheme and host, for comparison.
public struct URI: Sendable, Hashable, Codable, LosslessStringConvertible {
    /// The address as it was given.
    public let text: String
    private let schemeEnd: Int
    private let authority: Range<Int>?
    private let path: Range<Int>
    private let queryRange: Range<Int>?
    private let fragmentRange: Range<Int>?
    /// The host in its own spelling, without port and user information; brackets of an IPv6 address included.
    public let host: String?
    /// The port, where one is written.
    public let port: Int?
    /// Whether a user name or password stands before the host.
    public let hasUserInformation: Bool

    /// The longest address accepted, in bytes.
    public static let maximumByteCount = 1 << 20

    /// Reads an absolute address: it must have a scheme and hold no control character or blank.
    ///
    /// A percent sign that begins no escape and text beyond ASCII are let through outside scheme and host, since
    /// browsers deliver both.
    public init?(_ text: String) {
        var copy = text
        let parts = copy.withUTF8 { Self.parts(of: $0) }
        guard let parts else { return nil }
        self.text = text
        schemeEnd = parts.schemeEnd
        authority = parts.authority
        path = parts.path
        queryRange = parts.query
        fragmentRange = parts.fragment
        hasUserInformation = parts.hasUserInformation
        port = parts.port
        host = parts.host.map { range in
            copy.withUTF8 { String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self) }
        }
    }

    /// The scheme in its own spelling, without the colon.
    public var scheme: String { slice(0..<schemeEnd) }

    /// The scheme in lower case, as it is compared.
    public var normalizedScheme: String { scheme.asciiLowercased }

    /// The path as written; empty where there is none.
    public var encodedPath: String { slice(path) }

    /// The query as written, without the question mark; `nil` where there is none.
    public var encodedQuery: String? { queryRange.map(slice) }

    /// The fragment as written, without the number sign; `nil` where there is none.
    public var encodedFragment: String? { fragmentRange.map(slice) }

    /// Whether a non-empty authority (`//host`) is there.
    public var hasAuthority: Bool { authority.map { !$0.isEmpty } ?? false }

    /// Everything before query and fragment.
    public var withoutQueryAndFragment: String { slice(0..<path.upperBound) }

    /// Everything before the fragment.
    public var withoutFragment: String { slice(0..<(queryRange?.upperBound ?? path.upperBound)) }

    /// The same as ``text``. An address may hold a code in its query: what is logged is ``redacted``.
    public var description: String { text }

    /// The address without user information, query and fragment, for messages and logs.
    public var redacted: String {
        guard let host else { return "\(scheme):\(encodedPath)" }
        return "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")\(encodedPath)"
    }

    /// Whether the host is a loopback address or `localhost` (RFC 8252 §7.3 and §8.3).
    public var isLoopback: Bool {
        guard let host = host?.asciiLowercased else { return false }
        return host == "localhost" || host == "[::1]" || IPv4Address(host)?.isLoopback == true
    }

    /// Whether the scheme is `https`.
    public var isSecure: Bool { normalizedScheme == "https" }

    /// Scheme, host and port, as far as a token may travel (RFC 6454 §4).
    public var origin: Origin? {
        guard let host, !host.isEmpty else { return nil }
        let scheme = normalizedScheme
        guard let port = port ?? Self.defaultPort(of: scheme) else { return nil }
        return Origin(scheme: scheme, host: host.asciiLowercased, port: port)
    }

    /// The port that a scheme implies.
    package static func defaultPort(of scheme: String) -> Int? {
        if scheme.equalsIgnoringASCIICase("https") { return 443 }
        return scheme.equalsIgnoringASCIICase("http") ? 80 : nil
    }

    /// Appends query parameters, form-encoded, after whatever query the address already has.
    public func appendingQuery(_ parameters: FormParameters) -> String {
        guard !parameters.isEmpty else { return text }
        var head = withoutFragment
        if let query = queryRange {
            if !query.isEmpty, head.utf8.last != UInt8(ascii: "&") { head += "&" }
        } else {
            head += "?"
        }
        return parameters.encoded(after: head) + (encodedFragment.map { "#" + $0 } ?? "")
    }

    /// The address that a `Location` field names when it is read at this address (RFC 3986 §5.2); `nil` where it is neither
    /// an address nor a path.
    public func resolving(_ reference: String) -> URI? {
        if let absolute = URI(reference) { return absolute }
        if reference.hasPrefix("//") { return URI("\(scheme):\(reference)") }
        let authority = authority.map { "//" + slice($0) } ?? ""
        let base = "\(scheme):\(authority)"
        if reference.hasPrefix("/") { return URI(base + PathSegments.withoutDots(reference)) }
        if reference.isEmpty { return URI(withoutFragment) }
        if reference.hasPrefix("?") { return URI(withoutQueryAndFragment + reference) }
        if reference.hasPrefix("#") { return URI(withoutFragment + reference) }
        // What looks like a scheme and could not be read is no path (RFC 3986 §4.2).
        guard !reference.prefix(while: { $0 != "/" && $0 != "?" && $0 != "#" }).contains(":") else { return nil }
        let folder = encodedPath.lastIndex(of: "/").map { encodedPath[...$0] } ?? "/"
        return URI(base + PathSegments.withoutDots(folder + reference))
    }

    /// Reads an address from its text form.
    ///
    /// - Throws: `DecodingError` when the text is not an absolute address.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let uri = URI(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an absolute address")
        }
        self = uri
    }

    /// Writes the text form.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// Addresses are the same when their text is.
    public static func == (one: URI, other: URI) -> Bool { one.text.hasSameOctets(as: other.text) }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    private func slice(_ range: Range<Int>) -> String {
        let utf8 = text.utf8
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        return String(text[start..<utf8.index(start, offsetBy: range.count)])
    }
}

extension URI {
    struct Parts {
        var schemeEnd = 0
        var authority: Range<Int>?
        var path = 0..<0
        var query: Range<Int>?
        var fragment: Range<Int>?
        var host: Range<Int>?
        var port: Int?
        var hasUserInformation = false
    }

    private static func parts(of bytes: UnsafeBufferPointer<UInt8>) -> Parts? {
        let count = bytes.count
        guard count <= maximumByteCount, let first = bytes.first, first.isASCIILetter else { return nil }
        for byte in bytes where byte <= 0x20 || byte == 0x7F { return nil }
        var at = 1
        while at < count, bytes[at] != UInt8(ascii: ":") {
            guard bytes[at].isSchemeByte else { return nil }
            at += 1
        }
        guard at < count else { return nil }
        var parts = Parts()
        parts.schemeEnd = at
        at += 1
        var end = count
        if let number = bytes[at...].firstIndex(of: UInt8(ascii: "#")) {
            parts.fragment = (number + 1)..<count
            end = number
        }
        if let mark = bytes[at..<end].firstIndex(of: UInt8(ascii: "?")) {
            parts.query = (mark + 1)..<end
            end = mark
        }
        if at + 1 < end, bytes[at] == UInt8(ascii: "/"), bytes[at + 1] == UInt8(ascii: "/") {
            at += 2
            let stop = bytes[at..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
            parts.authority = at..<stop
            guard readAuthority(bytes, at..<stop, into: &parts) else { return nil }
            at = stop
        }
        parts.path = at..<end
        return parts
    }

    private static func readAuthority(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into parts: inout Parts
    ) -> Bool {
        guard !range.isEmpty else { return true }
        var at = range.lowerBound
        if let sign = bytes[range].lastIndex(of: UInt8(ascii: "@")) {
            parts.hasUserInformation = true
            at = sign + 1
        }
        let hostStart = at
        var hostEnd = range.upperBound
        if at < range.upperBound, bytes[at] == UInt8(ascii: "[") {
            guard let close = bytes[at..<range.upperBound].firstIndex(of: UInt8(ascii: "]")) else { return false }
            hostEnd = close + 1
            for byte in bytes[(at + 1)..<close] where !(byte.isHexDigit || byte == 0x3A || byte == 0x2E) {
                return false
            }
        } else if let colon = bytes[at..<range.upperBound].firstIndex(of: UInt8(ascii: ":")) {
            hostEnd = colon
        }
        if hostEnd < range.upperBound {
            guard bytes[hostEnd] == UInt8(ascii: ":") else { return false }
            var port = 0
            for byte in bytes[(hostEnd + 1)..<range.upperBound] {
                guard byte.isASCIIDigit else { return false }
                port = port * 10 + Int(byte - 0x30)
                guard port <= 65_535 else { return false }
            }
            if hostEnd + 1 < range.upperBound { parts.port = port }
        }
        guard hostEnd > hostStart else { return false }
        if bytes[hostStart] != UInt8(ascii: "[") {
            for byte in bytes[hostStart..<hostEnd] where !byte.isHostByte { return false }
        }
        parts.host = hostStart..<hostEnd
        return true
    }
}

/// Scheme, host and port in lower case: how far a token may travel (RFC 6454 §4).
public struct Origin: Sendable, Hashable, CustomStringConvertible {
    /// The scheme, in lower case.
    public let scheme: String
    /// The host, in lower case.
    public let host: String
    /// The port, the scheme's own where none was written.
    public let port: Int

    /// The text form, without a port that the scheme implies.
    public var description: String {
        "\(scheme)://\(host)" + (URI.defaultPort(of: scheme) == port ? "" : ":\(port)")
    }
}
