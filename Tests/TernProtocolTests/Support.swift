import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// An answer of an endpoint; `type` is its label, `nil` for none.
func answer(
    _ status: Int = 200, _ type: String? = "application/json", _ body: String = "", _ further: HTTPFields = [:]
) -> HTTPResponse {
    var fields = further
    fields["Content-Type"] = type
    return HTTPResponse(status: status, fields: fields, body: Array(body.utf8))
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

extension TernError.Reason {
    /// The field that the configuration has wrong.
    var invalidField: String? { if case .invalidConfiguration(let field, _) = self { field } else { nil } }
    /// The field of a malformed answer.
    var malformedField: String? { if case .malformedResponse(let field, _) = self { field } else { nil } }
    /// The server's words.
    var words: ServerError? { TernError(self, at: .tokenRequest).serverError }
}
