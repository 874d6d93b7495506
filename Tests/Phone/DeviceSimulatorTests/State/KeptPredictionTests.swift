import DeviceModel
import Foundation
import Synchronization
import Testing
import Time

@testable import DeviceSimulator
@testable import SiriModel

/// Predictions that are kept from the last input say what new ones would.
@Suite struct KeptPredictionTests {
    @Test("S1-17 at any time, as if nothing were kept", arguments: 0..<UInt64(10)) func agrees(_ seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        let phone = Phone()
        for step in 0..<60 {
            _ = try? phone.perform(generator.donationInput())
            if step % 7 == 0 { try phone.act(.wake) }
            phone.wait(.seconds([60, 1200, 3600, 20 * 3600][step % 4]))
        }
        try phone.act(.wake)
        // JSON omits what is kept.
        let suggestions = phone.simulator.siri(of: Phone.name).suggestions
        let saved = try JSONDecoder().decode(SuggestionTable.self, from: try JSONEncoder().encode(suggestions))
        for minutes in stride(from: Int64(0), through: 26 * 60, by: 7) {
            let at = phone.now.advanced(by: minutes * .minute)
            let (found, isKept) = try #require(
                phone.simulator.withSiri(of: Phone.name, at: at) { state, context in
                    var empty = state
                    empty.suggestions = saved
                    let found = [state, empty].map { SuggestionScene($0, context).predictions.map { "\($0)" } }
                    return (found, state.suggestions.kept(state.donations, context) != nil)
                })
            #expect(found[0] == found[1], "seed \(seed), after \(minutes) minutes")
            #expect(isKept || minutes > 0, "seed \(seed)")
        }
    }
}
