import Tern
import TernProtocol
import Testing

@Suite("The release check-list")
struct ReleaseCheckTests {
    private func findings(
        _ app: AppleApp? = AppSample.app, redirect: String? = AppSample.redirect,
        issuer: String? = "https://id.example.com", appHasSecret: Bool = false
    ) -> [Finding] {
        ReleaseChecks.findings(
            redirect: redirect, issuer: issuer.flatMap { URI($0) }, app: app, appHasSecret: appHasSecret)
    }

    @Test("A healthy app passes every line")
    func healthy() {
        #expect(findings().complaints.isEmpty)
        #expect(
            findings().filter { $0.level == .passed }.map(\.name) == [
                "release_issuer", "release_redirect", "release_secret", "release_transport",
                "release_transport_exception", "release_debugging", "release_developer_mode",
            ])
        #expect(findings(AppSample.macApp, redirect: "http://127.0.0.1/cb").complaints.isEmpty)
        #expect(findings(AppSample.macApp)["release_sandbox"]?.level == .passed)
        #expect(findings(nil).map(\.name) == ["release_issuer", "release_redirect"])
        #expect(ReleaseChecks.findings().isEmpty)
    }

    private static let transport = "NSAppTransportSecurity"

    private static func excepting(_ domain: String, _ rules: PropertyListValue) -> AppleApp {
        AppSample.app(info: { $0[transport] = ["NSExceptionDomains": .dictionary([domain: rules])] })
    }

    @Test(
        "Planted faults of the app",
        arguments: [
            (
                AppSample.app(info: { $0[transport] = ["NSAllowsArbitraryLoads": true] }), "release_transport warning"
            ),
            (
                excepting("id.example.com", ["NSExceptionAllowsInsecureHTTPLoads": true]),
                "release_transport_exception warning"
            ),
            (
                excepting("example.com", ["NSIncludesSubdomains": true, "NSExceptionMinimumTLSVersion": "TLSv1.0"]),
                "release_transport_exception warning"
            ), (AppSample.app(entitlements: { $0["get-task-allow"] = true }), "release_debugging failed"),
            (AppSample.macApp { $0["com.apple.security.get-task-allow"] = true }, "release_debugging failed"),
            (
                AppleApp(infoPropertyList: nil, entitlements: AppSample.entitlements),
                "release_transport could_not_check"
            ),
            (AppleApp(infoPropertyList: AppSample.info, entitlements: nil), "release_entitlements could_not_check"),
        ])
    func appFaults(app: AppleApp, expected: String) {
        let findings = findings(app)
        #expect(findings.complaints == [expected], "\(findings)")
        #expect(findings.first { expected.hasPrefix($0.name + " ") }?.fix != nil)
    }

    @Test("A domain for development, with what it should be")
    func developerMode() {
        let findings = findings(AppSample.app(domains: "webcredentials:app.example.com?mode=developer"))
        #expect(findings.complaints == ["release_developer_mode warning"])
        let comparison = findings["release_developer_mode"]?.comparison
        #expect(comparison?.first == "webcredentials:app.example.com?mode=developer")
        #expect(comparison?.second == "webcredentials:app.example.com")
    }

    @Test(
        "Planted faults of the server and the redirect",
        arguments: [
            ("http://id.example.com", AppSample.redirect, "release_issuer failed"),
            ("https://localhost:8080", AppSample.redirect, "release_issuer warning"),
            ("http://127.0.0.1:8080/realms/a", AppSample.redirect, "release_issuer warning"),
            ("https://id.example.test", AppSample.redirect, "release_issuer warning"),
            ("https://id.local", AppSample.redirect, "release_issuer warning"),
            ("https://id.example.com", "http://localhost/callback", "release_redirect warning"),
            ("https://id.example.com", "http://app.example.com/callback", "release_redirect failed"),
        ])
    func otherFaults(issuer: String, redirect: String, expected: String) {
        let findings = findings(redirect: redirect, issuer: issuer)
        #expect(findings.complaints == [expected], "\(findings)")
        #expect(findings.first { expected.hasPrefix($0.name) }?.fix != nil)
    }

    @Test("A secret in an app, also where nothing else is known of it")
    func secrets() {
        #expect(findings(appHasSecret: true).complaints == ["release_secret warning"])
        #expect(findings(nil, appHasSecret: true).complaints == ["release_secret warning"])
    }

    @Test("Facts without judgement")
    func notes() {
        #expect(findings(redirect: "com.example.app:/cb")["release_redirect"]?.level == .note)
        #expect(findings()["release_keychain"]?.level == .note)
        #expect(
            findings(AppSample.macApp { $0["com.apple.security.app-sandbox"] = false })["release_sandbox"]?.level
                == .note)
        let other = findings(Self.excepting("cdn.example.org", ["NSExceptionAllowsInsecureHTTPLoads": true]))
        #expect(other.complaints.isEmpty)
        #expect(other["release_transport_exception"]?.level == .note)
        let subdomain = findings(Self.excepting("example.com", ["NSExceptionAllowsInsecureHTTPLoads": true]))
        #expect(subdomain["release_transport_exception"]?.level == .note)
    }
}
