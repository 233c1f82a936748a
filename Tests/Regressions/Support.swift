import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// What most cases share: the time, the client and its server.
enum Fixed {
    /// 2025-06-15 15:06:40 UTC.
    static let now = NumericDate(1_750_000_000)
    static let issuer = "https://idp.example"
    static let clientID = "native-app-1"
    static let nonce = "n-open-1"
    static let state = "st-open-1"
}

/// An answer of an endpoint; `type` is its label, `nil` for none.
func answer(_ status: Int = 200, _ type: String? = "application/json", _ body: String = "") -> HTTPResponse {
    answer(status, type, Array(body.utf8))
}

func answer(_ status: Int = 200, _ type: String? = "application/json", _ body: [UInt8]) -> HTTPResponse {
    var fields: HTTPFields = [:]
    fields["Content-Type"] = type
    return HTTPResponse(status: status, fields: fields, body: body)
}

func address(_ text: String) throws -> URI { try #require(URI(text)) }

/// The reason for which `body` fails; `nil` when it succeeds.
func reason<Result>(_ body: () throws -> Result) throws -> TernError.Reason? {
    do {
        _ = try body()
        return nil
    } catch let error as TernError {
        return error.reason
    }
}

/// The reason for which `body` fails; `nil` when it succeeds.
func asyncReason<Result: Sendable>(_ body: () async throws -> Result) async throws -> TernError.Reason? {
    do {
        _ = try await body()
        return nil
    } catch let error as TernError {
        return error.reason
    }
}

extension TernError.Reason {
    /// The server's words, where it gave any.
    var serverError: ServerError? { TernError(self, at: .tokenRequest).serverError }
    /// The field of a malformed answer.
    var malformedField: String? { if case .malformedResponse(let field, _) = self { field } else { nil } }
}
