public import TernJOSE

/// An error in plain words: what happened, what probably caused it, what to do.
public struct Explanation: Sendable, Hashable {
    /// What may be behind it.
    public struct LikelyCause: Sendable, Hashable {
        /// The stable name, which is ``Cause/id`` of an entry of ``Cause/all``; empty where another process told of it.
        public let id: String
        /// What is wrong.
        public let text: String
        /// What to check or change, in order.
        public let whatToDo: [String]
    }

    /// One or two sentences about what happened.
    public let whatHappened: String
    /// Likely causes with what to do about each, the likeliest first.
    public let causes: [LikelyCause]
    /// Texts that should have been the same, side by side.
    public let comparisons: [Comparison]
    /// What to check or change, in order.
    public let whatToDo: [String]

    /// Likely causes in words, the likeliest first.
    public var likelyCauses: [String] { causes.map(\.text) }

    init(_ whatHappened: String, _ causes: [Cause], comparisons: [Comparison]) {
        self.whatHappened = whatHappened
        self.comparisons = comparisons
        self.causes = causes.map { LikelyCause(id: $0.id, text: $0.text, whatToDo: $0.whatToDo) }
        var known: Set<String> = []
        whatToDo = causes.flatMap(\.whatToDo).filter { known.insert($0).inserted }
    }

    /// What another process told of an error.
    init(_ whatHappened: String, causes: [LikelyCause], comparisons: [Comparison], whatToDo: [String]) {
        self.whatHappened = whatHappened
        self.causes = causes
        self.comparisons = comparisons
        self.whatToDo = whatToDo
    }
}

extension Explanation.LikelyCause {
    init(_ json: JSONObject) {
        self.init(
            id: json["id"]?.string ?? "", text: json["text"]?.string ?? "",
            whatToDo: (json["what_to_do"]?.array ?? []).compactMap(\.string))
    }

    /// The cause as an object for machines.
    public var json: JSONObject {
        ["id": .string(id), "text": .string(text), "what_to_do": .array(whatToDo.map(JSON.string))]
    }
}

extension TernError {
    /// The error in plain words, with the causes that fit what is known.
    public var explanation: Explanation {
        if case .reported(let failure) = reason { return failure.explanation }
        return Explanation(whatHappened, Cause.ranked(for: self), comparisons: comparisons)
    }

    /// The stable name of the likeliest cause.
    public var likeliestCause: String? { Cause.ranked(for: self).first?.id }
}
