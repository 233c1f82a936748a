internal import Tern

/// The ways in which the command shows a page.
enum Agents {
    /// The system's browser, or an address to open by hand, with the answer caught on the loopback interface.
    static func loopback(announcing: Bool, console: Console) -> any UserAgent {
        LoopbackUserAgent(application: "tern", browser: browser(announcing: announcing, console: console))
    }

    /// The system's browser, or an address to open by hand.
    static func browser(announcing: Bool, console: Console) -> any BrowserOpener {
        announcing
            ? AnnouncingBrowser { announce($0, console) }
            : ObservedBrowser(browser: SystemBrowser()) { console.note("Waiting for you in the browser …") }
    }

    /// An address to open anywhere, and the callback pasted or the PIN typed here.
    static func paste(console: Console, isPIN: Bool = false) -> any UserAgent {
        TerminalPasteUserAgent(complain: { console.note($0) }) { page in
            announce(page, console)
            console.note(
                isPIN
                    ? "Then type the PIN that the page shows:"
                    : "Then paste the address that the browser ends at, or the code:")
        }
    }

    private static func announce(_ address: URI, _ console: Console) {
        console.note("Open this address: \(address.text)")
    }
}
