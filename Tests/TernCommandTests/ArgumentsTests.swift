import Testing

@testable import TernCommand

@Suite("Arguments")
struct ArgumentsTests {
    private let command = CommandSpecification(
        "call", "calls", operand: "URL",
        options: [
            OptionSpecification("--method", value: "METHOD", "the method"),
            OptionSpecification("--include", "the head"),
        ])

    @Test("Options, values in both forms, and an operand are read")
    func reads() throws {
        let arguments = try Arguments(
            ["--method=PUT", "--include", "https://api.example.com/", "--json"], for: command)
        #expect(arguments.value("--method") == "PUT")
        #expect(arguments.has("--include") && arguments.has("--json"))
        #expect(arguments.operand == "https://api.example.com/")
        #expect(try Arguments(["--method", "PUT"], for: command).value("--method") == "PUT")
        #expect(try Arguments(["--", "--json"], for: command).operand == "--json")
    }

    @Test(
        "Wrong calls say what is wrong and suggest what was meant",
        arguments: [
            (["--methd", "PUT"], "unknown option \"--methd\"; did you mean \"--method\"?"),
            (["--quite-something-else"], "unknown option \"--quite-something-else\""),
            (["--method"], "--method wants a value: --method METHOD"),
            (["--method", "--json"], "--method wants a value: --method METHOD"),
            (["--json=1"], "--json takes no value"),
            (["--json", "--json"], "--json stands there twice"),
            (["one", "two"], "\"two\" is too much"),
        ])
    func refuses(words: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try Arguments(words, for: command) }
        #expect(error?.message == message)
    }

    @Test("Numbers are held against their bounds")
    func numbers() throws {
        let serve = ServeCommand.specification
        #expect(try Arguments(["--port", "8080"], for: serve).number("--port", in: 0...65_535) == 8_080)
        for wrong in ["-1", "65536", "80a", "99999999999999999999"] {
            #expect(throws: UsageError.self) {
                try Arguments(["--port=\(wrong)"], for: serve).number("--port", in: 0...65_535)
            }
        }
    }

    @Test("Swapped, missing, added and changed letters are near; other words are not")
    func spelling() {
        let known = ["login", "logout", "token", "whoami", "accounts"]
        #expect(Spelling.nearest(to: "lgoin", among: known) == "login")
        #expect(Spelling.nearest(to: "tokn", among: known) == "token")
        #expect(Spelling.nearest(to: "whoamii", among: known) == "whoami")
        #expect(Spelling.nearest(to: "acco", among: known) == "accounts")
        #expect(Spelling.nearest(to: "xyz", among: known) == nil)
        #expect(Spelling.distance("kitten", "sitting") == 3)
    }

    @Test("Every subcommand has a help text that names its options")
    func help() {
        for command in Main.commands {
            let text = Help.text(of: command.specification)
            #expect(text.contains("usage: tern \(command.specification.name)"))
            for option in command.specification.options { #expect(text.contains(option.name)) }
        }
        #expect(Help.text(of: Main.commands.map { $0.specification }).contains("130 cancelled"))
    }

    @Test("A secret is never an argument: no option takes one")
    func noSecrets() {
        for option in Main.commands.flatMap({ $0.specification.options }) {
            #expect(!["--client-secret", "--password", "--token"].contains(option.name))
        }
    }
}
