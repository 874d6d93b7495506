import APNs
import DeviceModel
import Foundation
import Gateway
import Media
import Testing

extension AdminFixture {
    /// An app whose service extension is this process, and which may show communication notifications.
    static let chat = #"""
        {"displayName":"Chat","entitlements":["com.apple.developer.usernotifications.communication"],
         "userActivityTypes":["INSendMessageIntent"],"extension":{"command":["nobody"]}}
        """#

    /// Pushes, and answers for the service extension.
    ///
    /// - Parameters:
    ///   - answer: the `content` of the answer.
    ///   - edit: what the gateway does to it before it is delivered.
    /// - Returns: the notification's number.
    @discardableResult
    func push(
        changedBy answer: String, app: String = chat, device: String = "phone", media: MediaStore? = nil,
        edit: (inout NotificationContent) -> Void = { _ in }
    ) async throws -> UInt64 {
        let bundleID = "com.example.app"
        #expect(try await send("PUT", "/api/v1/apps/\(bundleID)", app).status == 200)
        let before = gateway.simulator.notifications(.init(limit: 1000)).items.last?.sequence ?? 0
        let payload = #"{"aps":{"alert":{"title":"Push","body":"Hi"},"mutable-content":1,"thread-id":"t"}}"#
        #expect(push(try register(device), payload) == 200)
        let pushed = gateway.simulator.notifications(.init(limit: 1000)).items.last
        let notification = try #require(pushed)
        #expect(notification.sequence > before)
        let request = ExtensionRequest(
            notification: notification.sequence, device: device, identifier: notification.identifier,
            content: notification.content, payload: Array(payload.utf8), app: notification.circumstances.app,
            at: gateway.now())
        let json = try #require(JSONValue(Array(answer.utf8).span.bytes))
        var run = ExtensionRun(.answered, startedAt: gateway.now(), endedAt: gateway.now())
        var content = try ExtensionAnswer(json, changing: request.content) { image in
            guard case .bytes(let bytes) = image else { return nil }
            return try? media?.put(bytes)
        }.content
        edit(&content)
        run.answer = content
        run.answerSource = .handler
        gateway.finishExtension(run, of: request)
        return notification.sequence
    }
}

/// A store in a folder that goes when the test is over.
final class TemporaryMedia: Sendable {
    let store: MediaStore
    private let path: String

    init() throws {
        path = NSTemporaryDirectory() + "media-\(UUID().uuidString)"
        store = try MediaStore(folder: path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
