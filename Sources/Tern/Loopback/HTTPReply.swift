package import TernProtocol

/// What a listener does after a request: it answers, or it fails in one of the ways in which servers fail.
package struct HTTPReply: Sendable {
    /// What becomes of the connection after what is sent.
    package enum End: Sendable {
        /// It goes on or is closed, as HTTP says.
        case regular
        /// It is closed, whatever the answer's head had promised.
        case closed
        /// It is reset: what the peer had not read yet may be lost.
        case reset
        /// It stays open and nothing comes any more, until the peer closes it or the listener stops.
        case silence
    }

    /// Pieces of a body with pauses between them.
    package struct Pace: Sendable {
        /// The bytes of a piece; at least one.
        package var byteCount: Int
        /// The pause before each further piece, in milliseconds.
        package var milliseconds: Int64

        /// Describes a pace.
        package init(byteCount: Int, milliseconds: Int64) {
            self.byteCount = max(1, byteCount)
            self.milliseconds = max(0, milliseconds)
        }
    }

    /// The answer, whose head is always sent whole; `nil` to send nothing.
    package var response: HTTPResponse?
    /// How many bytes of the body are sent; all of them where `nil`. The head promises all of them.
    package var bodyByteCount: Int?
    /// What becomes of the connection then.
    package var end: End
    /// How the body is sent; at once where `nil`.
    package var pace: Pace?

    /// Describes what is done.
    package init(_ response: HTTPResponse?, bodyByteCount: Int? = nil, end: End = .regular, pace: Pace? = nil) {
        self.response = response
        self.bodyByteCount = bodyByteCount
        self.end = end
        self.pace = pace
    }
}
