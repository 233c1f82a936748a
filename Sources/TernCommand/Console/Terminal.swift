#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// What is known of the terminal behind standard error, where people read.
enum Terminal {
    /// How many characters a line holds; `nil` where no terminal is there, or one that does not say.
    static var columns: Int? {
        guard isatty(2) == 1 else { return nil }
        var size = winsize()
        guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Whether it shows colours.
    static var showsColors: Bool {
        (Process.environment("NO_COLOR") ?? "").isEmpty && Process.environment("TERM") != "dumb" && isatty(2) == 1
    }
}
