public import Foundation
public import TernProtocol

extension URI {
    /// An address of Foundation's as the protocol's; `nil` when it is relative.
    public init?(_ url: URL) { self.init(url.absoluteString) }
}

extension URL {
    /// An address of the protocol's as Foundation's; `nil` when Foundation does not take it.
    public init?(_ uri: URI) { self.init(string: uri.text, encodingInvalidCharacters: false) }
}
