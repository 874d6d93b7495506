import DeviceModel
import JSON
import Synchronization
import TestSupport
import Testing

@testable import DeviceSimulator

/// People in apps who have a contact's name (S0-32, E.3).
@Suite struct SuggestionTests {
    /// A phone in a Focus that allows one contact, whom the app does not know.
    private func phone() -> Phone {
        Phone(
            { device in
                device.contacts = [.with { ($0.id, $0.name) = ("C1", "Kim Lee") }]
                device.focus.modes = [FocusTests.work { $0.people.ids = ["contact:C1"] }]
                device.focus.active = "work"
            },
            app: { app in
                app.extension = .stub
                app.userActivityTypes = ["INSendMessageIntent"]
            })
    }

    /// A message from Kim, whom the app knows by name and its own identifier.
    @discardableResult
    private func message(
        on phone: Phone, _ edit: (inout Person) -> Void = { _ in }
    ) -> UInt64 {
        let push = phone.push(#"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1}}"#)
        phone.answer(push) { content in
            (content.title, content.body) = ("T", "B")
            var sender = Person()
            (sender.displayName, sender.customIdentifier, sender.suggestionType) = ("Kim Lee", "u1", .socialProfile)
            edit(&sender)
            content.communication = .with { $0.sender = sender }
        }
        return push
    }

    @Test(
        "S0-32 E.3 a name suggests a contact; once confirmed, a Focus that allows the contact lets the sender through")
    func confirms() throws {
        let phone = phone()
        let first = message(on: phone)
        #expect(phone.simulator.notification(first)?.outcome?.timing == .silencedByFocus)
        let offered = try #require(phone.events(.suggestion, of: first).first)
        #expect(offered.text("kind") == "contactAssociation")
        #expect(offered.text("person") == "person:com.example.chat/u1")
        #expect(offered.text("contact") == "C1")
        #expect(offered.details["isConfirmed"] == .bool(false))
        let events = try phone.act(.confirmContact(notification: first))
        #expect(events.map(\.kind) == [.act, .suggestion])
        #expect(events[1].details["isConfirmed"] == .bool(true))
        #expect(phone.state.conditions.value.contacts[0].people == ["person:com.example.chat/u1"])
        let second = message(on: phone)
        #expect(phone.simulator.notification(second)?.outcome?.timing == .now)
        #expect(phone.events(.suggestion, of: second).isEmpty)
        #expect(throws: SimulatorError.noSuggestion(first)) { try phone.act(.confirmContact(notification: first)) }
    }

    @Test("E.3 no suggestion for another name, a known address, or an app that does not ask") func suggestsNothing() {
        let edits: [(inout Person) -> Void] = [
            { $0.displayName = "Kim" }, { $0.contactIdentifier = "C1" }, { $0.suggestionType = .none },
        ]
        for edit in edits {
            let phone = phone()
            let push = message(on: phone, edit)
            #expect(phone.events(.suggestion).isEmpty)
            #expect(throws: SimulatorError.noSuggestion(push)) { try phone.act(.confirmContact(notification: push)) }
        }
    }

    @Test("S0-32 confirmed contacts survive a snapshot and a replay") func survives() throws {
        let phone = phone()
        try phone.act(.confirmContact(notification: message(on: phone)))
        let now = phone.now
        let (history, end) = phone.simulator.store.withLock { store in
            (store.history(of: store.devices[Phone.name]!), store.momentWithoutTokens(at: now))
        }
        let again = try DeviceState(replaying: #require(history), until: end)
        #expect(again == phone.state)
        let other = Phone()
        try other.simulator.load(phone.simulator.snapshot())
        #expect(other.state.conditions.value.contacts[0].people == ["person:com.example.chat/u1"])
    }
}
