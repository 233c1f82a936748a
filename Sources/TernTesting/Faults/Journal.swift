public import TernJOSE
public import TernProtocol

/// The requests that have arrived at a test server.
public struct Journal: Sendable {
    /// What became of a request and its answer.
    public enum Fate: Sendable, Hashable {
        /// The whole answer was handed to the connection.
        case answered
        /// The connection broke before the server saw the request.
        case requestLost(Delivery.End)
        /// The server did its work, and the connection broke before the answer.
        case answerLost(Delivery.End)
        /// The connection broke within the answer.
        case cutOff(Delivery.End)
    }

    /// One request.
    ///
    /// Its description shows neither parameters nor field values; ``request`` holds them, secrets included.
    public struct Entry: Sendable, CustomStringConvertible {
        /// Where it went.
        public let endpoint: Endpoint
        /// The request itself.
        public let request: HTTPRequest
        /// When it came.
        public let arrival: NumericDate
        /// The status of the answer; `nil` when the connection broke before the server saw the request.
        public fileprivate(set) var status: Int?
        /// What became of it. Whether the client waited for the answer is not known here.
        public fileprivate(set) var fate = Fate.answered

        /// The parameters of the form, or of the query where there is no form.
        public var parameters: FormParameters { request.formParameters ?? request.queryParameters ?? [:] }

        /// Endpoint, method, address without query, status, and what became of it where the connection broke.
        public var description: String {
            "\(endpoint.rawValue): \(request) \u{2192} \(status.map(String.init) ?? "-")\(fate.words)"
        }
    }

    /// The entries, the oldest first. Of more than ``maximumCount`` the oldest are forgotten.
    public private(set) var entries: [Entry] = []
    private var counts: [Endpoint: Int] = [:]
    private var forgotten = 0

    /// The most entries that are kept.
    public static let maximumCount = 10_000

    /// How many requests have arrived, forgotten ones included.
    public var count: Int { forgotten + entries.count }

    /// How many requests have arrived at an endpoint, forgotten ones included.
    public func count(of endpoint: Endpoint) -> Int { counts[endpoint] ?? 0 }

    /// The requests that have arrived at an endpoint, the oldest first.
    public func requests(to endpoint: Endpoint) -> [Entry] { entries.filter { $0.endpoint == endpoint } }

    mutating func note(_ request: HTTPRequest, at endpoint: Endpoint, _ now: NumericDate) -> Int {
        if entries.count >= Self.maximumCount {
            entries.removeFirst(Self.maximumCount / 2)
            forgotten += Self.maximumCount / 2
        }
        entries.append(Entry(endpoint: endpoint, request: request, arrival: now, status: nil))
        counts[endpoint, default: 0] += 1
        return forgotten + entries.count - 1
    }

    mutating func set(_ fate: Fate, of number: Int) {
        let index = number - forgotten
        if entries.indices.contains(index) { entries[index].fate = fate }
    }

    mutating func setStatus(_ status: Int, of number: Int) {
        let index = number - forgotten
        if entries.indices.contains(index) { entries[index].status = status }
    }

    /// Forgets everything, counts included.
    mutating func clear() { self = Journal() }
}

extension Journal.Fate {
    fileprivate var words: String {
        switch self {
        case .answered: ""
        case .requestLost(let end): " (request lost: \(end.rawValue))"
        case .answerLost(let end): " (answer lost: \(end.rawValue))"
        case .cutOff(let end): " (answer cut off: \(end.rawValue))"
        }
    }
}

extension AuthorizationServer {
    /// The requests that have arrived at an endpoint, the oldest first.
    public func requests(to endpoint: Endpoint) -> [Journal.Entry] { journal.requests(to: endpoint) }

    /// Forgets the requests that have arrived.
    public mutating func clearJournal() { journal.clear() }
}
