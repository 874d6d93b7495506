import APNs
import DeviceModel
import JSON
import LiveModel
import Testing

@Suite struct BroadcastReceiptTests {
    static let channel = ChannelKey(bundleID: Phone.app, environment: .sandbox, id: "AAAA")

    static func message(_ aps: String, _ phone: Phone) -> BroadcastMessage {
        BroadcastMessage(
            Broadcast(
                Array(#"{"aps":\#(aps)}"#.utf8), on: channel, uniqueID: APNsID(high: 0, low: 1), priority: .immediate,
                expiration: .unspecified, receivedAt: phone.now),
            to: phone.apps[Phone.app] ?? App(bundleID: Phone.app))
    }

    @Test("B1 B3 B5 activities on a channel share one subscription, and each gets the message") func receives() throws {
        var phone = try Phone()
        phone.start(more: #","input-push-channel":"AAAA""#)
        phone.start(more: #","input-push-channel":"AAAA""#)
        phone.start()
        #expect(phone.requests.filter { $0 == .subscribe(Self.channel) }.count == 1)
        #expect(phone.first.push.token == nil && phone.first.push.kind == .channel)
        var effects = DeviceEffects()
        let update = #"{"event":"update","timestamp":1800000060,"content-state":{"eta":0,"step":2}}"#
        var message = Self.message(update, phone)
        _ = phone.table.receive(&message, phone.context, &effects)
        #expect(phone.table.activities.map { $0.content["step"] } == [.integer(2), .integer(2), .integer(1)])
        #expect(effects.events.map(\.kind) == [.activityUpdated, .activityUpdated])
        try phone.act(.dismiss(phone.first.id))
        #expect(!phone.requests.contains(.unsubscribe(Self.channel)))
        try phone.act(.dismiss(phone.table.activities[1].id))
        #expect(phone.requests.last == .unsubscribe(Self.channel))
        _ = phone.table.receive(&message, phone.context, &effects)
        #expect(effects.events.count == 2)
    }

    @Test("a broadcast reports whether it changes what is due") func reportsDue() throws {
        var phone = try Phone()
        phone.start(more: #","input-push-channel":"AAAA""#)
        let content = #""content-state":{"eta":0,"step":2}"#
        for (event, isDueChanged) in [
            (#""event":"update""#, false), (#""event":"update","stale-date":1800000200"#, true),
            (#""event":"update","stale-date":1800000200"#, false), (#""event":"update""#, true),
            (#""event":"end""#, true),
            (#""event":"end""#, false),
        ] {
            var effects = DeviceEffects()
            var message = Self.message(#"{\#(event),"timestamp":1800000060,\#(content)}"#, phone)
            let former = phone.table.due(after: phone.context.now)
            #expect(phone.table.receive(&message, phone.context, &effects) == isDueChanged, "\(event)")
            #expect((phone.table.due(after: phone.context.now) != former) == isDueChanged, "\(event)")
        }
    }

    @Test("B4 L-29 a broadcast cannot start an activity") func cannotStart() throws {
        var phone = try Phone()
        phone.start(more: #","input-push-channel":"AAAA""#)
        var effects = DeviceEffects()
        var message = Self.message(#"{"event":"start"}"#, phone)
        _ = phone.table.receive(&message, phone.context, &effects)
        #expect(effects.events.map { $0.details["reason"] } == [.string("eventNotForToken")])
        #expect(phone.table.activities.map { $0.content["step"] } == [.integer(1)])
    }

    @Test("B10 a broadcast between 4 and 5 KB is too large for the device") func tooLarge() throws {
        var phone = try Phone()
        phone.start(more: #","input-push-channel":"AAAA""#)
        let text = String(repeating: "x", count: 4096)
        let large = #"{"event":"update","timestamp":1800000060,"content-state":{"eta":0,"step":2,"t":"\#(text)"}}"#
        var effects = DeviceEffects()
        var message = Self.message(large, phone)
        _ = phone.table.receive(&message, phone.context, &effects)
        #expect(effects.events.last?.details["reason"] == .string("tooLarge"))
    }

    @Test("each activity is decided independently of earlier ones") func differing() throws {
        var phone = try Phone()
        for _ in 0..<4 { phone.start(more: #","input-push-channel":"AAAA""#) }
        var effects = DeviceEffects()
        let update = #"{"event":"update","timestamp":1800000060,"content-state":{"eta":0,"step":2}}"#
        let later = #"{"event":"update","timestamp":1800000061,"content-state":{"eta":0,"step":1}}"#
        phone.push(later, to: .activity(phone.table.activities[1].id))
        var message = Self.message(update, phone)
        _ = phone.table.receive(&message, phone.context, &effects)
        #expect(phone.table.activities.map { $0.content["step"] } == [2, 1, 2, 2].map { .integer($0) })
        #expect(phone.table.activities.map { $0.log.last?.reason } == [nil, .timestampOlder, nil, nil])
    }
}
