import DeviceModel
import Fields
import JSON
import TestSupport
import Testing

@testable import SiriModel

/// Surfaces of suggestions (F.4).
@Suite struct SurfaceTests {
    @Test("each surface has one row") func isComplete() {
        #expect(SurfaceRow.all.map(\.surface) == SuggestionSurface.allCases)
    }

    @Test("S1-17 S1-4 the lock screen shows one action, Spotlight three and the widget four, from several apps (S1-10)")
    func counts() throws {
        var lab = Lab()
        for day in 1...3 as ClosedRange<Int64> {
            lab.wait(until: "08:00", day: day)
            for app in ["a", "b", "c", "d", "e"] {
                lab.define(app, Lab.intent("Do", ["what": "String"], [["what"]]))
                try lab.donate(["class": .string("Do"), "what": .string("it")], app: app)
            }
        }
        lab.wait(until: "08:00", day: 4)
        #expect(lab.shown(.lockScreen).count == 1)
        #expect(lab.shown(.spotlight).count == 3)
        #expect(lab.shown(.siriWidget).count == 4)
        #expect(lab.shown(.siriWidget).map(\.app) == ["e", "d", "c", "b"], "the latest donation first")
    }

    @Test("S1-15 S1-16 a widget configured by a predicted intent is suggested, or shown if already in the stack")
    func smartStack() throws {
        var lab = Lab()
        let widget = PushSurface.with { ($0.kind, $0.configurationIntent) = ("forecast", "CheckWeatherIntent") }
        lab.apps[Lab.weather]?.widgets = [widget]
        try lab.checkWeather(days: 3)
        lab.wait(until: "07:06", day: 4)
        #expect(lab.shown(.smartStack).map(\.kind) == [.widget])
        lab.widgets = [.with { ($0.id, $0.kind, $0.intent) = ("1", "forecast", Lab.weather("san-diego")) }]
        #expect(lab.shown(.smartStack).map(\.kind) == [.widget], "configured for another city")
        lab.widgets[0].intent = Lab.weather("cupertino")
        #expect(lab.shown(.smartStack).map(\.kind) == [.rotation])
        #expect(lab.shown(.smartStack).map(\.widgetKind) == ["forecast"])
    }

    @Test(
        "S1-24 S1-25 relevant shortcuts appear on the watch face by all their conditions, in the Smart Stack by dates only"
    )
    func relevantShortcuts() throws {
        var lab = Lab()
        lab.place.regions = ["gym"]
        let texts = [
            #"{"intent":{"class":"A"},"title":"now","widgetKind":"w","providers":[{"start":"2026-01-01T08:00:00Z","end":"2026-01-01T09:00:00Z"}]}"#,
            #"{"intent":{"class":"A"},"title":"here","widgetKind":"w","providers":[{"situation":"gym"}]}"#,
            #"{"intent":{"class":"A"},"title":"region","providers":[{"region":{"identifier":"gym"}}]}"#,
            #"{"intent":{"class":"A"},"title":"usually","widgetKind":"w"}"#,
            #"{"intent":{"class":"A"},"title":"evening","providers":[{"situation":"evening"}]}"#,
        ]
        try lab.perform(.setRelevantShortcuts(texts.map { try RelevantShortcut(json: Lab.json($0)).json }))
        lab.wait(until: "08:59", day: 1)
        #expect(lab.titles(.watchFace) == ["now", "here", "region"])
        #expect(lab.titles(.smartStack) == ["now", "usually"])
        lab.wait(until: "09:00", day: 1)
        #expect(lab.titles(.watchFace) == ["here", "region"])
        lab.wait(until: "17:00", day: 1)
        lab.place.regions = []
        #expect(lab.titles(.watchFace) == ["evening"])
        try lab.perform(.setRelevantShortcuts([]))
        #expect(lab.titles(.smartStack).isEmpty, "a new list replaces the former one")
    }

    @Test("a dismissed suggestion is hidden for the rest of the day") func dismissed() throws {
        var lab = Lab()
        let shortcut = try RelevantShortcut(
            json: Lab.json(#"{"intent":{"class":"A"},"title":"usually","widgetKind":"w"}"#))
        try lab.perform(.setRelevantShortcuts([shortcut.json]))
        lab.wait(until: "08:00", day: 1)
        let id = try #require(lab.shown(.smartStack).first?.id)
        #expect(try lab.siri.outcome(of: .dismiss, about: id, lab.context) == .nothing)
        lab.siri.suggestions.handle(id, lab.context)
        #expect(lab.shown(.smartStack).isEmpty)
        lab.wait(until: "08:00", day: 2)
        #expect(lab.titles(.smartStack) == ["usually"])
    }

    private static func message(_ name: String, _ conversation: String) -> JSONValue {
        [
            "class": .string("INSendMessageIntent"), "conversationIdentifier": .string(conversation),
            "recipients": .array([["displayName": .string(name), "customIdentifier": .string(name)]]),
        ]
    }

    @Test("S1-19 S0-39 S0-42 the share sheet ranks conversations by sent messages, recent ones higher")
    func shareSheet() throws {
        var lab = Lab()
        let chat = "com.example.chat"
        for name in ["Old", "Old"] { try lab.donate(Self.message(name, name), app: chat, direction: .outgoing) }
        lab.wait(until: "08:00", day: 15)
        try lab.donate(Self.message("New", "New"), app: chat, direction: .outgoing)
        for _ in 1...5 { try lab.donate(Self.message("Spam", "Spam"), app: chat, direction: .incoming) }
        #expect(lab.titles(.shareSheet) == ["New", "Old"])
        lab.assumptions.shareSheetIncomingWeight = 1
        #expect(lab.titles(.shareSheet) == ["Spam", "New", "Old"])
    }

    @Test("S1-20 E.6 after three outgoing messages during a Focus, allowing that person is suggested")
    func focusPeople() throws {
        var lab = Lab()
        let work = Focus.with { ($0.id, $0.name) = ("work", "Work") }
        (lab.device.focus.modes, lab.device.focus.active) = ([work], "work")
        let person = PersonMatch(try #require(Self.aga), in: lab.device, bundleID: "chat")
        for count in 1...3 {
            #expect(lab.siri.offer(person, named: "Aga", by: "chat", lab.context) == nil, "\(count)")
            try lab.donate(Self.message("Aga", "c"), app: "chat", direction: .outgoing)
        }
        lab.device.focus.active = nil
        #expect(lab.siri.offer(person, named: "Aga", by: "chat", lab.context) == nil, "no Focus")
        lab.device.focus.active = "work"
        #expect(lab.siri.offer(person, named: "Aga", by: "chat", lab.context)?.strength == 3)
        #expect(lab.siri.offer(person, named: "Aga", by: "chat", lab.context) == nil, "once")
        #expect(lab.titles(.focusPeople) == ["Allow Aga"])
        let id = try #require(lab.shown(.focusPeople).first?.id)
        #expect(try lab.siri.outcome(of: .accept, about: id, lab.context) == .allow(person: person.id, focus: "work"))
        #expect(throws: DeviceError.self) { try lab.siri.outcome(of: .run, about: id, lab.context) }
    }

    @Test(
        "E.6 nobody is suggested whom the Focus allows by now, or for a Focus that is gone", arguments: [false, true])
    func offersEnd(_ isDeleted: Bool) throws {
        var lab = Lab()
        let work = Focus.with { ($0.id, $0.name) = ("work", "Work") }
        (lab.device.focus.modes, lab.device.focus.active) = ([work], "work")
        let person = PersonMatch(try #require(Self.aga), in: lab.device, bundleID: "chat")
        func write() throws { try lab.donate(Self.message("Aga", "c"), app: "chat", direction: .outgoing) }
        for _ in 1...3 { try write() }
        let made = lab.siri.offer(person, named: "Aga", by: "chat", lab.context)
        let offer = try #require(made)
        try write()
        #expect(lab.titles(.focusPeople) == ["Allow Aga"])
        if isDeleted { lab.device.focus.modes = [] } else { lab.device.focus.modes[0].people.allow(person.id) }
        try write()
        #expect(lab.titles(.focusPeople).isEmpty)
        #expect(throws: DeviceError.self) { try lab.siri.outcome(of: .accept, about: offer.id, lab.context) }
    }

    private static var aga: Person? { .with { ($0.displayName, $0.customIdentifier) = ("Aga", "Aga") } }

    @Test("S1-22 S1-23 Now Playing lists played and upcoming media, or only upcoming media")
    func media() throws {
        var lab = Lab()
        func play(_ id: String) -> JSONValue {
            [
                "class": .string("INPlayMediaIntent"),
                "mediaItems": .array([
                    ["identifier": .string(id), "title": .string(id), "type": .string("podcastEpisode")]
                ]),
            ]
        }
        try lab.donate(play("played"), app: "pod")
        var upcoming = UpcomingMedia.with { $0.intents = [play("next")] }
        try lab.perform(.setUpcomingMedia(upcoming.json), by: "pod")
        #expect(lab.titles(.nowPlaying) == ["played", "next"])
        upcoming.predictionModes = ["podcastEpisode": .onlyPredictSuggestedIntents]
        try lab.perform(.setUpcomingMedia(upcoming.json), by: "pod")
        #expect(lab.titles(.nowPlaying) == ["next"])
    }

    @Test("S1-18 the gallery lists donated intents that Shortcuts may configure; a phrase creates a voice shortcut")
    func shortcuts() throws {
        var lab = Lab()
        try lab.donate(Lab.weather("cupertino"))
        #expect(lab.shown(.shortcutsGallery).isEmpty)
        lab.apps[Lab.weather]?.intents?[0].configurableInShortcuts = true
        lab.apps[Lab.weather]?.intents?[0].combinations[0].title = "Weather in ${location}"
        #expect(lab.titles(.shortcutsGallery) == ["Weather in Cupertino"])
        #expect(lab.shown(.voiceShortcuts).isEmpty)
        try lab.donate(Lab.weather("x").adding(["suggestedInvocationPhrase": .string("Is it raining")]))
        #expect(lab.shown(.voiceShortcuts).map(\.phrase) == ["Is it raining"])
    }

    @Test("S1-17 one tap runs the intent with its combination's parameters only, in the background if possible")
    func runs() throws {
        var lab = Lab()
        let definition = Lab.intent("Order", ["item": "String", "date": "Date"], [["item"]])
        lab.define(Lab.coffee, definition)
        for day in 1...3 as ClosedRange<Int64> {
            lab.wait(until: "08:00", day: day)
            try lab.donate(
                ["class": .string("Order"), "item": .string("tea"), "date": .string("\(day)")], app: Lab.coffee)
        }
        lab.wait(until: "08:00", day: 4)
        let id = try #require(lab.shown(.lockScreen).first?.id)
        let intent: JSONValue = ["class": .string("Order"), "item": .string("tea")]
        for (edit, inBackground) in Self.backgrounds {
            edit(&lab)
            let outcome = try lab.siri.outcome(of: .run, about: id, lab.context)
            #expect(outcome == .launch(app: Lab.coffee, intent, inBackground: inBackground))
        }
        #expect(throws: DeviceError(.missing, #"there is no suggestion "x" now; GET …/suggestions lists them"#)) {
            try lab.siri.outcome(of: .run, about: "x", lab.context)
        }
    }

    private static let backgrounds: [(@Sendable (inout Lab) -> Void, Bool)] = [
        ({ _ in }, false),
        ({ $0.apps[Lab.coffee]?.intents?[0].combinations[0].background = true }, false),
        ({ $0.apps[Lab.coffee]?.supportedIntents = ["Order"] }, true),
    ]
}
