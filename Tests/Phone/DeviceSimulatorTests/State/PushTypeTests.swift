import APNs
import DeviceModel
import JSON
import Testing

@testable import DeviceSimulator

/// Pushes that are no notifications end as events of their own.
@Suite struct PushTypeTests {
    static let rows: [(PushType, [DeviceEvent.Kind])] = [
        (.background, [.backgroundPush, .appLaunch]), (.complication, [.complication]), (.controls, [.controls]),
        (.fileprovider, [.fileProvider]), (.location, [.locationQuery]),
        (.mdm, [.mdm]), (.pushtotalk, [.pushToTalk]), (.voip, [.call]), (.widgets, [.widgets]),
    ]

    /// Effects of an alert, none of which may occur.
    static let payload = #"{"aps":{"alert":"Hello","sound":"default","badge":3,"content-available":1}}"#

    @Test("apns-2.2 each push type produces its own event, and never an alert", arguments: rows)
    func ends(_ type: PushType, _ expected: [DeviceEvent.Kind]) {
        let phone = Phone()
        let push = phone.push(
            type == .background ? #"{"aps":{"content-available":1}}"# : Self.payload,
            topic: Phone.chat + type.topicSuffix, type: type, kind: type.tokenKind, priority: .powerConserving)
        #expect(phone.story(push) == [.received] + expected)
        #expect(phone.state(of: push) == .delivered)
        let notification = phone.simulator.notification(push)
        #expect(notification?.outcome == nil)
        #expect(notification?.reasons == nil)
        #expect(notification?.registration.kind == type.tokenKind)
        #expect(phone.screen.lockScreen.isEmpty && phone.screen.notificationCenter.isEmpty)
        #expect(phone.app().badge == 0)
        #expect(throws: SimulatorError.self) { try phone.act(.tap(notification: push)) }
    }

    @Test(
        "L3 a background push wakes the app only with content-available: 1 alone",
        arguments: [
            #"{"aps":{"alert":"Hello","content-available":1}}"#, #"{"aps":{"badge":1,"content-available":1}}"#,
            #"{"aps":{"sound":"default","content-available":1}}"#, #"{"aps":{},"order":17}"#, #"{"order":17}"#,
            #"{"aps":{"content-available":"1"}}"#, #"{"aps":{"content-available":0}}"#,
            #"{"aps":{"content-available":null}}"#,
        ])
    func wakesForNothingElse(_ payload: String) {
        let phone = Phone()
        // The budget does not hold it back either.
        phone.wakeUp(3)
        let push = phone.push(payload, type: .background, priority: .powerConserving)
        #expect(phone.state(of: push) == .discarded(.notBackground))
        #expect(phone.events(.appLaunch, of: push).isEmpty)
    }

    @Test(
        "L3 true counts as 1, null as nothing, and keys that show nothing do not matter",
        arguments: [
            #"{"aps":{"content-available":true}}"#, #"{"aps":{"content-available":1,"alert":null},"order":17}"#,
            #"{"aps":{"alert":"first"},"aps":{"content-available":1}}"#,
            #"{"aps":{"category":"x","content-available":1,"thread-id":"x"}}"#,
            #"{"aps":{"content-available":1,"mutable-content":1,"foo":1}}"#,
        ])
    func wakesFor(_ payload: String) {
        let phone = Phone()
        let push = phone.push(payload, type: .background, priority: .powerConserving)
        #expect(phone.state(of: push) == .delivered && phone.story(push).contains(.appLaunch))
    }

    @Test("L3 an alert with content-available wakes an app only with its background mode", arguments: [false, true])
    func gatesWakingByAlert(_ hasMode: Bool) {
        let phone = Phone(app: { $0.backgroundModes = hasMode ? ["remote-notification"] : ["audio"] })
        let push = phone.alert("Hello", #""content-available":1"#)
        #expect(phone.state(of: push) == .delivered)
        #expect(phone.events(.appLaunch, of: push).isEmpty == !hasMode)
    }

    @Test("C.6 a sound inside the alert is silent, even as a critical alert's dictionary") func sound() {
        for sound in [#""default""#, #"{"critical":1}"#] {
            let phone = Phone()
            let push = phone.push(#"{"aps":{"alert":{"body":"Hello","sound":\#(sound)}}}"#)
            #expect(phone.state(of: push) == .delivered)
            #expect(phone.events(.sound, of: push).isEmpty)
        }
        let phone = Phone(app: { $0.entitlements = [] })
        let plain = phone.alert("Hello", #""sound":{"critical":1,"name":"a.caf","volume":1}"#)
        let details: [JSONObject] = [["name": .string("a.caf")]]
        #expect(phone.events(.sound, of: plain).map(\.details) == details, "S0-19 without the entitlement, no volume")
    }

    @Test func coversEveryType() {
        #expect(Set(Self.rows.map(\.0)).union([.alert, .liveactivity]) == Set(PushType.allCases))
    }

    static let absent: [(TokenKind, String, String, PushType)] =
        [
            (.app, Phone.chat, #"{"aps":{"alert":"Hello"}}"#, .alert),
            (.app, Phone.chat, #"{"aps":{"badge":1,"content-available":1}}"#, .alert),
            (.app, Phone.chat, #"{"aps":{"content-available":1}}"#, .background),
            (.app, Phone.chat, #"{"aps":{}}"#, .alert),
        ]
        + PushType.allCases.filter { $0.tokenKind != .app }.map {
            ($0.tokenKind, Phone.chat + $0.topicSuffix, PushTypeTests.payload, $0)
        }

    @Test("apns-2.2 without apns-push-type, token and payload determine the type", arguments: absent.indices)
    func infers(_ index: Int) {
        let (kind, topic, payload, type) = Self.absent[index]
        let phone = Phone()
        let push = phone.push(payload, topic: topic, type: nil, kind: kind)
        #expect(phone.simulator.notification(push)?.kind == type)
    }
}
