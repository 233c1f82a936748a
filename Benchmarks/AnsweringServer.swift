internal import Tern

/// Answers every request with a small JSON object, over loopback.
struct AnsweringServer {
    let address: String
    private let listener: HTTPListener

    static func start() async throws -> AnsweringServer {
        let body = Array(#"{"id":1,"name":"a resource","items":[1,2,3],"next":null}"#.utf8)
        let listener = try HTTPListener { _ in
            HTTPResponse(status: 200, fields: ["Content-Type": "application/json"], body: body)
        }
        try listener.start()
        return AnsweringServer(address: listener.baseURL + "/resource", listener: listener)
    }

    func stop() async { await listener.stop() }
}
