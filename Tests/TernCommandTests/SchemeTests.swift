import Foundation
import Tern
import Testing

@testable import TernCommand

@Suite("Schemes of one's own")
struct SchemeTests {
    @Test("An entry opens the addresses of its scheme, unseen in menus")
    func entry() throws {
        let entry = try DesktopEntry(scheme: "com.example.app", command: ["/usr/bin/tern", "callback", "--"])
        #expect(entry.fileName == "tern-com.example.app.desktop")
        let lines = entry.text.split(separator: "\n")
        #expect(lines.first == "[Desktop Entry]")
        for line in [
            "Type=Application", "Exec=/usr/bin/tern callback -- %u", "NoDisplay=true", "Terminal=false",
            "MimeType=x-scheme-handler/com.example.app;",
        ] {
            #expect(lines.contains(Substring(line)))
        }
        #expect(throws: TernError.self) {
            try DesktopEntry(scheme: "com.example.app", command: ["/usr/bin/a\nMimeType=text/html"])
        }
    }

    // The specification's section "The Exec key": quoted, escaped inside the quotes, and escaped again as a value.
    @Test(
        "Arguments are quoted where that is needed",
        arguments: [
            ("/usr/bin/tern", "/usr/bin/tern"), ("--store", "--store"), ("/home/a b/tern", "\"/home/a b/tern\""),
            (#"/a"b"#, #""/a\\"b""#), ("/a`b", #""/a\\`b""#), ("/a$b", #""/a\\$b""#), (#"/a\b"#, #""/a\\\\b""#),
            ("/100%u", "\"/100%%u\""), ("/a;b", "\"/a;b\""), ("", "\"\""),
        ])
    func quoting(word: String, expected: String) { #expect(DesktopEntry.quoted(word) == expected) }

    @Test("A scheme looks like a domain name in reverse order")
    func schemes() throws {
        #expect(try DesktopEntry.checked("com.example.app") == "com.example.app")
        #expect(try DesktopEntry.checked("COM.Example.app-2") == "com.example.app-2")
        let refused = [
            "http", "https", "mailto", "file", "soap.beep", "Z39.50", "myapp", "", ".", "com.", ".com", "com..app",
            "com.example.app:", "com.example.app:/x",
            "com example.app", "1com.example", "javascript", "a/../b.c", "com.example\n.app", "x-scheme.ä",
            String(repeating: "a.", count: 150) + "b",
        ]
        for scheme in refused {
            #expect(throws: UsageError.self, "\(scheme)") { try DesktopEntry.checked(scheme) }
        }
    }

    @Test("The list of default applications keeps everything else, and what was preferred before")
    func list() {
        let type = "x-scheme-handler/com.example.app"
        var fresh = DefaultApplications("")
        fresh.prefer("a.desktop", for: type)
        #expect(fresh.text == "[Default Applications]\n\(type)=a.desktop;\n")
        fresh.remove("a.desktop", for: type)
        #expect(fresh.applications(for: type).isEmpty)

        let old = """
            # mine
            [Added Associations]
            \(type)=z.desktop;

            [Default Applications]
            text/html=firefox.desktop
            \(type)=old.desktop
            [Removed Associations]
            text/plain=x.desktop;
            """
        var list = DefaultApplications(old)
        list.prefer("a.desktop", for: type)
        #expect(list.applications(for: type) == ["a.desktop", "old.desktop"])
        #expect(
            list.text == old.replacingOccurrences(of: "\(type)=old.desktop", with: "\(type)=a.desktop;old.desktop;"))
        let once = list
        list.prefer("a.desktop", for: type)
        #expect(list == once)
        list.remove("a.desktop", for: type)
        #expect(list.applications(for: type) == ["old.desktop"])
        list.remove("a.desktop", for: type)
        #expect(list.applications(for: "text/html") == ["firefox.desktop"])
        #expect(list.text.hasSuffix("text/plain=x.desktop;"))
    }

    #if os(Linux)
        @Test("Installing twice is installing once, and removing undoes it")
        func handler() throws {
            let folder = try TemporaryFolder()
            let data = folder.path + "/data"
            let environment = ["HOME": folder.path, "XDG_DATA_HOME": data, "XDG_CONFIG_HOME": "relative"]
            let handler = try SchemeHandler(scheme: "com.example.app", store: folder.path + "/store") {
                environment[$0]
            }
            #expect(!handler.isInstalled)
            #expect(try handler.install().didSomething)
            #expect(handler.isInstalled)
            #expect(try !handler.install().didSomething)
            #expect(handler.entryPath == data + "/applications/tern-com.example.app.desktop")
            let text = try String(contentsOfFile: handler.entryPath, encoding: .utf8)
            #expect(text.contains(" callback --store \(folder.path)/store -- %u\n"))
            let list = try String(contentsOfFile: folder.path + "/.config/mimeapps.list", encoding: .utf8)
            #expect(list.contains("x-scheme-handler/com.example.app=tern-com.example.app.desktop;"))
            #expect(try handler.remove().didSomething)
            #expect(!handler.isInstalled)
            #expect(try !handler.remove().didSomething)
            #expect(!FileManager.default.fileExists(atPath: handler.entryPath))
        }

        @Test("A list that is a symbolic link stays one, and a folder that cannot be written is told of")
        func trouble() throws {
            let folder = try TemporaryFolder()
            let elsewhere = folder.path + "/elsewhere"
            try "[Default Applications]\n".write(toFile: elsewhere, atomically: false, encoding: .utf8)
            try FileManager.default.createDirectory(
                atPath: folder.path + "/.config", withIntermediateDirectories: false)
            let link = folder.path + "/.config/mimeapps.list"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: elsewhere)
            let handler = try SchemeHandler(scheme: "com.example.app", store: nil) { ["HOME": folder.path][$0] }
            _ = try handler.install()
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == elsewhere)
            #expect(try String(contentsOfFile: elsewhere, encoding: .utf8).contains("tern-com.example.app.desktop"))

            let file = try SchemeHandler(scheme: "com.example.app", store: nil) { ["HOME": elsewhere][$0] }
            let error = #expect(throws: TernError.self) { try file.install() }
            #expect(error?.code == "unsupported_redirect")
            #expect(throws: TernError.self) { try SchemeHandler(scheme: "com.example.app", store: nil) { _ in nil } }
        }
    #endif
}
