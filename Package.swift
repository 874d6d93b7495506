// swift-tools-version: 6.2
import PackageDescription

// The arrows of the house (CONTRIBUTING.md): a target may import only what stands in its `dependencies`.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func target(
    _ name: String, in group: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(group)/\(name)", exclude: exclude,
        swiftSettings: settings)
}

func tests(
    _ name: String, in group: String, _ dependencies: [Target.Dependency], resources: Bool = false
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(group)/\(name)", exclude: resources ? ["Golden"] : [],
        swiftSettings: settings)
}

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTPTypes: Target.Dependency = .product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let orderedCollections: Target.Dependency = .product(name: "OrderedCollections", package: "swift-collections")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

/// What service extensions are compiled against: Apple's names, Foundation beneath. os, OSLog and Security of Sources/Extensions/AppleFacade
/// are compiled only beside an extension (ExtensionBuilder/Kit.swift): in this package, `canImport(os)` would come true for
/// swift-argument-parser.
#if os(Linux)
let facades: [Target] = [
    target("ExtensionWire", in: "Extensions"),
    target("Contacts", in: "Extensions/AppleFacade"),
    target("CoreLocation", in: "Extensions/AppleFacade", ["Contacts"]),
    target(
        "UserNotifications", in: "Extensions/AppleFacade", ["CoreLocation", "ExtensionWire", "UniformTypeIdentifiers"]),
    target(
        "Intents", in: "Extensions/AppleFacade", ["Contacts", "CoreLocation", "ExtensionWire", "UserNotifications"]),
    target("UIKit", in: "Extensions/AppleFacade"),
    target("UniformTypeIdentifiers", in: "Extensions/AppleFacade"),
    target("WidgetKit", in: "Extensions/AppleFacade", ["ExtensionWire"]),
    target("CallKit", in: "Extensions/AppleFacade", ["ExtensionWire"]),
    target("ServiceExtensionRuntime", in: "Extensions", ["ExtensionWire", "UserNotifications"]),
]
#else
let facades: [Target] = []
#endif

/// The examples as the tests run them: each a target, and one program. Decryption needs swift-crypto and is not among them.
let exampleNames = [
    "AnswersTooLate", "AnswersTwice", "AnyThread", "Await", "Badge", "Call", "Crashes", "Exits", "InvalidAttachment",
    "Message", "NeverAnswers", "Picture", "Reminder", "RemovesAlert", "Slow", "Suppresses", "TakesMemory",
]

/// An extension's source, unmodified and in the language mode that Xcode's template has.
func serviceExtension(_ name: String, path: String) -> Target {
    .target(
        name: name, dependencies: ["Intents", "UIKit", "UniformTypeIdentifiers", "UserNotifications"], path: path,
        exclude: path == "Examples/Message"
            ? ["Info.plist", "push.json"] : path.hasPrefix("Examples/") ? ["push.json"] : [],
        swiftSettings: [.swiftLanguageMode(.v5)])
}

#if os(Linux)
let examples: [Target] =
    exampleNames.map { serviceExtension("\($0)Example", path: "Examples/\($0)") } + [
        serviceExtension("SeedMessage", path: "Tests/Extensions/SeedExtensions/Message"),
        serviceExtension("SeedTitle", path: "Tests/Extensions/SeedExtensions/Title"),
        serviceExtension("SeedDonations", path: "Tests/Extensions/SeedExtensions/Donations"),
        serviceExtension("SeedLocal", path: "Tests/Extensions/SeedExtensions/Local"),
        .executableTarget(
            name: "example-extensions",
            dependencies: exampleNames.map { .target(name: "\($0)Example") } + [
                "SeedDonations", "SeedMessage", "SeedTitle", "ServiceExtensionRuntime",
            ],
            path: "Tests/Extensions/ExampleExtensions", swiftSettings: settings),
        .testTarget(
            name: "ServiceExtensionTests",
            dependencies: [
                "Contacts", "DeviceModel", "ExtensionBuilder", "ExtensionWire", "Intents", "SeedLocal", "UIKit",
                "UniformTypeIdentifiers",
                "UserNotifications", "example-extensions",
            ], path: "Tests/Extensions/ServiceExtensionTests",
            exclude: ["Fixtures"], swiftSettings: settings),
    ]
#else
let examples: [Target] = []
#endif

let package = Package(
    name: "pushcote",
    products: [
        .executable(name: "pushcote", targets: ["pushcote"]),
        .library(name: "PushcoteTesting", targets: ["PushcoteTesting"]),
    ] + facades.map { .library(name: $0.name, type: .static, targets: [$0.name]) },
    // Pinned; docs/dependencies.md says what each is for, and a test holds the two together.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        // What Hummingbird is built on.
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        // Its traits would add a package for configuration.
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ],
    targets: [
        // CLibraries.
        .systemLibrary(
            name: "CNghttp2", path: "Sources/CLibraries/CNghttp2", pkgConfig: "libnghttp2",
            providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(
            name: "COpenSSL", path: "Sources/CLibraries/COpenSSL", pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CSQLite", path: "Sources/CLibraries/CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CAllocator", path: "Sources/CLibraries/CAllocator"),
        .systemLibrary(name: "CProcess", path: "Sources/CLibraries/CProcess"),
        // Opened at run time, so that nothing but the journal in Postgres needs it.
        .systemLibrary(name: "CLibPQ", path: "Sources/CLibraries/CLibPQ"),
        // The files that are part of the program.
        .target(name: "CDocuments", path: "Sources/CLibraries/CDocuments"),

        // Foundations.
        target("ChildProcesses", in: "Foundations", ["CProcess"]),
        target("Files", in: "Foundations"),
        target("JSON", in: "Foundations", [orderedCollections]),
        target("Fields", in: "Foundations", ["JSON", heap]),
        target("Memory", in: "Foundations", ["CAllocator", nioCore, nioPosix]),
        target("Time", in: "Foundations"),

        // Security.
        target("TLSEngine", in: "Security", ["COpenSSL"]),
        target("Clients", in: "Security", ["Fields", "TLSEngine", nioCore, nioHTTP1, nioPosix]),
        target("Credentials", in: "Security", ["Files", "Time", "TLSEngine"]),

        // Provider.
        target("RequestWire", in: "Provider"),
        target("APNs", in: "Provider", ["JSON", "RequestWire", "Time"]),
        target("HPACK", in: "Provider", ["CNghttp2", "RequestWire"]),
        target("HTTP2Engine", in: "Provider", ["CNghttp2", "HPACK", "RequestWire", deque]),
        target(
            "ProviderServer", in: "Provider",
            ["HTTP2Engine", "Memory", "RequestWire", "TLSEngine", deque, logging, nioCore, nioHTTP1, nioPosix]),

        // Phone.
        target("DeviceModel", in: "Phone", ["APNs", "Fields", "JSON", "Time"]),
        target("LiveModel", in: "Phone", ["APNs", "DeviceModel", "Fields", "JSON", "RequestWire", "Time"]),
        target(
            "SiriModel", in: "Phone", ["APNs", "CDocuments", "DeviceModel", "Fields", "JSON", "Time"],
            exclude: ["Reservations/airports.tsv"]),
        target(
            "DeviceSimulator", in: "Phone",
            ["APNs", "DeviceModel", "Fields", "JSON", "LiveModel", "RequestWire", "SiriModel", "Time", deque, heap]),
        target("Journal", in: "Phone", ["CLibPQ", "CSQLite", "DeviceSimulator"]),

        // Extensions.
        target("ExtensionBuilder", in: "Extensions", ["CDocuments", "ChildProcesses"]),
        target(
            "ExtensionHost", in: "Extensions",
            [
                "APNs", "ChildProcesses", "Clients", "DeviceModel", "Fields", "Files", "JSON", "Time", nioCore,
                nioPosix,
            ]),

        // Gateway.
        target("Lint", in: "Gateway", ["APNs", "DeviceModel", "Fields", "JSON", "LiveModel", "SiriModel", "Time"]),
        target("Queries", in: "Gateway", ["APNs", "Fields", "JSON", "Time"]),
        target(
            "Webhooks", in: "Gateway",
            [
                "APNs", "Clients", "DeviceModel", "DeviceSimulator", "Fields", "Files", "JSON", "Queries", "Time",
                "TLSEngine", lifecycle, nioCore, nioPosix,
            ]),
        target("Media", in: "Gateway", ["DeviceModel", "Files", "TLSEngine", orderedCollections]),
        target(
            "Gateway", in: "Gateway",
            [
                "APNs", "Credentials", "DeviceModel", "DeviceSimulator", "ExtensionHost", "Fields", "Files", "JSON",
                "Lint", "LiveModel", "Media", "Queries", "RequestWire", "SiriModel", "Time", "TLSEngine", "Webhooks",
            ]),
        target(
            "Relay", in: "Gateway",
            [
                "APNs", "Clients", "Credentials", "Fields", "Files", "Gateway", "HTTP2Engine", "Time", "TLSEngine",
                deque, lifecycle, nioCore, nioPosix,
            ]),

        // Admin.
        target("Pictures", in: "Admin", ["APNs", "DeviceModel", "Time"]),
        target(
            "AdminAPI", in: "Admin",
            [
                "APNs", "CDocuments", "Clients", "Credentials", "DeviceModel", "DeviceSimulator", "Fields", "Gateway",
                "JSON", "Lint", "LiveModel", "Media", "Memory", "Pictures", "Queries", "RequestWire", "SiriModel",
                "Time", "TLSEngine", "Webhooks", httpTypes, hummingbirdCore, lifecycle, logging, nioCore, nioHTTP1,
                nioHTTPTypes,
            ], exclude: ["Page", "openapi.yaml"]),

        // Program.
        target(
            "PushcoteConfiguration", in: "Program",
            [
                "APNs", "DeviceModel", "DeviceSimulator", "ExtensionHost", "Fields", "Files", "Gateway", "HTTP2Engine",
                "JSON", "ProviderServer", "Time", "Webhooks", logging, yams,
            ]),
        target(
            "PushcoteServer", in: "Program",
            [
                "AdminAPI", "APNs", "Credentials", "DeviceModel", "DeviceSimulator", "ExtensionHost", "Fields",
                "Files", "Gateway", "HTTP2Engine", "Journal", "JSON", "Media", "ProviderServer",
                "PushcoteConfiguration", "Relay", "RequestWire", "Time", "TLSEngine", "Webhooks", deque, lifecycle,
                logging, nioCore, nioPosix, unixSignals,
            ]),
        // Imports Testing of the toolchain.
        target(
            "PushcoteTesting", in: "Program",
            [
                "AdminAPI", "Clients", "Credentials", "Fields", "JSON", "PushcoteConfiguration", "PushcoteServer",
                "Time", logging, nioCore, nioPosix,
            ]),
        target(
            "CLI", in: "Program",
            [
                "APNs", "ChildProcesses", "Clients", "Credentials", "DeviceModel", "DeviceSimulator",
                "ExtensionBuilder", "ExtensionHost", "Fields", "Files", "JSON", "PushcoteConfiguration", "Time",
                "TLSEngine", argumentParser, nioCore, nioPosix,
            ]),
        .executableTarget(
            name: "pushcote",
            dependencies: [
                "AdminAPI", "APNs", "ChildProcesses", "CLI", "Credentials", "DeviceModel", "Fields", "Files", "JSON",
                "Lint", "Memory", "PushcoteConfiguration", "PushcoteServer", "SiriModel", "Time", argumentParser,
                logging, nioPosix, unixSignals,
            ], path: "Sources/Program/pushcote", swiftSettings: settings),

        // Benchmarks and tests.
        .executableTarget(
            name: "delivery-benchmark",
            dependencies: [
                "APNs", "DeviceModel", "DeviceSimulator", "Journal", "JSON", "LiveModel", "Memory", "Pictures",
                "RequestWire", "SiriModel", "Time",
            ],
            path: "Benchmarks/Delivery", swiftSettings: settings),
        .executableTarget(name: "load-generator", dependencies: ["CNghttp2", "COpenSSL"], path: "Benchmarks/Load"),
        .target(
            name: "TestSupport",
            dependencies: [
                "APNs", "CAllocator", "CNghttp2", "COpenSSL", "DeviceModel", "DeviceSimulator", "Fields", "HTTP2Engine",
                "RequestWire", "Time", "TLSEngine", nioCore, nioPosix,
            ],
            path: "Tests/TestSupport",
            swiftSettings: settings),
        .target(
            name: "Fuzzing",
            dependencies: [
                "AdminAPI", "APNs", "DeviceModel", "DeviceSimulator", "ExtensionHost", "Fields", "Gateway",
                "HTTP2Engine", "JSON", "Lint", "ProviderServer", "PushcoteConfiguration", "Queries", "RequestWire",
                "SiriModel", "TestSupport", "Time", "TLSEngine", logging, nioCore, nioEmbedded,
            ],
            path: "Tests/Fuzzing/Targets", swiftSettings: settings),
        .testTarget(
            name: "FuzzingTests", dependencies: ["Fuzzing", "TestSupport"], path: "Tests/Fuzzing/Tests",
            swiftSettings: settings),
        // The example package, built with this one.
        .target(name: "Shop", path: "Examples/SwiftTesting/Sources/Shop"),
        .testTarget(
            name: "ShopTests", dependencies: ["PushcoteTesting", "Shop"],
            path: "Examples/SwiftTesting/Tests/ShopTests"),
        tests("ChildProcessesTests", in: "Foundations", ["ChildProcesses"]),
        tests("FilesTests", in: "Foundations", ["Files"]),
        tests("FreedMemoryTests", in: "Foundations", ["Memory"]),
        tests("CredentialsTests", in: "Security", ["Credentials", "TLSEngine"]),
        tests("TLSEngineTests", in: "Security", ["TestSupport", "TLSEngine"]),
        tests("APNsTests", in: "Provider", ["APNs", "RequestWire", "Time"]),
        tests("HTTP2EngineTests", in: "Provider", ["HPACK", "HTTP2Engine", "RequestWire", "TestSupport"]),
        tests(
            "ProviderServerTests", in: "Provider",
            ["HTTP2Engine", "ProviderServer", "RequestWire", "TestSupport", "TLSEngine", logging, nioCore, nioPosix]),
        tests(
            "DeviceModelTests", in: "Phone",
            ["APNs", "DeviceModel", "Fields", "JSON", "Lint", "LiveModel", "TestSupport", "Time"]),
        tests(
            "DeviceSimulatorTests", in: "Phone",
            [
                "APNs", "DeviceModel", "DeviceSimulator", "Fields", "JSON", "LiveModel", "RequestWire", "SiriModel",
                "TestSupport", "Time",
            ]),
        tests(
            "JournalTests", in: "Phone",
            ["APNs", "DeviceModel", "DeviceSimulator", "Journal", "RequestWire", "TestSupport", "Time"]),
        tests(
            "LiveModelTests", in: "Phone",
            ["APNs", "DeviceModel", "Fields", "JSON", "LiveModel", "TestSupport", "Time"]),
        tests(
            "SiriModelTests", in: "Phone",
            ["APNs", "DeviceModel", "Fields", "JSON", "LiveModel", "SiriModel", "TestSupport", "Time"]),
        tests(
            "ExtensionHostTests", in: "Extensions",
            [
                "APNs", "ChildProcesses", "DeviceModel", "ExtensionHost", "JSON", "TestSupport", "Time", nioCore,
                nioHTTP1, nioPosix,
            ]),
        tests(
            "GatewayTests", in: "Gateway",
            [
                "APNs", "DeviceModel", "DeviceSimulator", "ExtensionHost", "Fields", "Gateway", "JSON", "RequestWire",
                "TestSupport", "Time", "TLSEngine", "Webhooks",
            ]),
        tests("MediaTests", in: "Gateway", ["DeviceModel", "Files", "Media"]),
        tests("QueriesTests", in: "Gateway", ["Fields", "JSON", "Queries"]),
        tests(
            "WebhooksTests", in: "Gateway",
            [
                "APNs", "DeviceModel", "DeviceSimulator", "Fields", "JSON", "TestSupport", "Time", "TLSEngine",
                "Webhooks", lifecycle, logging, nioCore, nioHTTP1, nioPosix,
            ]),
        tests(
            "AdminAPITests", in: "Admin",
            [
                "AdminAPI", "APNs", "DeviceModel", "DeviceSimulator", "ExtensionHost", "Fields", "Gateway", "JSON",
                "Lint", "LiveModel", "Media", "Pictures", "RequestWire", "SiriModel", "TestSupport", "Time",
                "TLSEngine", "Webhooks", httpTypes, hummingbirdCore, lifecycle, logging, nioCore, nioHTTP1, nioPosix,
                yams,
            ]),
        tests(
            "PicturesTests", in: "Admin", ["APNs", "DeviceModel", "Pictures", "TestSupport", "Time"], resources: true),
        tests(
            "CLITests", in: "Program",
            [
                "CLI", "DeviceModel", "Fields", "pushcote", "PushcoteConfiguration", "TestSupport", argumentParser,
                nioCore, nioHTTP1, nioPosix,
            ],
            resources: true),
        tests(
            "PushcoteConfigurationTests", in: "Program",
            [
                "APNs", "DeviceModel", "DeviceSimulator", "Fields", "Gateway", "HTTP2Engine", "JSON", "ProviderServer",
                "PushcoteConfiguration", "TestSupport", "Time", "Webhooks",
            ], resources: true),
        tests("PushcoteTestingTests", in: "Program", ["PushcoteTesting"]),
        tests(
            "PushcoteServerTests", in: "Program",
            [
                "APNs", "DeviceModel", "DeviceSimulator", "ExtensionHost", "Fields", "Gateway", "PushcoteConfiguration",
                "PushcoteServer", "TestSupport", "Time", logging, nioPosix,
            ]),
    ] + facades + examples,
    swiftLanguageModes: [.v6]
)

// `make build`: this object takes the place of Foundation's ICU data.
if let data = Context.environment["PUSHCOTE_ICU_DATA"] {
    package.targets.first { $0.name == "pushcote" }?.linkerSettings = [.unsafeFlags([data])]
}

// `make fuzz`: links libFuzzer, which only a build with -sanitize=fuzzer has.
if Context.environment["PUSHCOTE_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["Fuzzing"], path: "Tests/Fuzzing/Driver", swiftSettings: settings,
            // gold, the default, fails over the coverage's debug information.
            linkerSettings: [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]))
}
