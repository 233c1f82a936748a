import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting

/// A session that already holds a grant, at a token endpoint that does what the test says.
struct HeldGrant {
    static let issuer = "https://idp.example"
    static let clientID = "native-app-1"

    let clock: FakeClock
    let store = MemoryStore()
    let client: OAuthClient
    let transport: Scripted

    /// One hour from now on.
    init(
        clock: FakeClock = FakeClock(sleepsPassAtOnce: true), record: StoredRecord? = nil,
        configure: (inout ClientConfiguration) -> Void = { _ in }, _ answer: @escaping Scripted.Answer
    ) async throws {
        self.clock = clock
        transport = Scripted(answer)
        var configuration = try ClientConfiguration(
            server: .metadata(
                ServerMetadata(members: [
                    "issuer": .string(Self.issuer), "authorization_endpoint": "https://idp.example/a",
                    "token_endpoint": "https://idp.example/t", "revocation_endpoint": "https://idp.example/r",
                ])), clientID: Self.clientID, redirectURI: try RedirectURI("com.example.app:/cb"), scope: ["api"])
        configure(&configuration)
        client = OAuthClient(configuration, in: Environment(transport: transport, store: store, clock: clock))
        try await store.save(record ?? Self.record(obtainedAt: clock.now), for: configuration.account)
    }

    static func record(
        access: String = "at-old", refresh: String? = "rt-1", lifetime: Double? = 3_600, obtainedAt: NumericDate,
        version: Int64 = 1, offset: Double? = nil, subject: String? = nil
    ) -> StoredRecord {
        var object: JSONObject = [
            "version": .number(JSONNumber(version)), "access_token": .string(access), "scope": "api",
            "client_id": .string(clientID),
        ]
        object["obtained_at"] = JSONNumber(obtainedAt.secondsSince1970).map(JSON.number)
        object["lifetime"] = lifetime.flatMap { JSONNumber($0) }.map(JSON.number)
        object["clock_offset"] = offset.flatMap { JSONNumber($0) }.map(JSON.number)
        object["refresh_token"] = refresh.map(JSON.string)
        object["sub"] = subject.map(JSON.string)
        return StoredRecord(JSON.object(object).serialized())
    }

    func session() async throws -> Session {
        guard let session = try await client.session() else { throw TernError(.signedOut, at: .storage) }
        return session
    }

    func stored() async throws -> Credential? {
        try await store.load(client.configuration.account).map { record in try Credential(record) }
    }

    static func tokens(_ access: String, refresh: String? = nil, lifetime: Int = 3_600) -> HTTPResponse {
        let refresh = refresh.map { #","refresh_token":"\#($0)""# } ?? ""
        let body = #"{"access_token":"\#(access)","token_type":"Bearer","expires_in":\#(lifetime)\#(refresh)}"#
        return HTTPResponse(status: 200, fields: ["Content-Type": "application/json"], body: Array(body.utf8))
    }

    static func refused(_ code: String, status: Int = 400) -> HTTPResponse {
        HTTPResponse(
            status: status, fields: ["Content-Type": "application/json"], body: Array(#"{"error":"\#(code)"}"#.utf8))
    }

    /// A transport that answers as it is told, and counts.
    final class Scripted: HTTPTransport {
        typealias Answer = @Sendable (_ request: HTTPRequest, _ number: Int) async throws(TernError) -> HTTPResponse

        private let requests = Locked<[HTTPRequest]>([])
        private let answer: Answer

        init(_ answer: @escaping Answer) { self.answer = answer }

        var sent: [HTTPRequest] { requests.withLock { $0 } }

        func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
            let number = requests.withLock { requests in
                requests.append(request)
                return requests.count
            }
            return try await answer(request, number)
        }
    }
}

/// What a call threw; `nil` when it threw nothing.
func reason(_ body: () async throws -> some Any) async -> TernError.Reason? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? TernError)?.reason
    }
}
