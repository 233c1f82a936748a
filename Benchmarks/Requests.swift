internal import Tern
internal import TernTesting

/// What a session adds to a request.
struct Requests {
    let meter: Meter

    func run() async throws {
        let transport = SystemTransport()
        let store = MemoryStore()
        let client = try OAuthClient(
            issuer: "https://issuer.bench.example", clientID: "bench-client",
            in: Environment(transport: transport, store: store))
        let record = StoredRecord(
            Array(
                """
                {"version":1,"access_token":"\(Base64URL.encode(SystemRandomSource().bytes(96)))","client_id":"bench-client",\
                "obtained_at":\(Int(SystemWallClock().now.secondsSince1970)),"lifetime":3600,"scope":"openid"}
                """.utf8))
        try await store.save(record, for: client.configuration.account)
        guard let session = try await client.session() else { throw Failure("no session") }
        let request = try HTTPRequest.get("https://api.bench.example/me")
        try await meter.measure("authorise_request") {
            if try await session.authorize(request).fields["Authorization"] == nil { throw Failure("no token") }
        }
        try await measureWithNetwork(transport, session)
    }

    /// An authorised GET beside the bare transport's, in turn, so that both meet the same moments.
    private func measureWithNetwork(_ transport: any HTTPTransport, _ session: Session) async throws {
        let server = try await AnsweringServer.start()
        let address = Surroundings.variable("BENCH_SERVER").map { $0 + "/resource" } ?? server.address
        let request = try HTTPRequest.get(address)
        var (authorised, bare) = (0.0, 0.0)
        for round in 0..<4 {
            let isLast = round == 3
            authorised += try await meter.measure(isLast ? "authorised_get" : nil) {
                _ = try await session.send(request)
            }
            bare += try await meter.measure(isLast ? "bare_get" : nil) {
                _ = try await transport.send(request, step: .resourceRequest)
            }
        }
        if authorised.isFinite, bare.isFinite { print("authorised_get_share \(authorised / bare)") }
        await server.stop()
    }
}
