import Tern
import TernProtocol
import Testing

@Suite("What is said about an association file")
struct AssociationCheckTests {
    private static let address = "https://app.example.com/.well-known/apple-app-site-association"

    private func findings(
        _ text: String, _ app: AppleApp? = AppSample.app, redirect: String = AppSample.redirect
    ) throws -> [Finding] {
        AssociationChecks.findings(.file(Array(text.utf8)), redirect: try #require(URI(redirect)), app: app)
    }

    private func served(
        _ status: Int = 200, fields: HTTPFields = ["Content-Type": "application/json"],
        _ body: String = AppSample.association, at address: String = address
    ) throws -> [Finding] {
        let response = HTTPResponse(status: status, fields: fields, body: Array(body.utf8))
        return AssociationChecks.findings(
            .response(response, try #require(URI(address))), redirect: try #require(URI(AppSample.redirect)),
            app: AppSample.app)
    }

    @Test("A healthy file passes, served or not")
    func healthy() throws {
        let file = try findings(AppSample.association)
        #expect(file.complaints.isEmpty)
        #expect(
            Set(file.filter { $0.level == .passed }.map(\.name)) == [
                "association_json", "association_webcredentials", "association_applinks", "association_path",
            ])
        let served = try served()
        #expect(served.complaints.isEmpty)
        #expect(
            Set(served.filter { $0.level == .passed }.map(\.name)).subtracting(file.map(\.name)) == [
                "association_address", "association_status", "association_media_type",
            ])
        #expect(served["association_cache"]?.level == .note)
        #expect(served["association_cache"]?.detail?.contains("cdn-apple.com/a/v1/app.example.com") == true)
        #expect(try self.served(fields: ["Content-Type": "Application/JSON; charset=utf-8"]).complaints.isEmpty)
    }

    @Test("The address of a host's file")
    func addresses() {
        #expect(AssociationFile.address(host: "app.example.com")?.text == Self.address)
        for host in ["", "a b", "a/b", "me@a", "a:80", "a#b"] {
            #expect(AssociationFile.address(host: host) == nil, "\(host)")
        }
    }

    @Test(
        "Faults of the server",
        arguments: [
            (404, ["association_status failed"]), (403, ["association_status failed"]),
            (500, ["association_status failed"]),
            (204, ["association_status failed"]), (301, ["association_redirected failed"]),
            (304, ["association_redirected failed"]),
        ])
    func statuses(status: Int, expected: [String]) throws {
        #expect(try served(status, fields: [:], "").complaints == expected)
    }

    @Test("A redirect says where it leads, without what may be secret")
    func redirected() throws {
        let findings = try served(302, fields: ["Location": "https://www.example.com/x?code=s3cr3t"], "")
        #expect(findings.complaints == ["association_redirected failed"])
        let finding = findings["association_redirected"]
        #expect(finding?.comparison?.first == Self.address)
        #expect(finding?.comparison?.second == "https://www.example.com/x")
        #expect(finding?.everything.contains("s3cr3t") == false)
        let relative = try served(302, fields: ["Location": "/login"], "")["association_redirected"]
        #expect(relative?.comparison?.second == "https://app.example.com/login")
    }

    @Test("Another media type is a warning")
    func mediaTypes() throws {
        #expect(try served(fields: ["Content-Type": "text/plain"]).complaints == ["association_media_type warning"])
        #expect(try served(fields: [:]).complaints == ["association_media_type warning"])
    }

    @Test("A file that was asked for in another place than systems ask")
    func places() throws {
        for address in [
            "https://app.example.com/apple-app-site-association",
            "https://www.example.com/.well-known/apple-app-site-association",
        ] {
            let findings = try served(at: address)
            #expect(findings.complaints == ["association_address failed"])
            #expect(findings["association_address"]?.comparison?.first == address)
            #expect(findings["association_address"]?.comparison?.second == Self.address)
        }
    }

    @Test("No answer is a fault, with the reason")
    func unreachable() throws {
        let findings = AssociationChecks.findings(
            .unreachable(TernError(.network(.hostNotFound), at: .configuration), try #require(URI(Self.address))),
            redirect: try #require(URI(AppSample.redirect)), app: AppSample.app)
        #expect(findings.complaints == ["association_reachable failed"])
        #expect(findings["association_reachable"]?.detail?.contains("[network") == true, "\(findings)")
    }

    @Test("Other redirects need no file")
    func notNeeded() throws {
        let findings = try findings("", redirect: "com.example.app:/callback")
        #expect(findings.map(\.name) == ["association_needed"])
        #expect(findings[0].level == .note)
    }

    @Test(
        "What is no JSON object",
        arguments: [
            ("", "not JSON"), ("[]", "not JSON"), ("<!DOCTYPE html>", "page of the website"),
            ("{\"webcredentials\": {}, \"webcredentials\": {}}", "occurs twice"), ("{,}", "unexpected byte"),
        ])
    func notJSON(text: String, words: String) throws {
        let findings = try findings(text)
        #expect(findings.complaints == ["association_json failed"])
        #expect(findings["association_json"]?.detail?.contains(words) == true, "\(findings)")
    }

    @Test("A signed file is not looked into")
    func signed() throws {
        let bytes: [UInt8] = [0x30, 0x82, 0x01, 0x00] + [UInt8](repeating: 7, count: 100)
        let findings = AssociationChecks.findings(
            .file(bytes), redirect: try #require(URI(AppSample.redirect)), app: AppSample.app)
        #expect(findings.complaints == ["association_json could_not_check"])
    }

    @Test("A file above the limit")
    func size() throws {
        let large = AppSample.association + String(repeating: " ", count: AssociationFile.maximumByteCount)
        #expect(try findings(large).complaints == ["association_size failed"])
        let just =
            AppSample.association
            + String(
                repeating: " ", count: AssociationFile.maximumByteCount - AppSample.association.utf8.count)
        #expect(try findings(just).complaints.isEmpty)
        #expect(
            try findings(String(repeating: " ", count: 2 << 20)).complaints
                == ["association_size failed", "association_json failed"])
    }

    @Test(
        "Faults of the form",
        arguments: [
            (#"{"webcredentials": {"apps": "ABCDE12345.com.example.app"}, "#, "webcredentials.apps is no array"),
            (#"{"webcredentials": {}, "#, "webcredentials has no apps"),
            (#"{"webcredentials": {"apps": ["ABCDE12345.com.example.app", 1]}, "#, "something else than texts"),
        ])
    func forms(start: String, words: String) throws {
        let links = #""applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], "components": [{}]}]}}"#
        let findings = try findings(start + links)
        #expect(findings["association_form"]?.level == .warning)
        #expect(findings["association_form"]?.detail?.contains(words) == true, "\(findings)")
    }

    @Test(
        "Faults of the form of links",
        arguments: [
            (#"{}"#, "applinks has no details"), (#"{"details": 1}"#, "applinks.details is no array"),
            (#"{"details": [1]}"#, "is no object"), (#"{"details": [{"components": []}]}"#, "names no app"),
            (#"{"details": [{"appIDs": ["a.b"]}]}"#, "neither components nor paths"),
            (#"{"details": [{"appIDs": ["a.b"], "components": 1}]}"#, "components is no array"),
            (#"{"details": [{"appIDs": ["a.b"], "components": [1]}]}"#, "an entry of components is no object"),
            (#"{"details": [{"appIDs": ["a.b"], "components": [{"/": 1}]}]}"#, "a path pattern is no text"),
            (#"{"details": [{"appIDs": ["a.b"], "components": [{"exclude": "yes"}]}]}"#, "exclude is neither"),
        ])
    func linkForms(links: String, words: String) throws {
        let text = #"{"webcredentials": {"apps": ["ABCDE12345.com.example.app"]}, "applinks": \#(links)}"#
        let file = try AssociationFile(parsing: Array(text.utf8))
        #expect(file.problems.count == 1)
        #expect(file.problems.first?.contains(words) == true, "\(file.problems)")
    }

    @Test("The app is missing, with the most similar one beside it")
    func missingApp() throws {
        let other = AppSample.association.replacing("com.example.app\"", with: "com.example.apq\"")
        let findings = try findings(other)
        #expect(findings.complaints == ["association_webcredentials failed", "association_applinks failed"])
        for name in ["association_webcredentials", "association_applinks"] {
            #expect(findings[name]?.comparison?.first == AppSample.identifier)
            #expect(findings[name]?.comparison?.second == "ABCDE12345.com.example.apq")
        }
        let empty = try self.findings("{}")
        #expect(empty.complaints == ["association_webcredentials failed", "association_applinks failed"])
        #expect(empty["association_webcredentials"]?.comparison == nil)
    }

    @Test("Links are a fault only where the app is entitled to them")
    func linksUnwanted() throws {
        let app = AppSample.app(domains: "webcredentials:app.example.com")
        let text = #"{"webcredentials": {"apps": ["ABCDE12345.com.example.app"]}}"#
        #expect(try findings(text, app).complaints.isEmpty)
        #expect(try findings(text, app)["association_applinks"]?.level == .note)
        #expect(try findings(text).complaints == ["association_applinks failed"])
        #expect(
            try findings(AppSample.association, app, redirect: "https://app.example.com/other").complaints
                == ["association_path warning"])
    }

    @Test("What is not known of the app is not called wrong")
    func unknownApp() throws {
        #expect(
            try findings(AppSample.association, nil).complaints == ["association_webcredentials could_not_check"])
        let half = AppleApp(infoPropertyList: AppSample.info, entitlements: nil)
        let findings = try findings(AppSample.association, half)
        #expect(
            findings.complaints
                == ["association_webcredentials could_not_check", "association_applinks could_not_check"])
        #expect(findings["association_webcredentials"]?.detail?.contains(AppSample.identifier) == true)
        let other = try self.findings(#"{"webcredentials": {"apps": ["ABCDE12345.org.other"]}}"#, half)
        #expect(other["association_webcredentials"]?.level == .failed)
        #expect(other["association_webcredentials"]?.comparison?.first == "TEAMID.com.example.app")
        let nothing = AppleApp(infoPropertyList: [:], entitlements: nil)
        #expect(try self.findings("{}", nothing)["association_webcredentials"]?.level == .unchecked)
    }

    @Test("Paths that do not open the app")
    func paths() throws {
        let unmentioned = try findings(AppSample.association, redirect: "https://app.example.com/callback/")
        #expect(unmentioned.complaints == ["association_path failed"])
        let excluding = AppSample.association.replacing(
            #"{"/": "/callback"}"#, with: #"{"/": "/call*", "exclude": true}, {"/": "/callback"}"#)
        let excluded = try findings(excluding)
        #expect(excluded.complaints == ["association_path failed"])
        #expect(excluded["association_path"]?.comparison?.first == "/callback")
        #expect(excluded["association_path"]?.comparison?.second == "/call*")
        let querying = AppSample.association.replacing(#""/": "/callback""#, with: #""/": "/callback", "?": "code=?*""#)
        #expect(try findings(querying).complaints == ["association_path could_not_check"])
    }

    @Test("The old form is read, and noted")
    func oldForm() throws {
        let old = #"""
            {"webcredentials": {"apps": ["ABCDE12345.com.example.app"]},
             "applinks": {"apps": [], "details": [
                {"appID": "ABCDE12345.com.example.app", "paths": ["NOT /callback/*", "/call*"]}]}}
            """#
        let findings = try findings(old)
        #expect(findings.complaints.isEmpty)
        #expect(findings["association_old_form"]?.level == .note)
        #expect(
            try self.findings(old, redirect: "https://app.example.com/callback/x").complaints
                == ["association_path failed"])
    }

    @Test("What a file says is cut off and has nothing that steers a terminal")
    func hostile() throws {
        let name = "ABCDE12345." + String(repeating: #"\u001b[31m"#, count: 1_000)
        let apps = "[" + (0..<100).map { "\"\(name)\($0)\"" }.joined(separator: ",") + "]"
        for app in [AppSample.app, nil, AppleApp(infoPropertyList: [:], entitlements: nil)] {
            for finding in try findings("{\"webcredentials\": {\"apps\": \(apps)}}", app) {
                #expect(!finding.everything.contains("\u{1B}"))
                #expect(finding.everything.utf8.count < 8_000)
            }
        }
    }
}
