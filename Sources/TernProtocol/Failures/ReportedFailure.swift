public import TernJOSE

/// What is known of a failure in another process: its code, its step and its explanation, which hold no secret.
public struct ReportedFailure: Sendable, Hashable {
    /// The stable name of the reason there.
    public let code: String
    /// Where in the round trip.
    public let step: Step
    /// The failure in plain words.
    public let explanation: Explanation

    /// Takes what may be told of an error.
    public init(_ error: TernError) {
        code = error.code
        step = error.step
        explanation = error.explanation
    }

    /// Reads what ``json`` wrote; `nil` when it is something else.
    public init?(_ json: JSONObject) {
        guard let code = json["code"]?.string, let step = json["step"]?.string.flatMap(Step.init(rawValue:)),
            let message = json["message"]?.string
        else { return nil }
        func texts(_ name: String) -> [String] { (json[name]?.array ?? []).compactMap(\.string) }
        self.code = code
        self.step = step
        let causes = (json["causes"]?.array ?? []).compactMap(\.object).map(Explanation.LikelyCause.init)
        explanation = Explanation(
            message,
            causes: causes.isEmpty
                ? texts("likely_causes").map { Explanation.LikelyCause(id: "", text: $0, whatToDo: []) } : causes,
            comparisons: (json["comparisons"]?.array ?? []).compactMap(\.object).compactMap(Comparison.init),
            whatToDo: texts("what_to_do"))
    }

    /// The failure as a JSON object, as it goes from one process to another.
    public var json: JSONObject {
        [
            "code": .string(code), "step": .string(step.rawValue), "message": .string(explanation.whatHappened),
            "likely_causes": .array(explanation.likelyCauses.map(JSON.string)),
            "what_to_do": .array(explanation.whatToDo.map(JSON.string)),
            "causes": .array(explanation.causes.map { .object($0.json) }),
            "comparisons": .array(explanation.comparisons.map { .object($0.json) }),
        ]
    }
}
