import Foundation
import Testing
import UserNotifications

/// The two forms of `didReceive`, here in the Swift 6 mode; the example `Await` is in the Swift 5 mode.
@Suite struct AsyncFormTests {
    private final class Async: UNNotificationServiceExtension {
        override func didReceive(_ request: UNNotificationRequest) async -> UNNotificationContent {
            let content = request.content.mutableCopy() as! UNMutableNotificationContent
            await Task.yield()
            content.title += " [async]"
            return content
        }
    }

    private final class AsyncOfSuper: UNNotificationServiceExtension {
        override func didReceive(_ request: UNNotificationRequest) async -> UNNotificationContent {
            await super.didReceive(request)
        }
    }

    private final class Handler: UNNotificationServiceExtension {
        override func didReceive(
            _ request: UNNotificationRequest,
            withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
        ) {
            super.didReceive(request, withContentHandler: contentHandler)
        }
    }

    private final class Neither: UNNotificationServiceExtension {}

    private static let rows: [(name: String, make: @Sendable () -> UNNotificationServiceExtension, title: String)] = [
        ("async", { Async() }, "Hi [async]"), ("async, of super", { AsyncOfSuper() }, "Hi"),
        ("handler, of super", { Handler() }, "Hi"), ("neither", { Neither() }, "Hi"),
    ]

    @Test(arguments: rows.indices) func theHandlerIsCalledWithTheReturnedContent(_ index: Int) async {
        let content = UNMutableNotificationContent()
        content.title = "Hi"
        let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
        let title = await withCheckedContinuation { continuation in
            Self.rows[index].make().didReceive(request) { continuation.resume(returning: $0.title) }
        }
        #expect(title == Self.rows[index].title)
    }
}
