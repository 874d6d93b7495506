// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "shop",
    dependencies: [
        // In your package: .package(url: "https://github.com/OWNER/pushcote", branch: "main")
        .package(name: "pushcote", path: "../.."),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.24.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.27.0"),
    ],
    targets: [
        .target(
            name: "Shop",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]),
        .testTarget(
            name: "ShopTests", dependencies: ["Shop", .product(name: "PushcoteTesting", package: "pushcote")]),
    ]
)
