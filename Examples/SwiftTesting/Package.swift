// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "shop",
    dependencies: [
        // In your package: the path of your clone of Pushcote.
        .package(name: "pushcote", path: "../..")
    ],
    targets: [
        .target(name: "Shop"),
        .testTarget(
            name: "ShopTests", dependencies: ["Shop", .product(name: "PushcoteTesting", package: "pushcote")]),
    ]
)
