import DeviceModel
import Foundation
import Testing
import Time

@testable import SiriModel

/// Predicting reads all donations, so a table keeps the result while nothing changes that it depends on.
struct KeptPredictionTests {
    /// On the fourth day at noon, after the weather was checked on three mornings.
    private func lab() throws -> Lab {
        var lab = Lab()
        try lab.checkWeather(days: 3)
        lab.wait(until: "12:00", day: 4)
        return lab
    }

    private func predictedAt(_ lab: Lab) -> Instant? { lab.siri.suggestions.predicted.value?.validity.lowerBound }

    @Test func `a minute later the result is kept, and equal to a new one`() throws {
        var lab = try lab()
        let kept = predictedAt(lab)
        lab.wait(until: "12:01", day: 4)
        #expect(kept != nil && predictedAt(lab) == kept)
        var saved = lab
        saved.siri = try JSONDecoder().decode(SiriState.self, from: JSONEncoder().encode(lab.siri))
        #expect(predictedAt(saved) == nil)
        saved.advance()
        #expect(predictedAt(saved) == lab.now && saved.siri == lab.siri)
    }

    private static let changes: [(String, @Sendable (inout Lab) throws -> Void)] = [
        ("a donation", { try $0.donate(Lab.weather("paris")) }),
        ("a deletion", { try $0.perform(.delete(.all)) }),
        ("an uninstalled app", { $0.siri.uninstall(Lab.weather, $0.context) }),
        ("waking", { $0.wake() }),
        ("an answer", { $0.siri.suggestions.handle("x", $0.context) }),
        ("the place", { $0.place.regions = ["home"] }),
        ("the time zone", { $0.device.timeZone = "Asia/Tokyo" }),
        ("alwaysShowsSuggestions", { $0.device.alwaysShowsSuggestions = true }),
        ("an assumption", { $0.assumptions.predictionDays = 1 }),
        ("an app's declaration", { $0.apps[Lab.weather] = App(bundleID: Lab.weather) }),
        ("a new day", { $0.wait(until: "00:00", day: 5) }),
        ("the clock that went back", { $0.wait(until: "11:59", day: 4) }),
    ]

    @Test(arguments: changes.indices) func `a change of what it depends on makes a new one`(_ index: Int) throws {
        var lab = try lab()
        lab.wait(until: "12:01", day: 4)
        let kept = predictedAt(lab)
        try Self.changes[index].1(&lab)
        lab.advance()
        #expect(predictedAt(lab) == lab.now && predictedAt(lab) != kept, "\(Self.changes[index].0)")
    }

    @Test func `a donation that leaves the window makes a new one`() throws {
        var lab = try lab()
        lab.wait(until: "07:05", day: 29)
        let kept = predictedAt(lab)
        lab.wait(until: "07:06", day: 29)
        #expect(predictedAt(lab) == kept)
        lab.now = lab.now.advanced(by: 1)
        lab.advance()
        #expect(predictedAt(lab) == lab.now)
    }
}
