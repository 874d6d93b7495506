/// Explains what a compiler error means for an extension on Linux.
enum Advice {
    static func about(_ message: String) -> String? {
        if let match = message.firstMatch(of: /no such module '(\w+)/) { return module(String(match.1)) }
        if message.contains("Objective-C") || message.contains("#selector") {
            return
                "Linux has no Objective-C runtime, so this cannot work there; put it behind #if canImport(ObjectiveC)."
        }
        if let match = message.firstMatch(of: /cannot find (?:type )?'(\w+)' in scope/) { return name(String(match.1)) }
        if let match = message.firstMatch(of: /(?:value of )?type '([\w.]+)\??' has no member '(\w+)'/),
            isApple(String(match.1))
        {
            return missing("\(match.1).\(match.2)")
        }
        return nil
    }

    private static func module(_ name: String) -> String {
        if let reason = neverOnLinux[name] {
            return "\(name) is Apple's and cannot exist on Linux: \(reason); put it behind #if canImport(\(name))."
        }
        if thirdParty.contains(where: name.hasPrefix) {
            return
                "\(name) is a third-party library: put its source into the extension's folder if it compiles on Linux, "
                + "or put it behind #if canImport(\(name))."
        }
        return
            "\(name) is not among Pushcote's frameworks: if it is the app's own module, put its source into the extension's "
            + "folder; if it is Apple's, please report it."
    }

    private static func name(_ name: String) -> String? {
        switch name {
        case "UIApplication": return "UIApplication is not available to extensions, not even on iOS."
        case "AVAudioSession", "AVAsset", "AVPlayer":
            return "\(name) needs Apple's media frameworks and cannot exist on Linux."
        default: return isApple(name) ? missing(name) : nil
        }
    }

    private static func missing(_ name: String) -> String {
        "\(name) is Apple's and not in Pushcote's frameworks yet: please report it, or put it behind #if !os(Linux)."
    }

    private static func isApple(_ name: String) -> Bool {
        ["UN", "IN", "UI", "CX", "CL", "CN", "Sec", "kSec", "OS", "UT", "NS", "CF", "CG"].contains {
            name.hasPrefix($0) && name.dropFirst($0.count).first?.isUppercase == true
        }
    }

    private static let thirdParty = [
        "Firebase", "OneSignal", "SDWebImage", "Kingfisher", "Alamofire", "Sentry", "Nuke", "Realm", "CocoaLumberjack",
        "RxSwift", "Braze", "Appboy", "CustomerIO", "Batch", "Airship", "Leanplum", "MoEngage", "Intercom", "Datadog",
        "KeychainAccess", "SwiftyJSON", "WebRTC", "GRDB", "Mixpanel", "Pushwoosh", "Notificare", "CleverTap",
    ]

    private static let neverOnLinux = [
        "WatchKit": "it needs a watch", "SwiftUI": "it needs a screen", "UserNotificationsUI": "it needs a screen",
        "HealthKit": "it needs the device's health store", "AVFoundation": "it needs Apple's media frameworks",
        "AVKit": "it needs Apple's media frameworks", "CoreData": "it needs the Objective-C runtime",
        "SwiftData": "it needs Apple's storage", "CoreImage": "it needs Apple's graphics",
        "CoreGraphics": "it needs Apple's graphics", "ImageIO": "it needs Apple's graphics",
        "Photos": "it needs the photo library",
        "EventKit": "it needs the calendar",
        "PushKit": "it belongs to the app", "Combine": "it is closed source", "StoreKit": "it needs the App Store",
        "WebKit": "it needs a screen", "CoreML": "it needs Apple's hardware", "Vision": "it needs Apple's hardware",
        "NaturalLanguage": "it is closed source", "LocalAuthentication": "it needs the device's keys",
        "Network": "it is closed source", "CommonCrypto": "it is closed source; CryptoKit works",
        "ActivityKit": "it needs a screen", "AppIntents": "it is closed source", "ObjectiveC": "it is the runtime",
    ]
}
