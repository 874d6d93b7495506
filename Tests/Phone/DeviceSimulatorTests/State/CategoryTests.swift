import APNs
import Foundation
import JSON
import Testing

@testable import DeviceModel
@testable import DeviceSimulator

/// Categories that an app registers with `setNotificationCategories` on one device (I.5).
@Suite struct CategoryTests {
    static func category(_ identifier: String, _ actions: String...) -> NotificationCategory {
        NotificationCategory(
            identifier: identifier, actions: actions.map { NotificationAction(identifier: $0, title: $0) })
    }

    private let phone = Phone(app: { $0.categories = [category("MESSAGE", "LIKE")] })

    /// A listed notification of a category.
    private func listed(_ category: String = "MESSAGE") -> UInt64 {
        phone.alert("Hello", #""category":"\#(category)""#)
    }

    private func press(_ action: String, _ notification: UInt64) throws(SimulatorError) {
        try phone.act(.perform(action: action, text: nil, notification: notification))
    }

    @Test("setting categories replaces the whole set for later notifications") func replaces() throws {
        let before = listed()
        try phone.act(.setCategories([Self.category("OFFER", "BUY")], app: Phone.chat))
        #expect(phone.app().app.categories.map(\.identifier) == ["OFFER"])
        let (old, new) = (listed(), listed("OFFER"))
        #expect(throws: SimulatorError.unknownAction("LIKE", notification: old, known: [])) { try press("LIKE", old) }
        try press("BUY", new)
        try press("LIKE", before)
    }

    @Test("an empty category set is stored, not treated as unset") func empties() throws {
        try phone.act(.setCategories([], app: Phone.chat))
        #expect(phone.app().hasOwnCategories && phone.app().app.categories.isEmpty)
        #expect(phone.simulator.notification(listed())?.context.app.categories == [])
    }

    @Test("categories apply to one device only") func onOneDevice() throws {
        try phone.act(.setCategories([], app: Phone.chat))
        phone.add("Other")
        _ = try phone.simulator.register(
            device: "Other", topic: Phone.chat, environment: .sandbox, kind: .app, at: phone.now)
        let other = phone.simulator.appsOnDevice("Other").first
        #expect(other?.hasOwnCategories == false && other?.app.categories.map(\.identifier) == ["MESSAGE"])
    }

    @Test("the last call wins, including the developer's") func developersCount() throws {
        var app = try #require(phone.simulator.app(Phone.chat))
        try phone.act(.setCategories([], app: Phone.chat))
        app.displayName = "Chat"
        phone.simulator.put(app)
        #expect(phone.app().hasOwnCategories)
        app.categories = [Self.category("NEW", "YES")]
        phone.simulator.put(app)
        #expect(!phone.app().hasOwnCategories)
        try press("YES", listed("NEW"))
    }

    @Test("the act's event lists the categories") func isAnEvent() throws {
        let events = try phone.act(.setCategories([Self.category("A"), Self.category("B")], app: Phone.chat))
        #expect(events.map(\.kind) == [.act] && events[0].app == Phone.chat)
        #expect(events[0].details["categories"] == .array([.string("A"), .string("B")]))
    }

    @Test("setting equal categories with every push stores one copy") func storesThemOnce() throws {
        let phone = Phone(app: { $0.extension = .stub })
        let pushes = (0..<5).map { number in
            let push = phone.alert("\(number)", #""mutable-content":1"#)
            _ = try? phone.act(.setCategories([Self.category("OFFER", "BUY")], app: Phone.chat))
            let run = ExtensionRun(.answered, startedAt: phone.now, endedAt: phone.now)
            #expect(phone.finishExtension(run, of: push))
            return push
        }
        let entries = phone.state.inbox.items.filter { pushes.dropFirst().contains($0.sequence) }
        #expect(entries.count == 4 && Set(entries.map { ObjectIdentifier($0.context) }).count == 1)
        #expect(entries.allSatisfy { $0.context.app.categories == [Self.category("OFFER", "BUY")] })
        #expect(phone.events(.act).count == 5)
    }

    @Test("categories survive a save and a reset") func outlast() throws {
        try phone.act(.setCategories([Self.category("OFFER", "BUY")], app: Phone.chat))
        let bytes = try JSONEncoder().encode(phone.simulator.snapshot())
        let copy = DeviceSimulator { _ in .numbered(1) }
        try copy.load(JSONDecoder().decode(SimulatorSnapshot.self, from: bytes))
        #expect(copy.appsOnDevice(Phone.name).map(\.app.categories) == [[Self.category("OFFER", "BUY")]])
        phone.simulator.reset(keeping: [.devices, .apps])
        #expect(phone.app().app.categories == [Self.category("OFFER", "BUY")])
    }
}
