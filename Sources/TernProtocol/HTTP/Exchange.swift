/// One call to an endpoint as a value: it knows how to ask and how to read the answer.
///
/// Client authentication, retry and tracing wrap an exchange from outside and know nothing of its meaning.
public protocol Exchange<Answer>: Sendable {
    /// What a good answer becomes.
    associatedtype Answer: Sendable

    /// The step of the round trip that errors name.
    var step: Step { get }

    /// The secrets that the request carries, so that they can be taken out of whatever the server repeats.
    var secrets: [String] { get }

    /// The request, without client authentication.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` when the values do not make a request.
    func request() throws(TernError) -> HTTPRequest

    /// Reads the answer.
    ///
    /// - Throws: ``TernError``: what the server said, or what is wrong with the answer.
    func answer(from response: HTTPResponse) throws(TernError) -> Answer
}

extension Exchange {
    /// No secrets.
    public var secrets: [String] { [] }
}
