internal import Tern

/// The ways in which the command shows a page.
enum Agents {
    /// The system's browser, or an address to open by hand, with the answer caught on the loopback interface.
    static func loopback(
        for purpose: Purpose = .signIn, announcing: Bool, console: Console
    ) -> any UserAgent {
        let opener: any BrowserOpener =
            announcing
            ? AnnouncingBrowser { announce($0, console) }
            : ObservedBrowser(browser: SystemBrowser()) { console.note("Waiting for you in the browser …") }
        return LoopbackUserAgent(browser: opener, page: purpose.lastPage)
    }

    /// What the user is in the browser for, which the last page tells.
    enum Purpose {
        case signIn, signOut

        var lastPage: CallbackPage {
            var page = CallbackPage(application: "tern")
            if self == .signOut {
                page.successTitle = "You are signed out"
                page.failureTitle = "The sign-out did not work"
            }
            return page
        }
    }

    /// An address to open anywhere, and the callback pasted here.
    static func paste(console: Console) -> any UserAgent {
        TerminalPasteUserAgent(complain: { console.note($0) }) { page in
            announce(page, console)
            console.note("Then paste the address that the browser ends at, or the code:")
        }
    }

    private static func announce(_ address: URI, _ console: Console) {
        console.note("Open this address: \(address.text)")
    }
}
