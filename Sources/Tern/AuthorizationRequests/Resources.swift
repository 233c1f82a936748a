internal import TernJOSE
internal import TernProtocol

extension [URI] {
    /// The addresses that a record holds as a list of texts.
    init(json: JSON?) { self = (json?.array ?? []).compactMap { $0.string.flatMap { URI($0) } } }
}
