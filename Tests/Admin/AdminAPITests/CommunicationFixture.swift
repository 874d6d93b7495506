import APNs
import DeviceModel
import DeviceSimulator
import ExtensionHost
import Foundation
import Gateway
import JSON
import NIOPosix
import Testing

extension AdminFixture {
    /// An app entitled to communication notifications, whose service extension is this process.
    static let chat = #"""
        {"displayName":"Chat","entitlements":["com.apple.developer.usernotifications.communication"],
         "userActivityTypes":["INSendMessageIntent"],"extension":{"command":["nobody"]}}
        """#

    /// Sends a push and answers in place of the service extension.
    ///
    /// - Parameter answer: the `content` of the answer.
    /// - Returns: the notification's number.
    @discardableResult
    func push(changedBy answer: String, device: String = "phone") async throws -> UInt64 {
        let put = try await send("PUT", "/api/v1/apps/com.example.app", Self.chat)
        #expect([200, 201].contains(put.status))
        let before = gateway.simulator.notifications(.init(limit: 1000)).items.last?.sequence ?? 0
        let payload = #"{"aps":{"alert":{"title":"Push","body":"Hi"},"mutable-content":1,"thread-id":"t"}}"#
        let token = try register(device)
        #expect(push(token, payload) == 200)
        let pushed = gateway.simulator.notifications(.init(limit: 1000)).items.last
        let notification = try #require(pushed)
        #expect(notification.sequence > before)
        let request = ExtensionRequest(
            notification: notification.sequence, device: device, identifier: notification.identifier,
            content: notification.content, payload: Array(payload.utf8), app: notification.context.app,
            at: gateway.now())
        let content = JSONValue(Array(answer.utf8).span.bytes)
        let json = try #require(content)
        var run = ExtensionRun(.answered, startedAt: gateway.now(), endedAt: gateway.now())
        run.answer = try ExtensionAnswer(json, changing: request.content) { gateway.store($0, of: request) }.content
        run.answerSource = .handler
        gateway.finishExtension(run, of: request)
        return notification.sequence
    }
}

extension AdminFixture {
    /// Runs the body with a folder for the app's extension and a media store.
    ///
    /// - Parameter body: gets the address of the folder.
    func withExtensionFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory() + "extensions-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let host = ExtensionHost(
            settings: ExtensionSettings(folder: folder.path), loops: MultiThreadedEventLoopGroup.singleton,
            delegate: gateway)
        gateway.attach(host, media: folder.path + "/.media")
        let own = URL(fileURLWithPath: host.folder(of: "com.example.app"))
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        do {
            try await body(own)
        } catch {
            await host.stop()
            throw error
        }
        await host.stop()
    }
}
