import Tern
import TernProtocol

/// The files of a healthy app, to plant faults in.
enum AppSample {
    static let team = "ABCDE12345"
    static let bundle = "com.example.app"
    static let identifier = "ABCDE12345.com.example.app"

    static let info: PropertyListValue = [
        "CFBundleIdentifier": "com.example.app",
        "LSRequiresIPhoneOS": true,
        "CFBundleURLTypes": [
            ["CFBundleURLName": "sign-in", "CFBundleTypeRole": "Editor", "CFBundleURLSchemes": ["com.example.app"]]
        ],
    ]

    static let entitlements: PropertyListValue = [
        "application-identifier": "ABCDE12345.com.example.app",
        "com.apple.developer.associated-domains": ["webcredentials:app.example.com", "applinks:app.example.com"],
        "keychain-access-groups": ["ABCDE12345.com.example.shared"],
    ]

    static let macInfo: PropertyListValue = [
        "CFBundleIdentifier": "com.example.app", "LSMinimumSystemVersion": "14.4",
    ]

    static let macEntitlements: PropertyListValue = [
        "com.apple.application-identifier": "ABCDE12345.com.example.app",
        "com.apple.security.app-sandbox": true, "com.apple.security.network.client": true,
        "com.apple.security.network.server": true,
    ]

    static let redirect = "https://app.example.com/callback"

    static let association = #"""
        {"webcredentials": {"apps": ["ABCDE12345.com.example.app"]},
         "applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.app"], "components": [{"/": "/callback"}]}]}}
        """#

    static let app = AppleApp(infoPropertyList: info, entitlements: entitlements)
    static let macApp = AppleApp(infoPropertyList: macInfo, entitlements: macEntitlements)

    /// The app with a changed property list.
    static func app(info change: (inout [String: PropertyListValue]) -> Void) -> AppleApp {
        AppleApp(infoPropertyList: changed(info, change), entitlements: entitlements)
    }

    /// The app with changed entitlements.
    static func app(entitlements change: (inout [String: PropertyListValue]) -> Void) -> AppleApp {
        AppleApp(infoPropertyList: info, entitlements: changed(entitlements, change))
    }

    /// The app for macOS with changed entitlements.
    static func macApp(_ change: (inout [String: PropertyListValue]) -> Void) -> AppleApp {
        AppleApp(infoPropertyList: macInfo, entitlements: changed(macEntitlements, change))
    }

    static func app(schemes: PropertyListValue...) -> AppleApp {
        app(info: { $0["CFBundleURLTypes"] = [["CFBundleURLSchemes": .array(schemes)]] })
    }

    static func app(domains: PropertyListValue...) -> AppleApp {
        app(entitlements: { $0["com.apple.developer.associated-domains"] = .array(domains) })
    }

    private static func changed(
        _ list: PropertyListValue, _ change: (inout [String: PropertyListValue]) -> Void
    ) -> PropertyListValue {
        var dictionary = list.dictionary ?? [:]
        change(&dictionary)
        return .dictionary(dictionary)
    }
}

extension [Finding] {
    /// The name and the level of everything that is no praise.
    var complaints: [String] {
        filter { $0.level != .passed && $0.level != .note }.map { "\($0.name) \($0.level.rawValue)" }
    }
}
