public import Foundation
public import TernJOSE

extension NumericDate {
    /// A date of Foundation's as the protocol's.
    public init(_ date: Date) { self.init(date.timeIntervalSince1970) }
}

extension Date {
    /// A date of the protocol's as Foundation's.
    public init(_ date: NumericDate) { self.init(timeIntervalSince1970: date.secondsSince1970) }
}
