import Tern
import TernProtocol
import TernTesting
import Testing

/// Trouble at the server or on the way to it, and what a caller is told.
struct NetworkFault: Sendable, CustomTestStringConvertible {
    /// How the trouble begins and ends.
    enum Kind: Sendable {
        case actions([FaultAction])
        case stoppedServer
        case resetConnections
    }

    let name: String
    let kind: Kind
    /// What a renewal fails with.
    let atToken: TernError.Reason
    /// What a process fails with that has to fetch the server's metadata first.
    let atDiscovery: TernError.Reason
    /// What the server's journal says about the renewal; `nil` where it did not arrive.
    var fate: Journal.Fate? = .answered
    /// Whether the server rotates the refresh token and the client never sees the new one.
    var losesRotation = false

    var testDescription: String { name }

    func begin(_ scene: Scene) async {
        switch kind {
        case .actions(let actions):
            for endpoint in [Endpoint.token, .openIDConfiguration, .authorizationServerMetadata] {
                var fault = Fault(at: endpoint)
                fault.actions = actions
                scene.server.served.add(fault)
            }
        case .stoppedServer: await scene.stopServer()
        case .resetConnections: scene.server.resetConnections()
        }
        scene.transport.isImpatient = true
    }

    func end(_ scene: Scene) throws {
        switch kind {
        case .actions: scene.server.served.change { $0.faults.removeAll() }
        case .stoppedServer: try scene.startServer()
        case .resetConnections: scene.server.resetConnections(false)
        }
        scene.transport.isImpatient = false
    }

    private static func answer(
        _ name: String, _ status: Int, _ atToken: TernError.Reason, atDiscovery: TernError.Reason? = nil,
        fields: HTTPFields = [:], body: String = ""
    ) -> NetworkFault {
        let response = HTTPResponse(status: status, fields: fields, body: Array(body.utf8))
        return NetworkFault(
            name: name, kind: .actions([.replace(response)]), atToken: atToken, atDiscovery: atDiscovery ?? atToken)
    }

    private static func broken(
        _ name: String, _ actions: FaultAction..., fate: Journal.Fate,
        atDiscovery: TernError.Reason = .network(.connectionLost)
    ) -> NetworkFault {
        let losesRotation = if case .requestLost = fate { false } else { true }
        return NetworkFault(
            name: name, kind: .actions(actions), atToken: .outcomeUnknown, atDiscovery: atDiscovery, fate: fate,
            losesRotation: losesRotation)
    }

    private static let html: HTTPFields = ["Content-Type": "text/html"]
    private static let page = "<!DOCTYPE html><html><body>Please log in to the hotel's network</body></html>"
    private static let timedOut = TernError.Reason.network(.timedOut)

    private static func passing(_ status: Int, _ wait: Duration? = nil) -> TernError.Reason {
        .transient(status: status, retryAfter: wait)
    }

    static let all: [NetworkFault] = [
        NetworkFault(
            name: "connection refused", kind: .stoppedServer, atToken: .network(.connectionFailed),
            atDiscovery: .network(.connectionFailed), fate: nil),
        NetworkFault(
            name: "reset before the request is read", kind: .resetConnections, atToken: .outcomeUnknown,
            atDiscovery: .network(.connectionLost), fate: nil),
        broken(
            "reset after the request was read", .dropRequest, .connection(.reset), fate: .requestLost(.reset)),
        broken("closed after the request was read", .dropRequest, fate: .requestLost(.closed)),
        broken(
            "stalled", .dropRequest, .connection(.silence), fate: .requestLost(.silence), atDiscovery: timedOut),
        broken(
            "a slow body", .drip(bytes: 1, every: .milliseconds(60)), fate: .answered, atDiscovery: timedOut),
        broken("answer lost, closed", .dropAnswer, fate: .answerLost(.closed)),
        broken("answer lost, reset", .dropAnswer, .connection(.reset), fate: .answerLost(.reset)),
        broken(
            "answer lost, stalled", .dropAnswer, .connection(.silence), fate: .answerLost(.silence),
            atDiscovery: timedOut),
        broken("half an answer, closed", .truncate(40), fate: .cutOff(.closed)),
        broken("half an answer, reset", .truncate(40), .connection(.reset), fate: .cutOff(.reset)),
        broken(
            "half an answer, stalled", .truncate(40), .connection(.silence), fate: .cutOff(.silence),
            atDiscovery: timedOut),
        answer("500", 500, passing(500)),
        answer("502 of a proxy", 502, passing(502), fields: html, body: page),
        answer("503", 503, passing(503, .seconds(30)), fields: ["Retry-After": "30"]),
        answer("504", 504, passing(504)),
        answer("408", 408, passing(408)),
        answer("429", 429, passing(429, .seconds(120)), fields: ["Retry-After": "120"]),
        answer(
            "HTML of a portal", 200, .malformedResponse(field: "body"),
            atDiscovery: .discoveryNotJSON(mediaType: "text/html"), fields: html, body: page),
        answer(
            "redirect of a portal", 302, .httpStatus(302, location: "http://portal.example/login"),
            fields: ["Location": "http://portal.example/login?x=1"]),
        answer(
            "an empty answer", 200, .malformedResponse(field: "body"), atDiscovery: .discoveryNotJSON(mediaType: nil)),
        answer(
            "JSON that is cut off", 200, .malformedResponse(field: "body"),
            atDiscovery: .discoveryNotJSON(mediaType: "application/json"), fields: ["Content-Type": "application/json"],
            body: #"{"access_token":"abc"#),
        answer(
            "an answer that is too large", 200, .responseTooLarge(limit: 1 << 20),
            body: String(repeating: " ", count: 1 + 1 << 20)),
        answer("401 without a word", 401, .httpStatus(401, location: nil)),
        answer(
            "a client that is refused", 400,
            .serverError(ServerError(code: "invalid_client", status: 400, members: ["error": "invalid_client"])),
            atDiscovery: .httpStatus(400, location: nil), body: #"{"error":"invalid_client"}"#),
    ]
}
