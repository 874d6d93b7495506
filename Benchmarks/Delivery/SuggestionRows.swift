import APNs
import DeviceModel
import DeviceSimulator
import JSON
import SiriModel
import Time

/// Microseconds of CPU for everything that a device with 100 donations suggests, at the median of 1,000 devices.
func suggestionCost() throws -> Double {
    let simulator = makeSimulator()
    let start = Instant(milliseconds: 1_795_000_000_000)
    for number in 0..<1000 {
        let device = "phone-\(number)"
        _ = try simulator.addDevice(named: device, at: start)
        for count in 0..<100 {
            let conversation = "chat-\(count % 10)"
            let intent: JSONValue = [
                "class": .string("INSendMessageIntent"), "conversationIdentifier": .string(conversation),
                "recipients": .array([["displayName": .string("Neko"), "customIdentifier": .string(conversation)]]),
            ]
            let donation = Donation(identifier: "\(count)", direction: .outgoing, intent: intent)
            // Ten a day.
            let at = start.advanced(by: Int64(count / 10) * 86_400_000 + Int64(count % 10) * 3_600_000)
            try simulator.perform(
                .donation(.donate(donation), app: "com.example.chat", .foreground), on: device, at: at)
        }
    }
    let now = start.advanced(by: 10 * 86_400_000)
    let costs = (0..<1000).map { number in
        let began = processorTime()
        _ = simulator.withSiri(of: "phone-\(number)", at: now) { state, context in
            let scene = SuggestionScene(state, context)
            for row in SurfaceRow.all { _ = scene.suggestions(on: row.surface) }
        }
        return Double(processorTime() - began) / 1000
    }
    return costs.sorted()[500]
}
