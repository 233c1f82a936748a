internal import TernProtocol

/// One connection to the listener: what arrived, what is to be written, and until when. It knows no clock and no
/// socket but its number; the loop tells it the time.
struct HTTPConnection {
    enum Phase: Hashable {
        /// Waiting for bytes of a request, or for the rest of one.
        case reading
        /// The handler works.
        case handling
        /// The answer is being written.
        case writing
        /// The next piece of a slow answer waits for its time.
        case pausing
        /// Nothing is read and nothing comes, on purpose.
        case silent
        /// Everything was written and the end was announced; waiting for the peer's end, so that unread bytes do not
        /// make the system throw the answer away.
        case ending
        /// To be closed.
        case closed
    }

    let socket: Int32
    private(set) var phase = Phase.reading
    /// When the connection is closed, in milliseconds of the monotonic clock; `nil` while the handler works.
    private(set) var deadline: Int64?
    private var reader = HTTPRequestReader()
    private var head: HTTPRequestHead?
    private var output: [UInt8] = []
    private var written = 0
    private var endsAfterAnswer = false
    private var answersWithoutBody = false
    /// What becomes of the connection after the answer, where a fault is wanted.
    private var end = HTTPReply.End.regular
    private var pace: HTTPReply.Pace?
    /// How much of the output may be written by now.
    private var dueByteCount = 0
    /// When everything has to be over, once the listener stops.
    private var stopEnd: Int64?

    /// How long a request may take to arrive, in milliseconds.
    static let requestTime: Int64 = 5_000
    /// How long a connection may wait for another request.
    static let idleTime: Int64 = 30_000
    /// How long an answer may take to be written.
    static let writeTime: Int64 = 10_000
    /// How long a peer may take to say that it is done.
    static let endTime: Int64 = 1_000

    init(_ socket: Int32, now: Int64) {
        self.socket = socket
        deadline = now + Self.requestTime
    }

    /// Whether nothing of a request is here, so that closing hurts nobody.
    var isIdle: Bool { phase == .reading && head == nil && reader.isEmpty }
    var awaitsBytes: Bool { phase == .reading || phase == .ending || phase == .silent }
    var awaitsRoom: Bool { phase == .writing }

    /// Takes bytes that arrived.
    mutating func feed(_ bytes: some Collection<UInt8>, now: Int64) {
        guard phase == .reading else { return }
        if isIdle { deadline = now + Self.requestTime }
        reader.feed(bytes)
    }

    /// The next request, once it is complete; a refusal becomes an answer at once.
    mutating func nextRequest(_ authorities: Set<String>, now: Int64) -> HTTPRequest? {
        guard phase == .reading else { return nil }
        do throws(HTTPRefusal) {
            if head == nil {
                guard let new = try reader.nextHead() else { return nil }
                guard authorities.contains(new.host) else { throw .badRequest }
                head = new
                endsAfterAnswer = !new.keepsAlive
                answersWithoutBody = new.method == .head
                if new.expectsContinue, reader.pendingByteCount < new.contentLength {
                    output = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
                    written = 0
                    dueByteCount = output.count
                    phase = .writing
                    return nil
                }
            }
            guard let head, let body = reader.body(head.contentLength) else { return nil }
            guard let url = URI("http://\(head.host)\(head.target)") else { throw .badRequest }
            self.head = nil
            phase = .handling
            deadline = nil
            return HTTPRequest(head.method, url, fields: head.fields, body: body.isEmpty ? .none : .bytes(body))
        } catch {
            head = nil
            endsAfterAnswer = true
            answersWithoutBody = false
            answer(HTTPReply(HTTPResponse(status: error.status)), now: now)
            return nil
        }
    }

    /// Begins to write an answer.
    mutating func answer(_ reply: HTTPReply, now: Int64) {
        output = []
        written = 0
        end = reply.end
        pace = reply.pace
        if let response = reply.response {
            if response.fields["Connection"]?.lowercased() == "close" { endsAfterAnswer = true }
            output = HTTPResponseWriter.bytes(of: response, withBody: !answersWithoutBody, keepsAlive: !endsAfterAnswer)
            let bodyByteCount = answersWithoutBody ? 0 : response.body.count
            if let count = reply.bodyByteCount { output.removeLast(min(bodyByteCount, max(0, bodyByteCount - count))) }
        }
        dueByteCount = output.count
        if let pace, let response = reply.response {
            dueByteCount = min(output.count, max(0, output.count - response.body.count) + pace.byteCount)
        }
        phase = .writing
        deadline = min(now + Self.writeTime, stopEnd ?? .max)
    }

    /// Writes what fits.
    mutating func write(now: Int64) {
        guard phase == .writing else { return }
        while written < dueByteCount {
            let sent = output.withUnsafeBytes { bytes in
                LoopbackSocket.send(socket, UnsafeRawBufferPointer(rebasing: bytes[written..<dueByteCount]))
            }
            guard let sent else { return phase = .closed }
            guard sent > 0 else { return }
            written += sent
        }
        if let pace, written < output.count {
            phase = .pausing
            deadline = now + pace.milliseconds
            return
        }
        output = []
        written = 0
        switch end {
        case .regular: goOn(now: now)
        case .closed: endSending(now: now)
        case .reset: reset()
        case .silence:
            phase = stopEnd == nil ? .silent : .closed
            deadline = nil
        }
    }

    /// Ends the connection without the usual farewell.
    mutating func reset() {
        LoopbackSocket.resetWhenClosed(socket)
        phase = .closed
    }

    private mutating func endSending(now: Int64) {
        LoopbackSocket.endSending(socket)
        phase = .ending
        deadline = now + Self.endTime
    }

    private mutating func goOn(now: Int64) {
        if head != nil {
            // The word "continue" was written; the body follows.
            phase = .reading
        } else if endsAfterAnswer {
            endSending(now: now)
        } else {
            phase = .reading
            deadline = now + (reader.isEmpty ? Self.idleTime : Self.requestTime)
        }
    }

    /// The peer ended its side. A request that is already being answered still gets its answer.
    mutating func peerEnded() {
        if awaitsBytes { phase = .closed }
    }

    /// The deadline is over.
    mutating func timeOut(now: Int64) {
        if phase == .pausing, let pace {
            dueByteCount = min(output.count, dueByteCount + pace.byteCount)
            phase = .writing
            deadline = now + Self.writeTime
        } else if phase == .reading, !isIdle {
            endsAfterAnswer = true
            head = nil
            answer(HTTPReply(HTTPResponse(status: 408)), now: now)
        } else {
            phase = .closed
        }
    }

    /// The listener stops: nothing new is read, and what is under way ends by the given time.
    mutating func stop(by end: Int64) {
        endsAfterAnswer = true
        switch phase {
        case .reading, .pausing, .silent: phase = .closed
        case .handling, .writing, .ending, .closed: break
        }
        stopEnd = end
        deadline = min(deadline ?? end, end)
    }
}

/// Writes an answer as HTTP/1.1.
enum HTTPResponseWriter {
    static func bytes(of response: HTTPResponse, withBody: Bool, keepsAlive: Bool) -> [UInt8] {
        let status = (200...999).contains(response.status) ? response.status : 500
        var out: [UInt8] = []
        out.reserveCapacity(512 + (withBody ? response.body.count : 0))
        out.append(contentsOf: "HTTP/1.1 \(status) \(reasons[status] ?? "Status")\r\n".utf8)
        for field in response.fields.fields where !isOurs(field.name) {
            out.append(contentsOf: "\(field.name): \(field.value)\r\n".utf8)
        }
        let hasBody = status != 204 && status != 304
        if hasBody { out.append(contentsOf: "Content-Length: \(response.body.count)\r\n".utf8) }
        if !keepsAlive { out.append(contentsOf: "Connection: close\r\n".utf8) }
        out.append(contentsOf: "\r\n".utf8)
        if hasBody, withBody { out.append(contentsOf: response.body) }
        return out
    }

    private static func isOurs(_ name: String) -> Bool {
        ["content-length", "transfer-encoding", "connection", "keep-alive"].contains(name.lowercased())
    }

    private static let reasons: [Int: String] = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 301: "Moved Permanently", 302: "Found",
        303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
        401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
        411: "Length Required", 413: "Content Too Large", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 502: "Bad Gateway",
        503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ]
}
