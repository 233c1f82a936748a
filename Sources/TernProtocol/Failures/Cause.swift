/// Something that may be behind an error: an entry of the knowledge by which errors explain themselves.
///
/// All entries together are ``Cause/all``. Which of them fit an error, and in which order, follows from the error's
/// ``Symptom``s and from the ``Clue``s that are known with it.
public struct Cause: Sendable, Hashable {
    /// The stable name, such as `redirect_uri_trailing_slash`.
    public let id: String
    /// What is wrong, as it stands behind "likely causes:".
    public let text: String
    /// What to check or change, in order.
    public let whatToDo: [String]
    /// What it looks like.
    public let symptoms: [Symptom]
    /// How likely it is when nothing else is known, in points: 10 is rare, 30 usual, 50 nearly always.
    public let likelihood: Int
    /// By how many points each clue makes it likelier, or less likely.
    public let weights: [Clue: Int]

    init(
        _ id: String, _ text: String, _ symptoms: [Symptom], _ likelihood: Int, _ weights: [Clue: Int] = [:],
        todo: String...
    ) {
        self.id = id
        self.text = text
        self.symptoms = symptoms
        self.likelihood = likelihood
        self.weights = weights
        whatToDo = todo
    }

    /// How likely it is as the cause of an error; `nil` where it does not look like this.
    public func points(for error: TernError) -> Int? {
        guard symptoms.contains(where: { $0.fits(error) }) else { return nil }
        return error.clues.reduce(likelihood) { $0 + (weights[$1] ?? 0) }
    }

    /// The causes that fit an error, the likeliest first.
    public static func ranked(for error: TernError) -> [Cause] {
        let fitting = all.enumerated().compactMap { (index, cause) in
            cause.points(for: error).map { (cause: cause, points: $0, index: index) }
        }
        return fitting.filter { $0.points > 0 }
            .sorted { ($1.points, $0.index) < ($0.points, $1.index) }
            .prefix(maximumCount).map(\.cause)
    }

    /// The most causes that an explanation names.
    public static let maximumCount = 5
}

/// What an error looks like: its name, and the steps at which it means the same.
public struct Symptom: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name: a code of ours, with a dot and more where the reason tells more (`network.timed_out`), or `server:` and the
    /// server's code.
    public let name: String
    /// The steps; empty for all.
    public let steps: Set<Step>

    /// Names a symptom.
    public init(_ name: String, at steps: Step...) {
        self.name = name
        self.steps = Set(steps)
    }

    /// Names a symptom of any step.
    public init(stringLiteral name: String) { self.init(name) }

    static func server(_ code: String, at steps: Step...) -> Symptom { Symptom("server:" + code, Set(steps)) }

    private init(_ name: String, _ steps: Set<Step>) {
        self.name = name
        self.steps = steps
    }

    /// Whether an error looks so.
    public func fits(_ error: TernError) -> Bool {
        (steps.isEmpty || steps.contains(error.step)) && error.symptomNames.contains(name)
    }

    /// The name.
    public var description: String { name }
}
