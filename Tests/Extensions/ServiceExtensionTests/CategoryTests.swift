import ExtensionWire
import Foundation
import Testing
import UserNotifications

@Suite struct CategoryTests {
    @Test func aCategoryReadsBackFromTheProtocol() {
        let reply = UNTextInputNotificationAction(
            identifier: "REPLY", title: "Reply", options: [.authenticationRequired],
            icon: UNNotificationActionIcon(systemImageName: "arrow"), textInputButtonTitle: "Send",
            textInputPlaceholder: "Message")
        let like = UNNotificationAction(
            identifier: "LIKE", title: "Like", options: [.foreground, .destructive],
            icon: UNNotificationActionIcon(templateImageName: "heart"))
        let category = UNNotificationCategory(
            identifier: "MESSAGE", actions: [reply, like], intentIdentifiers: ["INSendMessageIntent"],
            hiddenPreviewsBodyPlaceholder: "%u messages", categorySummaryFormat: "%u more",
            options: [.customDismissAction, .hiddenPreviewsShowTitle])
        let copy = UNNotificationCategory(json: category.json)
        #expect(copy.json == category.json)
        #expect(copy.options == category.options && copy.actions[1].options == like.options)
        #expect((copy.actions[0] as? UNTextInputNotificationAction)?.textInputPlaceholder == "Message")
    }

    @Test func onlyAsManyActionsAsCanBeShownAreSent() {
        let actions = (1...12).map { UNNotificationAction(identifier: "\($0)", title: "\($0)") }
        let category = UNNotificationCategory(identifier: "A", actions: actions, intentIdentifiers: [])
        #expect(category.json["actions"]?.elements?.count == 10)
    }
}
