internal import Tern

/// A request as `tern call` and `tern sign` take it.
struct RequestArguments: Sendable {
    private let head: HTTPRequest
    private let readsBody: Bool

    static let specifications = [
        OptionSpecification("--method", value: "METHOD", "GET, or POST when there is a body"),
        OptionSpecification("--header", value: "\"NAME: VALUE\"", "one further header field"),
        OptionSpecification("--data-stdin", "send what is on standard input as the body"),
    ]

    /// The largest body that is sent, in bytes.
    private static let maximumBodyByteCount = 16 << 20

    init(_ arguments: Arguments, for command: String) throws(UsageError) {
        guard let address = arguments.operand else { throw UsageError("the address is missing: tern \(command) URL") }
        guard let url = URI(address) else { throw UsageError("\"URL\" is not an absolute address") }
        readsBody = arguments.has("--data-stdin")
        var head = HTTPRequest(
            HTTPMethod(rawValue: arguments.value("--method") ?? (readsBody ? "POST" : "GET")), url)
        if let header = arguments.value("--header") {
            let parts = header.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, head.fields.append(parts[0], parts[1]) else {
                throw UsageError("--header wants \"NAME: VALUE\"")
            }
        }
        self.head = head
    }

    /// The request, with the body read.
    func request() throws(TernError) -> HTTPRequest {
        guard readsBody else { return head }
        let body = Process.standardInput(limit: Self.maximumBodyByteCount)
        guard body.count <= Self.maximumBodyByteCount else {
            throw TernError(
                .invalidConfiguration(
                    field: "--data-stdin", problem: "there are more than \(Self.maximumBodyByteCount) bytes"),
                at: .configuration)
        }
        var request = head
        request.body = .bytes(body)
        return request
    }
}
