internal import Tern

/// The file that tells a Linux desktop to open the addresses of a scheme with a program (Desktop Entry Specification 1.5).
struct DesktopEntry {
    let scheme: String
    /// The program and its arguments; the address is put behind them.
    let command: [String]

    var fileName: String { "tern-\(scheme).desktop" }

    var mediaType: String { "x-scheme-handler/\(scheme)" }

    var text: String {
        """
        [Desktop Entry]
        Type=Application
        Name=Tern (\(scheme))
        Comment=Finishes a sign-in
        Exec=\(command.map(Self.quoted).joined(separator: " ")) %u
        Terminal=false
        NoDisplay=true
        StartupNotify=false
        MimeType=\(mediaType);

        """
    }

    /// Whether a word stands in `Exec` as it is. xdg-open without a desktop splits at blanks and knows no quotes, so that
    /// only such words work everywhere.
    static func isPlain(_ word: String) -> Bool {
        !word.isEmpty
            && word.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "-._/+:@,".utf8.contains(byte)
            }
    }

    /// An argument of `Exec`: in double quotes, with a backslash before what means something there, and once more written
    /// as a value, in which a backslash is two; a percent sign is two.
    static func quoted(_ word: String) -> String {
        guard !isPlain(word) else { return word }
        var inner = ""
        for character in word {
            switch character {
            case "\\": inner += #"\\\\"#
            case "\"", "`", "$": inner += #"\\"# + String(character)
            case "%": inner += "%%"
            default: inner.append(character)
            }
        }
        return "\"\(inner)\""
    }

    init(scheme: String, command: [String]) throws(TernError) {
        guard !command.contains(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) else {
            throw TernError(
                .unsupportedRedirect("the path of the program or of the store has control characters"),
                at: .configuration)
        }
        self.scheme = scheme
        self.command = command
    }

    /// A scheme that an application may claim: with a dot, which is the sign of a domain name in reverse order (RFC 8252
    /// §7.1), in lower case, as systems hand it over.
    static func checked(_ scheme: String) throws(UsageError) -> String {
        let uri = URI(scheme + ":/callback")
        guard let uri, uri.scheme == scheme, scheme.utf8.count <= 200 else {
            throw UsageError("\"\(UsageError.shown(scheme))\" is no scheme; one looks like com.example.app")
        }
        guard scheme.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty }),
            scheme.contains(".")
        else {
            throw UsageError(
                "the scheme \"\(scheme)\" is not a domain name in reverse order, such as com.example.app "
                    + "(RFC 8252 §7.1)")
        }
        guard !registered.contains(uri.normalizedScheme) else {
            throw UsageError(
                "the scheme \"\(scheme)\" belongs to everybody; use a domain name of yours in reverse order")
        }
        return uri.normalizedScheme
    }

    /// The schemes with a dot that are registered for protocols (IANA, Uniform Resource Identifier Schemes).
    private static let registered: Set = [
        "iris.beep", "iris.lwz", "iris.xpc", "iris.xpcs", "soap.beep", "soap.beeps", "xmlrpc.beep", "xmlrpc.beeps",
        "z39.50", "z39.50r", "z39.50s",
    ]
}
