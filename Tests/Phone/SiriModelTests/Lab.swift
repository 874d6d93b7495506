import DeviceModel
import JSON
import TestSupport
import Testing
import Time

@testable import SiriModel

/// A device's `SiriState` on a clock that the test moves; Thursday, 2026-01-01T00:00:00Z at first.
struct Lab {
    static let coffee = "com.example.coffee"
    static let weather = "com.example.weather"

    var siri = SiriState()
    var now = Instant(text: "2026-01-01T00:00:00Z")!
    var device = DeviceConditions()
    var place = DevicePlace()
    var assumptions = Assumptions() { didSet { catalogRevision += 1 } }
    var apps: [String: App] = [:] { didSet { catalogRevision += 1 } }
    private var catalogRevision: UInt32 = 0
    var widgets: [PlacedSurface] = []
    private(set) var events: [DeviceEffect] = []
    private var count = 0

    init() { define(Lab.weather, Lab.intent("CheckWeatherIntent", ["location": "Object<City>"], [["location"]])) }

    static func intent(_ name: String, _ parameters: [String: String], _ combinations: [[String]]) -> IntentDefinition {
        var definition = IntentDefinition.with { $0.intent = name }
        definition.parameters = parameters.sorted { $0.key < $1.key }.map { name, type in
            .with { ($0.name, $0.type) = (name, type) }
        }
        definition.combinations = combinations.map { names in .with { $0.parameters = names } }
        return definition
    }

    mutating func define(_ bundleID: String, _ definition: IntentDefinition) {
        var app = App(bundleID: bundleID)
        app.intents = [definition]
        apps[bundleID] = app
    }

    var context: DeviceContext {
        let (apps, widgets) = (apps, widgets)
        return DeviceContext(
            now: now, device: device, assumptions: assumptions, place: place, catalogRevision: catalogRevision,
            widgets: { _ in widgets }
        ) { (apps[$0] ?? App(bundleID: $0), NotificationSettings(), false) }
    }

    // MARK: Acting

    mutating func wait(until time: String, day: Int64) {
        let minutes = WallTime(text: time).map { Int64($0.hour * 60 + $0.minute) } ?? 0
        now = Instant(text: "2026-01-01T00:00:00Z")!.advanced(by: (day - 1) * 86_400_000 + minutes * 60_000)
        advance()
    }

    /// Applies due events.
    mutating func advance() {
        var effects = DeviceEffects()
        siri.advance(context, &effects)
        events += effects.events
    }

    mutating func wake() { siri.suggestions.wake(context) }

    @discardableResult
    mutating func perform(_ call: DonationCall, by app: String = Lab.weather) throws -> [DeviceEffect] {
        var effects = DeviceEffects()
        try siri.reduce(call, by: app, in: .foreground, context, &effects)
        siri.refresh(context, &effects)
        events += effects.events
        return effects.events
    }

    @discardableResult
    mutating func donate(
        _ intent: JSONValue, app: String = Lab.weather, direction: Donation.Direction = .unspecified,
        group: String? = nil
    ) throws -> [DeviceEffect] {
        count += 1
        let donation = Donation(identifier: "d\(count)", groupIdentifier: group, direction: direction, intent: intent)
        return try perform(.donate(donation), by: app)
    }

    /// Wakes at 07:00 and checks the weather six minutes later, on days 1 to `days`.
    mutating func checkWeather(days: Int64, city: String = "cupertino", group: String? = nil) throws {
        for day in 1...days {
            wait(until: "07:00", day: day)
            wake()
            wait(until: "07:06", day: day)
            try donate(Lab.weather(city), group: group)
        }
    }

    static func weather(_ city: String) -> JSONValue {
        [
            "class": .string("CheckWeatherIntent"),
            "location": [
                "identifier": .string(city), "displayString": .string(city.prefix(1).uppercased() + city.dropFirst()),
            ],
        ]
    }

    static func json(_ text: String) throws -> JSONValue {
        let bytes = Array(text.utf8)
        let value = JSONValue(bytes.span.bytes)
        return try #require(value)
    }

    // MARK: Reading

    func shown(_ surface: SuggestionSurface) -> [Suggestion] { SuggestionScene(siri, context).suggestions(on: surface) }

    func titles(_ surface: SuggestionSurface) -> [String] { shown(surface).map(\.title) }

    var predictions: [Prediction] { SuggestionScene(siri, context).predictions }

    var verdicts: [PredictionVerdict] { predictions.map(\.verdict) }
}
