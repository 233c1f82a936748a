internal import TernProtocol

/// The head of an HTTP/1 request, read strictly (RFC 9112): what two readers could understand in two ways is refused.
struct HTTPRequestHead: Sendable, Hashable {
    let method: HTTPMethod
    /// The path with the query, as sent; it begins with a slash.
    let target: String
    let fields: HTTPFields
    /// The field `Host`, in lower case.
    let host: String
    /// The bytes of the body that follow.
    let contentLength: Int
    /// Whether another request may follow on the connection.
    let keepsAlive: Bool
    /// Whether the client waits for a word before it sends the body.
    let expectsContinue: Bool
}

/// Why a request is refused: the status to answer with.
struct HTTPRefusal: Error, Sendable, Hashable {
    let status: Int

    static let badRequest = HTTPRefusal(status: 400)
}

/// Takes bytes as they arrive and finds request heads in them.
struct HTTPRequestReader: Sendable {
    private var bytes: [UInt8] = []
    private var start = 0
    private var scanned = 0

    /// The longest head, in bytes.
    static let maximumHeadByteCount = 16 << 10
    /// The most field lines.
    static let maximumFieldCount = 100
    /// The largest body, in bytes.
    static let maximumBodyByteCount = 1 << 20
    private static let longestMethod = 32

    init() {}

    /// Whether no byte of a next request is here.
    var isEmpty: Bool { start == bytes.count }

    /// How many bytes were taken and not given out.
    var pendingByteCount: Int { bytes.count - start }

    /// Takes bytes.
    mutating func feed(_ new: some Collection<UInt8>) {
        if start > 0, start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            scanned = 0
            start = 0
        }
        bytes.append(contentsOf: new)
    }

    /// The next head, once it is complete.
    mutating func nextHead() throws(HTTPRefusal) -> HTTPRequestHead? {
        skipEmptyLine()
        scanned = max(scanned, start)
        while scanned < bytes.count {
            guard scanned - start < Self.maximumHeadByteCount else { throw HTTPRefusal(status: 431) }
            let byte = bytes[scanned]
            switch byte {
            case 0x0D:
                guard scanned + 1 < bytes.count else { return nil }
                guard bytes[scanned + 1] == 0x0A else { throw .badRequest }
                scanned += 2
                if scanned - start >= 4, bytes[scanned - 4] == 0x0D, bytes[scanned - 3] == 0x0A {
                    let head = bytes[start..<(scanned - 4)]
                    start = scanned
                    return try Self.parse(head)
                }
                continue
            case 0x09, 0x20...0x7E, 0x80...: scanned += 1
            default: throw .badRequest
            }
        }
        guard scanned - start < Self.maximumHeadByteCount else { throw HTTPRefusal(status: 431) }
        return nil
    }

    /// The given number of bytes of a body, once they are here.
    mutating func body(_ count: Int) -> [UInt8]? {
        guard bytes.count - start >= count else { return nil }
        let end = start + count
        let body = Array(bytes[start..<end])
        bytes.removeSubrange(..<end)
        start = 0
        scanned = 0
        return body
    }

    /// RFC 9112 §2.2: one empty line before a request is overlooked.
    private mutating func skipEmptyLine() {
        guard scanned <= start, bytes.count - start >= 2, bytes[start] == 0x0D, bytes[start + 1] == 0x0A else { return }
        start += 2
    }

    private static func parse(_ head: ArraySlice<UInt8>) throws(HTTPRefusal) -> HTTPRequestHead {
        var lines = head.split(separator: 0x0D, omittingEmptySubsequences: false).map { line in
            line.first == 0x0A ? line.dropFirst() : line
        }
        guard !lines.isEmpty else { throw .badRequest }
        let (method, target, minor) = try requestLine(lines.removeFirst())
        guard lines.count <= maximumFieldCount else { throw HTTPRefusal(status: 431) }
        var fields = HTTPFields()
        for line in lines { try append(line, to: &fields) }
        let connection = fields.values(of: "Connection").joined(separator: ",").lowercased().split(separator: ",")
            .map { option in String(option.filter { $0 != " " && $0 != "\t" }) }
        return HTTPRequestHead(
            method: method, target: target, fields: fields, host: try host(in: fields),
            contentLength: try contentLength(in: fields),
            keepsAlive: minor == 1 ? !connection.contains("close") : connection.contains("keep-alive"),
            expectsContinue: minor == 1 && fields["Expect"]?.lowercased() == "100-continue")
    }

    private static func requestLine(_ line: ArraySlice<UInt8>) throws(HTTPRefusal) -> (HTTPMethod, String, Int) {
        let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .badRequest }
        let (method, target, version) = (parts[0], parts[1], parts[2])
        guard (1...longestMethod).contains(method.count), method.allSatisfy(\.isFieldNameByte) else {
            throw .badRequest
        }
        // The forms of RFC 9112 §3.2 for proxies and for the whole server have no use here.
        guard target.first == UInt8(ascii: "/") else { throw .badRequest }
        guard target.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else { throw .badRequest }
        guard version.count == 8, version.starts(with: "HTTP/".utf8), version[version.startIndex + 6] == 0x2E else {
            throw .badRequest
        }
        let (major, minor) = (version[version.startIndex + 5], version[version.startIndex + 7])
        guard (0x30...0x39).contains(major), (0x30...0x39).contains(minor) else { throw .badRequest }
        guard major == 0x31, minor <= 0x31 else { throw HTTPRefusal(status: 505) }
        return (
            HTTPMethod(rawValue: String(decoding: method, as: UTF8.self)), String(decoding: target, as: UTF8.self),
            Int(minor) - 0x30
        )
    }

    private static func append(_ line: ArraySlice<UInt8>, to fields: inout HTTPFields) throws(HTTPRefusal) {
        // A line that begins with a blank would continue the one before (RFC 9112 §5.2), and a blank before the colon
        // is read differently by different programs (§5.1).
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(\.isFieldNameByte),
            fields.append(
                String(decoding: line[..<colon], as: UTF8.self), String(decoding: line[(colon + 1)...], as: UTF8.self))
        else { throw .badRequest }
    }

    private static func host(in fields: HTTPFields) throws(HTTPRefusal) -> String {
        let hosts = fields.values(of: "Host")
        guard hosts.count == 1, let host = hosts.first, !host.isEmpty else { throw .badRequest }
        return host.lowercased()
    }

    private static func contentLength(in fields: HTTPFields) throws(HTTPRefusal) -> Int {
        let lengths = fields.values(of: "Content-Length")
        if fields["Transfer-Encoding"] != nil { throw lengths.isEmpty ? HTTPRefusal(status: 411) : .badRequest }
        guard let text = lengths.first else { return 0 }
        guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .badRequest
        }
        guard let length = Int(text), length <= maximumBodyByteCount else { throw HTTPRefusal(status: 413) }
        return length
    }
}

extension UInt8 {
    /// RFC 9110 §5.6.2.
    fileprivate var isFieldNameByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
