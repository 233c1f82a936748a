import Tern
import Testing

@Suite("What is said about a redirect")
struct RedirectCheckTests {
    private func findings(
        _ redirect: String, _ app: AppleApp? = nil, clientID: String? = nil
    ) -> [Finding] {
        RedirectChecks.findings(redirect: redirect, app: app, clientID: clientID)
    }

    @Test(
        "Healthy redirects, alone and with their apps",
        arguments: [
            ("com.example.app:/callback", nil), ("com.example.app:/callback", AppSample.app),
            ("https://app.example.com/callback", nil), ("https://app.example.com/callback", AppSample.app),
            ("http://127.0.0.1/callback", nil), ("http://127.0.0.1:8400/callback", AppSample.macApp),
            ("http://[::1]/callback", AppSample.macApp), ("oob", nil),
        ] as [(String, AppleApp?)])
    func healthy(redirect: String, app: AppleApp?) {
        let findings = findings(redirect, app)
        #expect(findings.complaints.isEmpty)
        #expect(findings["redirect_kind"]?.level == .note)
        #expect(redirect == "oob" || findings["redirect_form"]?.level == .passed)
    }

    @Test("What a healthy redirect passes")
    func passed() {
        func passed(_ redirect: String, _ app: AppleApp?) -> Set<String> {
            Set(findings(redirect, app).filter { $0.level == .passed }.map(\.name))
        }
        #expect(
            passed("com.example.app:/callback", AppSample.app)
                == ["redirect_form", "redirect_scheme_dot", "redirect_scheme_registered"])
        #expect(
            passed(AppSample.redirect, AppSample.app) == [
                "redirect_form", "redirect_webcredentials", "redirect_applinks",
            ])
        #expect(
            passed("http://127.0.0.1/callback", AppSample.macApp) == [
                "redirect_form", "redirect_loopback_host", "redirect_platform", "sandbox_network_server",
            ])
    }

    @Test(
        "A redirect that cannot be used is said why",
        arguments: [
            ("callback", "absolute address"), ("https://app.example.com/callback#x", "fragment"),
            ("https://me@app.example.com/callback", "user name"), ("http://app.example.com/callback", "plain http"),
            ("http://192.168.1.2/callback", "plain http"), ("javascript:alert(1)", "javascript"),
            ("file:///callback", "file"), ("https:/callback", "no host"),
        ])
    func malformed(redirect: String, words: String) {
        let findings = findings(redirect, AppSample.app)
        #expect(findings.complaints == ["redirect_form failed"])
        #expect(findings["redirect_form"]?.detail?.contains(words) == true, "\(findings)")
        #expect(findings["redirect_form"]?.fix != nil)
    }

    @Test("Secrets in an address that cannot be used are not shown")
    func secrets() {
        for finding in findings("https://me:hunter2@app.example.com/callback?code=s3cr3t#x") {
            #expect(!finding.everything.contains("hunter2"))
            #expect(!finding.everything.contains("s3cr3t"))
        }
    }

    @Test(
        "Planted faults without a comparison",
        arguments: [
            ("myapp:/callback", nil, "redirect_scheme_dot warning"),
            ("mailto:callback", nil, "redirect_scheme_reserved failed"),
            ("TEL:/callback", nil, "redirect_scheme_reserved failed"),
            ("itms-apps:/callback", nil, "redirect_scheme_reserved failed"),
            ("com.example.app://callback", nil, "redirect_scheme_slashes warning"),
            ("http://127.0.0.1/callback", AppSample.app, "redirect_platform warning"),
            (
                "http://127.0.0.1/callback", AppSample.macApp { $0["com.apple.security.network.server"] = nil },
                "sandbox_network_server failed"
            ),
            (
                "com.example.app:/callback", AppSample.app(schemes: "com.example.app", "com.example.app"),
                "redirect_scheme_twice warning"
            ),
            (
                "com.example.app:/callback", AppSample.app(info: { $0["CFBundleURLTypes"] = nil }),
                "redirect_scheme_registered failed"
            ),
            (
                "com.example.app:/callback", AppSample.app(schemes: "$(SCHEME)"),
                "redirect_scheme_registered could_not_check"
            ),
            (
                "com.example.app:/callback", AppleApp(infoPropertyList: nil, entitlements: AppSample.entitlements),
                "redirect_scheme_registered could_not_check"
            ),
            (
                AppSample.redirect, AppleApp(infoPropertyList: AppSample.info, entitlements: nil),
                "redirect_webcredentials could_not_check"
            ),
            (
                AppSample.redirect, AppSample.app(domains: "webcredentials:$(HOST)"),
                "redirect_webcredentials could_not_check"
            ),
            (
                AppSample.redirect, AppSample.app(entitlements: { $0["com.apple.developer.associated-domains"] = nil }),
                "redirect_webcredentials failed"
            ),
        ] as [(String, AppleApp?, String)])
    func faults(redirect: String, app: AppleApp?, expected: String) {
        let findings = findings(redirect, app)
        #expect(findings.complaints == [expected], "\(findings)")
        #expect(findings.first { expected.hasPrefix($0.name) }?.fix != nil)
    }

    @Test(
        "Planted faults with both texts side by side",
        arguments: [
            (
                "http://localhost:8400/callback", nil, "redirect_loopback_host warning",
                "http://localhost:8400/callback",
                "http://127.0.0.1:8400/callback"
            ),
            ("Com.Example.app:/callback", nil, "redirect_scheme_case warning", "Com.Example.app", "com.example.app"),
            (
                "com.example.app:/callback", AppSample.app(schemes: "org.other", "com.example.apq"),
                "redirect_scheme_registered failed", "com.example.app", "com.example.apq"
            ),
            (
                "com.example.app:/callback", AppSample.app(schemes: "com.example.app://"),
                "redirect_scheme_registered failed", "com.example.app", "com.example.app://"
            ),
            (
                AppSample.redirect, AppSample.app(domains: "applinks:app.example.com"),
                "redirect_webcredentials failed",
                "webcredentials:app.example.com", "applinks:app.example.com"
            ),
            (
                AppSample.redirect, AppSample.app(domains: "webcredentials:example.com"),
                "redirect_webcredentials failed",
                "webcredentials:app.example.com", "webcredentials:example.com"
            ),
            (
                AppSample.redirect, AppSample.app(info: { $0["MinimumOSVersion"] = "16.0" }),
                "redirect_https_system warning", "16.0", "17.4"
            ),
        ] as [(String, AppleApp?, String, String, String)])
    func compared(redirect: String, app: AppleApp?, expected: String, first: String, second: String) throws {
        let findings = findings(redirect, app)
        #expect(findings.complaints == [expected], "\(findings)")
        let finding = try #require(findings.first { expected.hasPrefix($0.name) })
        #expect(finding.comparison?.first == first)
        #expect(finding.comparison?.second == second)
        #expect(finding.fix != nil)
    }

    @Test("An entry with more than the scheme is said to be an address")
    func addressAsScheme() {
        let finding = findings("com.example.app:/cb", AppSample.app(schemes: "com.example.app:/cb"))[
            "redirect_scheme_registered"]
        #expect(finding?.detail?.hasPrefix("The entry is an address") == true)
    }

    @Test("A variable that is known does not stand in the way")
    func knownVariable() {
        let app = AppleApp(
            infoPropertyList: [
                "CFBundleIdentifier": "com.example.app",
                "CFBundleURLTypes": [["CFBundleURLSchemes": ["$(PRODUCT_BUNDLE_IDENTIFIER)"]]],
            ], entitlements: nil)
        #expect(findings("com.example.app:/callback", app)["redirect_scheme_registered"]?.level == .passed)
        // The scheme of another app is not in the list, and nothing in it is unknown.
        #expect(findings("com.example.other:/callback", app)["redirect_scheme_registered"]?.level == .failed)
    }

    @Test("Wildcards, capitals and recent systems are no faults")
    func noFalseAlarms() {
        #expect(findings(AppSample.redirect, AppSample.app(domains: "webcredentials:*.example.com")).complaints.isEmpty)
        #expect(findings("https://APP.example.com/callback", AppSample.app).complaints.isEmpty)
        #expect(findings("com.example.app:/cb", AppSample.app(schemes: "Com.Example.App")).complaints.isEmpty)
        for version in ["17.4", "17.10", "18.0", "26"] {
            let app = AppSample.app(info: { $0["MinimumOSVersion"] = .string(version) })
            #expect(findings(AppSample.redirect, app).complaints.isEmpty, "\(version)")
        }
        let mac = AppleApp(
            infoPropertyList: ["LSMinimumSystemVersion": "13.0"],
            entitlements: ["com.apple.developer.associated-domains": ["webcredentials:app.example.com"]])
        #expect(findings(AppSample.redirect, mac).complaints == ["redirect_https_system warning"])
    }

    @Test("Without applinks a line says what does not work")
    func withoutLinks() {
        let findings = findings(AppSample.redirect, AppSample.app(domains: "webcredentials:app.example.com"))
        #expect(findings.complaints.isEmpty)
        #expect(findings["redirect_applinks"]?.level == .note)
    }

    @Test("A platform that is not told is no fault")
    func unknownPlatform() {
        let app = AppleApp(infoPropertyList: ["CFBundleIdentifier": "com.example.app"], entitlements: nil)
        #expect(findings("http://127.0.0.1/cb", app)["redirect_platform"]?.level == .note)
    }

    private static let google = "1234-abc.apps.googleusercontent.com"

    @Test(
        "Schemes that belong to a client",
        arguments: [
            ("com.googleusercontent.apps.1234-abc:/cb", google, nil, .passed, nil),
            ("com.googleusercontent.apps.1234-abd:/cb", google, nil, .failed, "com.googleusercontent.apps.1234-abc"),
            ("msauth.com.example.app:/auth", "id", AppSample.app(schemes: "msauth.com.example.app"), .passed, nil),
            (
                "msauth.com.example.apq:/auth", "id", AppSample.app(schemes: "msauth.com.example.apq"), .failed,
                "msauth.com.example.app"
            ), ("msauth.com.example.app:/auth", "id", nil, .unchecked, nil),
            ("vk123:/cb", "123", nil, .passed, nil), ("vk124:/cb", "123", nil, .failed, "vk123"),
            ("com.example.app:/cb", "https://app.example.com/client.json", nil, .passed, nil),
            ("com.example.apq:/cb", "https://app.example.com/client.json", nil, .note, "com.example.app"),
            ("com.example.app:/cb", "my-app", nil, nil, nil),
        ] as [(String, String, AppleApp?, Finding.Level?, String?)])
    func clientSchemes(redirect: String, clientID: String, app: AppleApp?, level: Finding.Level?, belongs: String?) {
        let finding = findings(redirect, app, clientID: clientID)["redirect_client_scheme"]
        #expect(finding?.level == level)
        #expect(finding?.comparison?.second == belongs)
    }
}
