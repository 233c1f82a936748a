internal import TernJOSE
internal import TernProtocol

/// The server's clock against this machine's.
enum ClockLook {
    static func finding(_ response: HTTPResponse, at now: NumericDate) -> Finding {
        guard let date = response.fields["Date"].flatMap({ HTTPDate($0) })?.date else {
            return Finding(.unchecked, "clock", "The server does not tell its time", "Its answer has no Date.")
        }
        // What comes from a cache was dated when it went in.
        let age = response.fields["Age"].flatMap { Int($0) }.map { min(max(0, $0), 31_536_000) } ?? 0
        let difference = now.secondsSince1970 - date.secondsSince1970 - Double(age)
        let seconds = Int(min(1e12, abs(difference)).rounded())
        let leeway = Int(IDToken.standardLeeway.components.seconds)
        guard seconds > leeway else {
            return Finding(
                .passed, "clock", "The clocks agree", "They are \(Shown.count(seconds, "second")) apart.")
        }
        return Finding(
            .failed, "clock",
            "This machine's clock is \(Shown.count(seconds, "second")) \(difference > 0 ? "ahead of" : "behind") the server's",
            "ID tokens are refused when clocks are more than \(leeway) seconds apart.",
            fix: "set the clock of this machine, or the server's, to network time",
            comparison: Comparison("here", "\(HTTPDate(date: now))", "server", "\(HTTPDate(date: date))"))
    }
}
