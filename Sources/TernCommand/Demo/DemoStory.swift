internal import Tern

/// Tells what happens, a line a step, and remembers whether everything held.
final class DemoStory: Sendable {
    private let console: Console
    private let steps = Locked<[JSONObject]>([])
    private let failures = Locked(0)

    init(_ console: Console) { self.console = console }

    /// A part of the story.
    func chapter(_ title: String) {
        if !console.isJSON { console.print("\n" + console.styled(title, .strong)) }
    }

    /// A step that must hold; `protection` says what it protects against.
    func check(_ holds: Bool, _ text: String, protection: String? = nil) {
        if !holds { failures.withLock { $0 += 1 } }
        guard !console.isJSON else {
            var step: JSONObject = ["step": .string(text), "held": .bool(holds)]
            step["protects_against"] = protection.map(JSON.string)
            return steps.withLock { $0.append(step) }
        }
        let mark = holds ? console.styled("✓", .good) : console.styled("✗", .bad)
        let reason = protection.map { console.styled("  (against \($0))", .faint) } ?? ""
        console.print("  \(mark) \(text)\(reason)")
    }

    /// Something worth knowing.
    func remark(_ text: String) {
        if !console.isJSON { console.print("    " + console.styled(text, .faint)) }
    }

    /// The end: whether everything held.
    func end() -> Bool {
        let failed = failures.withLock { $0 }
        if console.isJSON {
            console.print([
                "held": .bool(failed == 0), "steps": .array(steps.withLock { $0 }.map(JSON.object)),
            ])
        } else {
            console.print(
                failed == 0
                    ? "\n" + console.styled("Everything held.", .good)
                        + " Now sign in to a real server: tern login --help"
                    : "\n" + console.styled("\(failed) steps did not hold.", .bad))
        }
        return failed == 0
    }
}
