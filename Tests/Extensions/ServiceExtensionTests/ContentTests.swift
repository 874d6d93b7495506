import ExtensionWire
import Foundation
import Intents
import Testing
import UserNotifications

@Suite struct ContentTests {
    private static let json = """
        {"attachments":[],"badge":3,"body":"Body","categoryIdentifier":"chat","communication":null,\
        "filterCriteria":"work","interruptionLevel":"time-sensitive","launchImageName":null,"relevanceScore":0.5,\
        "sound":{"critical":true,"name":"alarm.caf","volume":0.7},"subtitle":"Subtitle","targetContentIdentifier":null,\
        "threadIdentifier":"thread","title":"Title","userInfo":{"aps":{"badge":3,"flag":true},"list":[1,"a",null,1.5]}}
        """

    private var content: UNNotificationContent {
        get throws { UNNotificationContent(json: try WireValue(json: Data(Self.json.utf8))) }
    }

    private func message(sender: INPerson?) -> INSendMessageIntent {
        INSendMessageIntent(
            recipients: nil, outgoingMessageType: .outgoingMessageText, content: "Hi", speakableGroupName: nil,
            conversationIdentifier: "chat-1", serviceName: nil, sender: sender, attachments: nil)
    }

    private let somebody = INPerson(
        personHandle: INPersonHandle(value: nil, type: .unknown), nameComponents: nil, displayName: "Mia", image: nil,
        contactIdentifier: nil, customIdentifier: nil)

    @Test func contentReadsBackCompletely() throws {
        #expect(try content.json.json == Self.json)
    }

    /// S2-18 custom keys of the payload are in userInfo, with Foundation's types.
    @Test func userInfoHasFoundationsTypes() throws {
        let userInfo = try content.userInfo
        #expect(userInfo["aps"] is [String: Any])
        #expect((userInfo["aps"] as? [AnyHashable: Any])?["badge"] as? Int == 3)
        #expect((userInfo["aps"] as? [String: Any])?["badge"] as? NSNumber == 3)
        #expect((userInfo["aps"] as? [String: Any])?["flag"] as? Bool == true)
        #expect((userInfo["list"] as? [Any])?.count == 4)
    }

    @Test func aMutableCopyIsIndependent() throws {
        let original = try content
        let copy = try #require(original.mutableCopy() as? UNMutableNotificationContent)
        copy.title = "New"
        copy.userInfo["added"] = ["number": 1, "date": Date(timeIntervalSince1970: 0)] as [String: Any]
        #expect(original.title == "Title")
        #expect(copy.json["title"] == .string("New"))
        #expect(
            copy.json["userInfo"]?["added"]
                == .object(["number": .integer(1), "date": .string("1970-01-01T00:00:00.000Z")]))
    }

    @Test func aCopyOfAMutableContentCannotBeChanged() throws {
        let mutable = UNMutableNotificationContent()
        mutable.body = "Body"
        let copy = try #require(mutable.copy() as? UNNotificationContent)
        #expect(!(copy is UNMutableNotificationContent))
        mutable.body = "Changed"
        #expect(copy.body == "Body")
    }

    @Test func aRequestCopiesItsContent() {
        let content = UNMutableNotificationContent()
        content.body = "Body"
        let request = UNNotificationRequest(identifier: "1", content: content, trigger: nil)
        content.body = "Changed"
        #expect(request.content.body == "Body")
    }

    @Test func itSurvivesAnArchive() throws {
        let archive = try NSKeyedArchiver.archivedData(withRootObject: try content, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: UNNotificationContent.self, from: archive)
        #expect(try read == content)
    }

    /// S0-33 S2-12 updating(from:) keeps the receiver's class, so that a mutable content stays one, and its texts.
    @Test func updatingKeepsTheReceiversClassAndTexts() throws {
        let intent = message(sender: somebody)
        let updated = try content.updating(from: intent)
        #expect(!(updated is UNMutableNotificationContent))
        #expect(updated.title == "Title" && updated.threadIdentifier == "thread")
        #expect(updated.json["communication"] == intent.json)
        #expect(try content.json["communication"] == .null)

        let mutable = try #require(try content.mutableCopy() as? UNMutableNotificationContent)
        #expect(try mutable.updating(from: intent) is UNMutableNotificationContent)
    }

    @Test func aCommunicationSurvivesACopy() throws {
        let updated = try content.updating(from: message(sender: somebody))
        let copy = try #require(updated.mutableCopy() as? UNMutableNotificationContent)
        #expect(copy.json["communication"]?["class"] == .string("INSendMessageIntent"))
    }

    /// S0-34 content is not updated from an object of the app's own.
    @Test func anAppsOwnProviderIsNotAllowed() {
        final class Provider: NSObject, UNNotificationContentProviding {}
        #expect(throws: UNError.self) { try content.updating(from: Provider()) }
        do {
            _ = try content.updating(from: Provider())
        } catch {
            #expect((error as? UNError)?.code == .contentProvidingObjectNotAllowed)
            #expect((error as? UNError)?.errorCode == 1500)
            #expect((error as? any CustomNSError).map { type(of: $0).errorDomain } == "UNErrorDomain")
        }
    }

    @Test func aMessageWithoutSenderAndACallWithoutContactsAreInvalid() {
        let call = INStartCallIntent(
            callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown, destinationType: .normal,
            contacts: nil, callCapability: .audioCall)
        for provider: any UNNotificationContentProviding in [message(sender: nil), call] {
            do {
                _ = try content.updating(from: provider)
                Issue.record("accepted")
            } catch {
                #expect((error as? UNError)?.errorCode == 1501)
            }
        }
    }

    @Test(arguments: [
        (UNNotificationSound.default.json.json, #""default""#),
        (UNNotificationSound(named: UNNotificationSoundName("bell.caf")).json.json, #""bell.caf""#),
        (UNNotificationSound.defaultCritical.json.json, #"{"critical":true,"name":"default","volume":1.0}"#),
        (
            UNNotificationSound.criticalSoundNamed(UNNotificationSoundName(rawValue: "a"), withAudioVolume: 0.3).json
                .json,
            #"{"critical":true,"name":"a","volume":0.3}"#
        ),
    ]) func soundsAreWritten(_ written: String, _ expected: String) { #expect(written == expected) }
}
