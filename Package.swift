// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Which back end is compiled is decided by these names alone, never by what can be imported, so that a stub of an Apple
// module on another system cannot change the choice.
let openSSL: SwiftSetting = .define("TERN_OPENSSL", .when(platforms: [.linux]))
let curl: SwiftSetting = .define("TERN_CURL", .when(platforms: [.linux]))
let apple: [Platform] = [.macOS, .iOS, .tvOS, .watchOS, .visionOS, .macCatalyst]

let package = Package(
    name: "Tern",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Tern", targets: ["Tern"]),
        .library(name: "TernProtocol", targets: ["TernProtocol"]),
        .library(name: "TernOAuth1", targets: ["TernOAuth1"]),
        .library(name: "TernJOSE", targets: ["TernJOSE"]),
        .library(name: "TernCrypto", targets: ["TernCrypto"]),
        .library(name: "TernFoundation", targets: ["TernFoundation"]),
        .library(name: "TernTesting", targets: ["TernTesting"]),
        .executable(name: "tern", targets: ["TernCommand"]),
    ],
    traits: [
        .default(enabledTraits: []),
        .trait(
            name: "SQLite", description: "SQLiteStore, for many accounts; needs SQLite's development files on Linux"),
        .trait(
            name: "SecretService",
            description: "SecretServiceStore, for Linux desktops; needs libsecret's development files"),
    ],
    targets: [
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        // The headers alone: the library is loaded by the first request, so nothing links it and pkg-config is not asked.
        .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),

        .target(
            name: "TernCrypto",
            dependencies: [.target(name: "COpenSSL", condition: .when(platforms: [.linux]))],
            swiftSettings: strict + [openSSL]),
        .target(name: "TernJOSE", dependencies: ["TernCrypto"], swiftSettings: strict),
        .target(name: "TernProtocol", dependencies: ["TernJOSE", "TernCrypto"], swiftSettings: strict),
        .target(
            name: "TernOAuth1", dependencies: ["TernProtocol", "TernJOSE", "TernCrypto"], swiftSettings: strict),
        .target(
            name: "TernFoundation", dependencies: ["TernProtocol", "TernJOSE", "TernCrypto"], swiftSettings: strict),
        .target(
            name: "Tern",
            dependencies: [
                "TernOAuth1", "TernProtocol", "TernJOSE", "TernCrypto",
                .target(name: "TernFoundation", condition: .when(platforms: apple)),
                .target(name: "CCurl", condition: .when(platforms: [.linux])),
                .target(name: "CSQLite", condition: .when(platforms: apple + [.linux], traits: ["SQLite"])),
                .target(name: "CSecret", condition: .when(platforms: [.linux], traits: ["SecretService"])),
            ],
            swiftSettings: strict + [curl]),
        .target(
            name: "TernTesting", dependencies: ["Tern", "TernOAuth1", "TernProtocol", "TernJOSE", "TernCrypto"],
            swiftSettings: strict),
        .executableTarget(
            name: "TernCommand", dependencies: ["Tern", "TernTesting"], swiftSettings: strict),
        .executableTarget(
            name: "TernBenchmarks",
            dependencies: [
                "Tern", "TernTesting", .target(name: "COpenSSL", condition: .when(platforms: [.linux])),
                .target(name: "CSQLite", condition: .when(platforms: apple + [.linux], traits: ["SQLite"])),
            ],
            path: "Benchmarks", swiftSettings: strict + [openSSL]),

        .testTarget(name: "TernCryptoTests", dependencies: ["TernCrypto"], swiftSettings: strict),
        .testTarget(name: "TernJOSETests", dependencies: ["TernJOSE", "TernCrypto"], swiftSettings: strict),
        .testTarget(
            name: "TernProtocolTests", dependencies: ["TernProtocol", "TernJOSE", "TernCrypto"], swiftSettings: strict),
        .testTarget(
            name: "TernOAuth1Tests", dependencies: ["TernOAuth1", "TernProtocol", "TernJOSE", "TernCrypto"],
            swiftSettings: strict),
        .testTarget(
            name: "TernTests",
            dependencies: ["Tern", "TernFoundation", "TernTesting", "TernOAuth1", "TernProtocol", "TernJOSE", "TernCrypto"],
            swiftSettings: strict),
        .testTarget(
            name: "TernTestingTests", dependencies: ["TernTesting", "Tern", "TernOAuth1", "TernProtocol", "TernJOSE"],
            swiftSettings: strict),
        .testTarget(
            name: "TernCommandTests", dependencies: ["TernCommand", "TernTesting", "Tern"], swiftSettings: strict),
        // The examples of README.md and of the documentation, compiled, and compared with what is printed there.
        .testTarget(
            name: "SnippetTests", dependencies: ["Tern", "TernFoundation", "TernTesting"], path: "Tests/Snippets",
            swiftSettings: strict),
        .testTarget(
            name: "FaultTests",
            dependencies: ["TernCommand", "Tern", "TernTesting", "TernProtocol", "TernJOSE", "TernCrypto"],
            swiftSettings: strict),
        .testTarget(
            name: "RegressionTests", dependencies: ["Tern", "TernTesting", "TernOAuth1", "TernProtocol", "TernJOSE", "TernCrypto"],
            path: "Tests/Regressions", swiftSettings: strict),
    ]
)
