// swift-tools-version: 6.2
import PackageDescription

// The arrows of the house (CONTRIBUTING.md): a target may import only what stands in its `dependencies`.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

let package = Package(
    name: "pushcote",
    products: [
        .executable(name: "pushcote", targets: ["pushcote"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(name: "pushcote", dependencies: ["App", argumentParser], swiftSettings: settings),
        .target(name: "App", dependencies: [nioCore, nioPosix, nioHTTP1, hummingbird, argumentParser, lifecycle, logging, yams], swiftSettings: settings),
        .target(name: "DeviceSimulator", dependencies: ["APNs", "DeviceModel"], swiftSettings: settings),
        .target(name: "DeviceModel", swiftSettings: settings),
        .testTarget(
            name: "DeviceSimulatorTests", dependencies: ["APNs", "DeviceModel", "DeviceSimulator"],
            swiftSettings: settings),
        .testTarget(name: "DeviceModelTests", dependencies: ["DeviceModel"], swiftSettings: settings),
        .systemLibrary(name: "CNghttp2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    ],
    swiftLanguageModes: [.v6]
)
