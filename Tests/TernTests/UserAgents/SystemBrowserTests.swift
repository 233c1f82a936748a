import TernProtocol
import Testing

@testable import Tern

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct SystemBrowserTests {
    private static let address = "http://127.0.0.1/a?b=$(c)&d='e'"

    private func open(_ environment: [String: String], _ address: String = address) async throws {
        let browser = SystemBrowser(environment: { environment[$0] }, patience: .milliseconds(500))
        try await browser.open(try URI.required(address, field: "page"))
    }

    /// A program of the given lines for the shell, in a folder of its own that `body` gets too.
    private func withProgram(_ lines: String, _ body: (String, String) async throws -> Void) async throws {
        var template = Array("/tmp/tern-browser-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        let program = folder + "/browser"
        defer {
            for name in ["browser", "seen"] { unlink("\(folder)/\(name)") }
            rmdir(folder)
        }
        let file = try #require(fopen(program, "w"))
        fputs("#!/bin/sh\n\(lines.replacing("FOLDER", with: folder))\n", file)
        fclose(file)
        chmod(program, 0o700)
        try await body(program, folder)
    }

    private func contents(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1_000)
        return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    }

    @Test func usesTheFirstCommandThatWorksAndGivesItTheAddressUntouched() async throws {
        try await withProgram("printf %s \"$*\" > FOLDER/part && mv FOLDER/part FOLDER/seen") { program, folder in
            try await open(["BROWSER": "/nonexistent/browser:false:\(program) --new:false"])
            // A slow machine may still be writing after the opener's patience.
            while contents(folder + "/seen") == nil { await Task.yield() }
            #expect(contents(folder + "/seen") == "--new " + Self.address)
        }
    }

    #if os(Linux)
        @Test func doesNotHandOnWhatThisProcessIgnores() async throws {
            let before = [SIGTERM, SIGPIPE].map { ($0, signal($0, SIG_IGN)) }
            defer { for (number, handler) in before { signal(number, handler) } }
            let script = "grep SigIgn /proc/self/status > FOLDER/part && mv FOLDER/part FOLDER/seen"
            try await withProgram(script) { program, folder in
                try await open(["BROWSER": program])
                while contents(folder + "/seen") == nil { await Task.yield() }
                let words = (contents(folder + "/seen") ?? "").split(whereSeparator: \.isWhitespace)
                let ignored = try #require(words.last.flatMap { UInt64($0, radix: 16) })
                #expect(ignored & (1 << UInt64(SIGTERM - 1) | 1 << UInt64(SIGPIPE - 1)) == 0)
            }
        }
    #endif

    @Test func doesNotWaitForCommandsThatStay() async throws {
        try await withProgram("exec sleep 20") { program, _ in
            let start = ContinuousClock.now
            try await open(["BROWSER": program])
            #expect(ContinuousClock.now - start < .seconds(15))
        }
    }

    @Test func saysWhatFailed() async throws {
        for (environment, problem) in [
            (["BROWSER": "false"], "\"false\" ended with status 1"),
            (["BROWSER": "/nonexistent/browser"], "\"/nonexistent/browser\" cannot be started"),
            ([:], "there is no screen (DISPLAY is not set)"),
        ] {
            let error = await #expect(throws: TernError.self) { try await open(environment) }
            #expect(error?.reason == .browserUnavailable(problem))
        }
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "x-app:/y"])
    func opensNothingButHTTP(address: String) async {
        let error = await #expect(throws: TernError.self) { try await open(["BROWSER": "true"], address) }
        #expect(error?.code == "browser_unavailable")
    }

    @Test func putsTheAddressWhereTheCommandWantsIt() throws {
        let page = try URI.required("http://a/?x=1 2".replacing(" ", with: "%20"), field: "page")
        #expect(SystemBrowser.arguments(["b"], page) == ["b", "http://a/?x=1%202"])
        #expect(SystemBrowser.arguments(["b", "--app=%s", "-n"], page) == ["b", "--app=http://a/?x=1%202", "-n"])
    }
}
