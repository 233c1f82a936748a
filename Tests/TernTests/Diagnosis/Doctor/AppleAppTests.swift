import Tern
import Testing

@Suite("What an app says about itself")
struct AppleAppTests {
    @Test("A healthy app is read without a complaint")
    func healthy() {
        let app = AppSample.app
        #expect(app.appIdentifier == AppSample.identifier)
        #expect(app.prefix == AppSample.team)
        #expect(app.bundleIdentifier == AppSample.bundle)
        #expect(app.schemes.map(\.text) == ["com.example.app"])
        #expect(app.schemes[0].name == "sign-in")
        #expect(app.schemes[0].role == "Editor")
        #expect(app.associatedDomains.map(\.service) == [.webCredentials, .appLinks])
        #expect(app.associatedDomains.map(\.host) == ["app.example.com", "app.example.com"])
        #expect(app.keychainGroups == ["ABCDE12345.com.example.shared"])
        #expect(app.platform == .mobile)
        #expect(!app.isSandboxed)
        #expect(app.findings.complaints.isEmpty)
        #expect(app.findings["bundle_identifier"]?.level == .passed)
        #expect(AppSample.macApp.platform == .mac)
        #expect(AppSample.macApp.findings.complaints.isEmpty)
        #expect(AppSample.macApp.findings["sandbox_network_client"]?.level == .passed)
    }

    @Test("Nothing is said about files that were not given")
    func nothing() {
        let app = AppleApp(infoPropertyList: nil, entitlements: nil)
        #expect(app.findings.isEmpty)
        #expect(app.appIdentifier == nil)
        #expect(app.platform == nil)
    }

    @Test(
        "Planted faults",
        arguments: [
            (AppleApp(infoPropertyList: ["a"], entitlements: nil), "info_property_list", "It holds something else"),
            (AppleApp(infoPropertyList: nil, entitlements: "a"), "entitlements", "It holds something else"),
            (AppSample.app(info: { $0["CFBundleURLTypes"] = "a" }), "url_types", "CFBundleURLTypes is no array."),
            (AppSample.app(info: { $0["CFBundleURLTypes"] = ["a"] }), "url_types", "It is no dictionary."),
            (AppSample.app(info: { $0["CFBundleURLTypes"] = [[:]] }), "url_types", "It has no CFBundleURLSchemes."),
            (
                AppSample.app(info: { $0["CFBundleURLTypes"] = [["CFBundleURLSchemes": "com.example.app"]] }),
                "url_types",
                "Its CFBundleURLSchemes is no array."
            ), (AppSample.app(schemes: ""), "url_types", "It is no text, or an empty one."),
            (AppSample.app(schemes: true), "url_types", "It is no text, or an empty one."),
            (
                AppSample.app(entitlements: { $0["keychain-access-groups"] = "a" }), "entitlements",
                "keychain-access-groups is no array."
            ), (AppSample.app(domains: "app.example.com"), "associated_domain_form", "it has no service"),
            (AppSample.app(domains: "https://app.example.com"), "associated_domain_form", "it is an address"),
            (AppSample.app(domains: "webcredential:a.example"), "associated_domain_form", "is no service"),
            (AppSample.app(domains: "applinks:a.example/x"), "associated_domain_form", "it has a path or a scheme"),
            (
                AppSample.app(domains: "applinks:https://a.example"), "associated_domain_form",
                "it has a path or a scheme"
            ),
            (AppSample.app(domains: "applinks:a.*.example"), "associated_domain_form", "a wildcard can only be"),
            (AppSample.app(domains: "applinks:"), "associated_domain_form", "is no host"),
            (AppSample.app(domains: "applinks:a b"), "associated_domain_form", "is no host"),
            (AppSample.app(domains: "applinks:a.example?x=1"), "associated_domain_form", "after the question mark"),
            (
                AppSample.macApp { $0["com.apple.security.network.client"] = false }, "sandbox_network_client",
                "not entitled to connect"
            ),
        ])
    func faults(app: AppleApp, name: String, words: String) {
        let finding = app.findings.first { $0.name == name && $0.level == .failed }
        #expect(finding?.detail?.contains(words) == true, "\(app.findings)")
        #expect(app.findings.complaints == ["\(name) failed"])
    }

    @Test("Files of two apps are found out, side by side")
    func twoApps() throws {
        let bundle = AppSample.app(info: { $0["CFBundleIdentifier"] = "com.example.other" }).findings[
            "bundle_identifier"]
        #expect(bundle?.level == .failed)
        #expect(bundle?.comparison?.first == "com.example.other")
        #expect(bundle?.comparison?.second == "com.example.app")
        let app = AppleApp(
            infoPropertyList: nil, entitlements: AppSample.entitlements, appIdentifier: "ABCDE12345.com.example.apq")
        #expect(app.findings["app_identifier"]?.level == .failed)
        #expect(app.findings["app_identifier"]?.comparison?.first == "ABCDE12345.com.example.apq")
        #expect(app.findings["app_identifier"]?.comparison?.second == AppSample.identifier)
    }

    private static let project: PropertyListValue = [
        "CFBundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)",
        "CFBundleURLTypes": [["CFBundleURLSchemes": ["${PRODUCT_BUNDLE_IDENTIFIER}", "$(OTHER)"]]],
    ]
    private static let projectEntitlements: PropertyListValue = [
        "application-identifier": "$(AppIdentifierPrefix)$(CFBundleIdentifier)",
        "com.apple.developer.associated-domains": ["webcredentials:$(HOST)"],
        "keychain-access-groups": ["$(AppIdentifierPrefix)com.example.shared"],
    ]

    @Test("Build variables are not compared, and never called wrong")
    func variables() {
        let app = AppleApp(infoPropertyList: Self.project, entitlements: Self.projectEntitlements)
        #expect(app.appIdentifier == nil)
        #expect(
            app.findings.complaints == ["bundle_identifier could_not_check", "associated_domain_form could_not_check"])
        #expect(app.findings["bundle_identifier"]?.detail?.contains("$(PRODUCT_BUNDLE_IDENTIFIER)") == true)
        #expect(app.findings["associated_domain_form"]?.detail?.contains("$(HOST)") == true)
    }

    @Test("A named app identifier replaces the variables that stand for it")
    func expansion() {
        let app = AppleApp(
            infoPropertyList: Self.project, entitlements: Self.projectEntitlements, appIdentifier: AppSample.identifier)
        #expect(app.appIdentifier == AppSample.identifier)
        #expect(app.schemes.map(\.text) == ["com.example.app", "$(OTHER)"])
        #expect(app.keychainGroups == ["ABCDE12345.com.example.shared"])
        #expect(app.findings.complaints == ["associated_domain_form could_not_check"])
        let prefixed = AppleApp(infoPropertyList: AppSample.info, entitlements: nil, appIdentifier: "ABCDE12345")
        #expect(prefixed.appIdentifier == AppSample.identifier)
    }

    @Test("Where the two parts of the identifier come from")
    func identifiers() {
        let team = AppleApp(
            infoPropertyList: AppSample.info,
            entitlements: [
                "com.apple.developer.team-identifier": "ABCDE12345", "application-identifier": "ABCDE12345.*",
            ])
        #expect(team.appIdentifier == AppSample.identifier)
        #expect(team.findings.complaints.isEmpty)
        #expect(AppSample.macApp.appIdentifier == AppSample.identifier)
    }

    @Test("Associated domains with wildcards, modes and ports")
    func domains() {
        let app = AppSample.app(
            domains: "applinks:*.Example.com", "webcredentials:a.example:8443?mode=developer",
            "activitycontinuation:a.example", "applinks:b.example?mode=developer+managed",
            "applinks:c.example?mode=managed")
        #expect(app.findings.complaints.isEmpty)
        let domains = app.associatedDomains
        #expect(domains.map(\.isForDevelopment) == [false, true, false, true, false])
        #expect(
            domains.map(\.service.name) == [
                "applinks", "webcredentials", "activitycontinuation", "applinks", "applinks",
            ])
        #expect(domains[0].covers("login.example.COM"))
        #expect(!domains[0].covers("badexample.com"))
        #expect(domains[1].host == "a.example")
        #expect(domains[1].covers("A.example"))
        #expect(!domains[1].covers("b.a.example"))
    }

    @Test("No more faults are told than anybody reads")
    func manyFaults() {
        let app = AppSample.app(entitlements: {
            $0["com.apple.developer.associated-domains"] = .array((0..<5_000).map { .string("wrong \($0)") })
        })
        #expect(app.findings.filter { $0.level == .failed }.count == 20)
    }

    @Test("What is shown is cut off and has nothing that steers a terminal")
    func hostile() {
        let text = "applinks:" + String(repeating: "\u{1B}[31m", count: 500)
        let findings = AppSample.app(domains: .string(text)).findings
        #expect(findings["associated_domain_form"]?.level == .failed)
        for finding in findings {
            #expect(!finding.everything.contains("\u{1B}"))
            #expect(finding.everything.utf8.count < 4_000)
        }
    }
}
