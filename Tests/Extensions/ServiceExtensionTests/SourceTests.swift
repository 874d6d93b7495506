import Foundation
import Testing

@testable import ExtensionBuilder

/// Scanning a source before compilation, and explaining compiler errors.
@Suite struct SourceTests {
    @Test(arguments: [
        ("import os.log", "import os    "), ("  @preconcurrency import os.log", "  @preconcurrency import os    "),
        ("import UserNotifications", "import UserNotifications"),
        ("@objc(NotificationService) class A", "                           class A"),
        ("@objc func a()", "      func a()"), ("@objcMembers class A", "             class A"),
        ("let text = \"important\"", "let text = \"important\""),
    ]) func wordsOfObjectiveCAreBlanked(_ source: String, _ prepared: String) {
        #expect(SourcePreparation.prepared(source) == prepared)
        #expect(SourcePreparation.prepared(source).count == source.count)
    }

    @Test func theExtensionsClassIsFound() {
        let text = """
            final class Push : UNNotificationServiceExtension, Other {}
            class Other: NSObject {}
            class Second: UserNotifications.UNNotificationServiceExtension {}
            """
        #expect(ExtensionSource.extensionClasses(in: text) == ["Push", "Second"])
    }

    @Test func commentsAndTextsDeclareNoClass() {
        let text = """
            // class Old: UNNotificationServiceExtension
            /* class Older: UNNotificationServiceExtension
               "*/ class Push: UNNotificationServiceExtension { let url = "https://a/*b" // "
            let text = \"""
            class Text: UNNotificationServiceExtension
            \"""
            let quote = "\\" class Quoted: UNNotificationServiceExtension"
            """
        let code = SourcePreparation.withoutCommentsAndTexts(text)
        #expect(ExtensionSource.extensionClasses(in: code) == ["Push"])
    }

    @Test(arguments: [
        ("no such module 'FirebaseMessaging'", "third-party library"),
        ("no such module 'OneSignalExtension'", "third-party library"),
        ("no such module 'WatchKit'", "cannot exist on Linux"), ("no such module 'SwiftUI'", "cannot exist on Linux"),
        ("no such module 'MyAppShared'", "the app's own module"),
        ("cannot find type 'UNNovelty' in scope", "UNNovelty is Apple's and not in Pushcote's frameworks yet"),
        ("cannot find 'UIApplication' in scope", "is not available to extensions"),
        ("value of type 'UNNotificationContent' has no member 'novelty'", "UNNotificationContent.novelty is Apple's"),
        ("type 'INPerson' has no member 'novelty'", "INPerson.novelty is Apple's"),
    ]) func anErrorIsExplained(_ message: String, _ advice: String) {
        #expect(Advice.about(message)?.contains(advice) == true)
    }

    @Test(arguments: ["cannot find 'foo' in scope", "value of type 'Mine' has no member 'x'", "expected expression"])
    func anOrdinaryErrorIsPrintedUnchanged(_ message: String) { #expect(Advice.about(message) == nil) }

    @Test func errorsNameTheOriginalFile() {
        let output = """
            /b/Sources/X/A.swift:3:5: error: expected expression
            /b/Sources/X/A.swift:3:5: error: expected expression
            /b/Sources/X/A.swift:4:5: warning: unused
            """
        let problems = BuildProblem.all(in: output, originals: ["/b/Sources/X/A.swift": "/mine/A.swift"])
        #expect(problems.map(\.description) == ["/mine/A.swift:3:5: error: expected expression"])
    }
}
