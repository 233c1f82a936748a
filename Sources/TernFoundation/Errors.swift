public import Foundation
public import TernProtocol

extension TernError: LocalizedError {
    /// What happened.
    public var errorDescription: String? { explanation.whatHappened }

    /// The likely causes, the likeliest first.
    public var failureReason: String? {
        explanation.likelyCauses.isEmpty ? nil : explanation.likelyCauses.joined(separator: "; ")
    }

    /// What to do.
    public var recoverySuggestion: String? {
        explanation.whatToDo.isEmpty ? nil : explanation.whatToDo.joined(separator: "; ")
    }
}
