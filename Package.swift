// swift-tools-version: 6.2
import PackageDescription

// The arrows of the house (CONTRIBUTING.md): a target may import only what stands in its `dependencies`.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

func target(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: Bool = false) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: resources ? ["Golden"] : [], swiftSettings: settings)
}

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

let package = Package(
    name: "pushcote",
    products: [
        .executable(name: "pushcote", targets: ["pushcote"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(name: "CNghttp2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),

        target(
            "AdminAPI",
            [
                "APNs", "DeviceModel", "DeviceSimulator", "Gateway", "TLSEngine", hummingbird, hummingbirdCore,
                lifecycle,
                logging, nioCore, nioHTTP1,
            ]),
        target("APNs"),
        target("DeviceModel", ["APNs"]),
        target("DeviceSimulator", ["APNs", "DeviceModel"]),
        target("DurableJournal", ["DeviceSimulator", grdb]),
        target("Gateway", ["APNs", "DeviceModel", "DeviceSimulator", "TLSEngine"]),
        target("HTTP2Engine", ["CNghttp2"]),
        target("TLSEngine", ["COpenSSL"]),
        target("HTTP2Server", ["HTTP2Engine", "TLSEngine", logging, nioCore, nioHTTP1, nioPosix]),
        target(
            "App",
            [
                "AdminAPI", "APNs", "DeviceModel", "DeviceSimulator", "DurableJournal", "Gateway", "HTTP2Engine",
                "HTTP2Server", "TLSEngine",
                argumentParser, lifecycle, logging, nioCore, nioHTTP1, nioPosix, unixSignals, yams,
            ]),
        .executableTarget(name: "pushcote", dependencies: ["App"], swiftSettings: settings),
        .executableTarget(
            name: "delivery-benchmark", dependencies: ["APNs", "DeviceModel", "DeviceSimulator"],
            path: "Benchmarks/Delivery", swiftSettings: settings),

        .target(
            name: "TestSupport", dependencies: ["HTTP2Engine", "TLSEngine", nioCore, nioPosix],
            path: "Tests/TestSupport",
            swiftSettings: settings),
        tests(
            "AdminAPITests",
            [
                "AdminAPI", "APNs", "DeviceModel", "DeviceSimulator", "Gateway", "TLSEngine", hummingbird, lifecycle,
                logging,
                nioCore, nioHTTP1, nioPosix,
            ]),
        tests("APNsTests", ["APNs"]),
        tests(
            "AppTests",
            [
                "APNs", "App", "DeviceModel", "DeviceSimulator", "Gateway", "HTTP2Engine", "HTTP2Server", "TLSEngine",
                argumentParser,
                nioCore,
                nioHTTP1, nioPosix,
            ],
            resources: true),
        tests("DeviceModelTests", ["APNs", "DeviceModel"]),
        tests("DeviceSimulatorTests", ["APNs", "DeviceModel", "DeviceSimulator"]),
        tests("DurableJournalTests", ["APNs", "DeviceModel", "DeviceSimulator", "DurableJournal"]),
        tests("GatewayTests", ["APNs", "DeviceModel", "DeviceSimulator", "Gateway", "TLSEngine"]),
        tests("HTTP2EngineTests", ["HTTP2Engine", "TestSupport"]),
        tests(
            "HTTP2ServerTests",
            ["HTTP2Engine", "HTTP2Server", "TLSEngine", "TestSupport", logging, nioCore, nioPosix]),
        tests("TLSEngineTests", ["TLSEngine", "TestSupport"]),
    ],
    swiftLanguageModes: [.v6]
)
