import Tern
import TernProtocol
import Testing

// The rules of the pages "applinks.Details.Components" and "applinks.SubstitutionVariables" of Apple's documentation.
@Suite("Patterns of association files")
struct AssociationPatternTests {
    private static let app = "ABCDE12345.com.example.app"

    private func decision(
        _ components: String, _ path: String, rest: String = "", detail: String = ""
    ) throws -> AssociationFile.Decision {
        let text = #"""
            {"applinks": {\#(rest) "details": [
                {"appIDs": ["\#(Self.app)"], \#(detail) "components": [\#(components)]}]}}
            """#
        let file = try AssociationFile(parsing: Array(text.utf8))
        #expect(file.problems.isEmpty)
        return file.decision(for: try #require(URI("https://app.example.com\(path)")), app: Self.app)
    }

    @Test(
        "Wildcards",
        arguments: [
            ("/callback", "/callback", true), ("/callback", "/Callback", false), ("/callback", "/callback/", false),
            ("/callback", "/callbac", false), ("*", "", true), ("*", "/a/b", true), ("/", "", true), ("/*", "/", true),
            ("/*", "/a/b/c", true), ("/a/*/c", "/a/b/b/c", true), ("/a/*/c", "/a/c", false), ("/a?", "/ab", true),
            ("/a?", "/a", false), ("/a??", "/ab", false), ("/a?*", "/a", false), ("/a?*", "/abc", true),
            ("*b*b*", "/abab", true), ("*b*b*", "/ab", false), ("", "/", false), ("/a%20b", "/a%20b", true),
            ("/a b", "/a%20b", false), ("/a.b", "/axb", false),
        ])
    func wildcards(pattern: String, path: String, fits: Bool) throws {
        let decision = try decision("{\"/\": \"\(pattern)\"}", path)
        #expect(decision == (fits ? .opens(pattern: pattern) : .unmentioned))
    }

    @Test("The first pattern that fits decides")
    func order() throws {
        let components = #"{"/": "/a/b", "exclude": true}, {"/": "/a/*"}, {"/": "/a/c", "exclude": true}"#
        #expect(try decision(components, "/a/b") == .excluded(pattern: "/a/b"))
        #expect(try decision(components, "/a/c") == .opens(pattern: "/a/*"))
        #expect(try decision(components, "/b") == .unmentioned)
        #expect(try decision("{}", "/anything") == .opens(pattern: "*"))
    }

    @Test("An answer has no fragment, and its query is not known before")
    func otherParts() throws {
        #expect(try decision(##"{"/": "/a", "#": "x"}, {"/": "/*"}"##, "/a") == .opens(pattern: "/*"))
        #expect(try decision(##"{"/": "/a", "#": "*"}"##, "/a") == .opens(pattern: "/a"))
        #expect(try decision(##"{"/": "/a", "?": "*"}"##, "/a") == .opens(pattern: "/a"))
        #expect(try decision(##"{"/": "/a", "?": {"code": "*"}}"##, "/a") == .opens(pattern: "/a"))
        guard case .undecided = try decision(##"{"/": "/a", "?": {"code": "1*"}}"##, "/a") else {
            Issue.record("a query pattern was decided")
            return
        }
        #expect(try decision(##"{"/": "/b", "?": "x"}, {"/": "/a"}"##, "/a") == .opens(pattern: "/a"))
    }

    @Test("Case and percent-encoding, for a pattern, an entry and all of them")
    func defaults() throws {
        let lax = #""caseSensitive": false, "percentEncoded": false"#
        #expect(try decision(#"{"/": "/a B"}"#, "/A%20b") == .unmentioned)
        #expect(try decision("{\"/\": \"/a B\", \(lax)}", "/A%20b") == .opens(pattern: "/a B"))
        #expect(try decision(#"{"/": "/a B"}"#, "/A%20b", detail: "\"defaults\": {\(lax)},") == .opens(pattern: "/a B"))
        #expect(try decision(#"{"/": "/a B"}"#, "/A%20b", rest: "\"defaults\": {\(lax)},") == .opens(pattern: "/a B"))
        #expect(
            try decision(
                #"{"/": "/a B", "caseSensitive": true}"#, "/A%20b", rest: "\"defaults\": {\(lax)},") == .unmentioned)
        // A plus sign is a plus sign in a path.
        #expect(try decision("{\"/\": \"/a+b\", \(lax)}", "/a+b") == .opens(pattern: "/a+b"))
    }

    @Test(
        "Substitution variables",
        arguments: [
            ("/$(food)/", "/burrito/", true), ("/$(food)/", "/pizza/", true), ("/$(food)/", "/pizz/", false),
            ("/$(food)/", "/sushi-7/", true), ("/$(alpha)1", "/x1", true), ("/$(alpha)1", "/11", false),
            ("/$(upper)", "/A", true), ("/$(upper)", "/a", false), ("/$(lower)", "/a", true),
            ("/$(digit)$(alnum)", "/4x", true), ("/$(xdigit)", "/g", false), ("/$(xdigit)", "/F", true),
            ("/$a", "/$a", true),
        ])
    func variables(pattern: String, path: String, fits: Bool) throws {
        let variables = #""substitutionVariables": {"food": ["burrito", "pizza", "sushi*"]},"#
        let decision = try decision("{\"/\": \"\(pattern)\"}", path, rest: variables)
        #expect(decision == (fits ? .opens(pattern: pattern) : .unmentioned))
    }

    @Test("A variable that is not known decides nothing")
    func unknownVariables() throws {
        for name in ["lang", "region", "other"] {
            guard case .undecided = try decision("{\"/\": \"/$(\(name))/\"}", "/de/") else {
                Issue.record("\(name) was decided")
                continue
            }
        }
    }

    @Test("Patterns that are slow for others are fast here", .timeLimit(.minutes(1)))
    func slowPatterns() throws {
        let path = "/" + String(repeating: "a", count: 2_000)
        let pattern = String(repeating: "*a", count: 1_000) + "b"
        #expect(try decision("{\"/\": \"\(pattern)\"}", path) == .unmentioned)
        let many = String(repeating: "$(v)", count: 3_000)
        let decision = try decision(
            "{\"/\": \"/\(many)\"}", path,
            rest: "\"substitutionVariables\": {\"v\": [\"*a*a*a*a\", \"*b\"]},")
        guard case .undecided = decision else {
            Issue.record("a pattern above the limit was decided")
            return
        }
    }

    @Test("Apps are told apart, and several entries of one are read in order")
    func apps() throws {
        let text = #"""
            {"applinks": {"details": [
                {"appIDs": ["T.other"], "components": [{"/": "/callback", "exclude": true}]},
                {"appID": "T.app", "components": [{"/": "/one"}]},
                {"appIDs": ["T.app", "T.more"], "components": [{"/": "/callback"}]}]}}
            """#
        let file = try AssociationFile(parsing: Array(text.utf8))
        let uri = try #require(URI("https://app.example.com/callback"))
        #expect(file.appLinks == ["T.other", "T.app", "T.app", "T.more"])
        #expect(file.decision(for: uri, app: "T.app") == .opens(pattern: "/callback"))
        #expect(file.decision(for: uri, app: "T.other") == .excluded(pattern: "/callback"))
        #expect(file.decision(for: uri, app: "T.none") == .unmentioned)
        #expect(!file.usesOldForm)
    }

    @Test("The oldest form, in which the apps are names")
    func oldest() throws {
        let text = #"{"applinks": {"details": {"T.app": {"paths": ["NOT /private", "*"]}}}}"#
        let file = try AssociationFile(parsing: Array(text.utf8))
        #expect(file.usesOldForm)
        #expect(
            file.decision(for: try #require(URI("https://a.example/private")), app: "T.app")
                == .excluded(pattern: "/private"))
        #expect(file.decision(for: try #require(URI("https://a.example/x")), app: "T.app") == .opens(pattern: "*"))
    }
}
