internal import Tern

/// The file into which a command writes the trace of what it did.
struct TraceFile: Sendable {
    /// Where the events of the running command go.
    @TaskLocal static var events: (any EventSink)?

    private enum Form: String, CaseIterable { case html, svg, json }

    private let path: String
    private let form: Form
    private let recorder = TraceRecorder()

    /// Takes the name of a file, whose ending says in which form it is written.
    init(_ path: String) throws(UsageError) {
        guard let form = Form.allCases.first(where: { path.lowercased().hasSuffix("." + $0.rawValue) }) else {
            throw UsageError("--trace wants a file that ends in .html, .svg or .json")
        }
        self.path = path
        self.form = form
    }

    /// Runs a command and writes down what it did, however it ends.
    func recording(
        _ title: String, _ console: Console, _ body: @Sendable () async -> ExitStatus
    ) async -> ExitStatus {
        let status = await Self.$events.withValue(recorder) { await body() }
        let trace = recorder.trace(title: title)
        let text =
            switch form {
            case .html: trace.html
            case .svg: trace.svg()
            case .json: JSON.object(trace.json).text
            }
        guard SmallFile.write(Array(text.utf8), to: path) else {
            console.note("tern: the trace could not be written to \(Console.plain(path))")
            return status == .success ? .usage : status
        }
        console.remark("The trace of \(trace.entries.count) steps is in \(path). It holds no secret.")
        return status
    }
}
