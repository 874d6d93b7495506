import APNs
import DeviceModel
import DeviceSimulator
import JSON
import Pictures
import SiriModel
import Time

// What a view of the page costs.

/// Microseconds of CPU for everything that a device with 100 donations suggests, at the median of 1,000 devices.
func suggestionCost() throws -> Double {
    let simulator = makeSimulator()
    for number in 0..<1000 {
        let device = "phone-\(number)"
        _ = try simulator.addDevice(named: device, at: now)
        for count in 0..<100 {
            let conversation = "chat-\(count % 10)"
            let intent: JSONValue = [
                "class": .string("INSendMessageIntent"), "conversationIdentifier": .string(conversation),
                "recipients": .array([["displayName": .string("Neko"), "customIdentifier": .string(conversation)]]),
            ]
            let donation = Donation(identifier: "\(count)", direction: .outgoing, intent: intent)
            // Ten a day.
            let at = now.advanced(by: Int64(count / 10) * 86_400_000 + Int64(count % 10) * 3_600_000)
            try simulator.perform(
                .donation(.donate(donation), app: "com.example.chat", .foreground), on: device, at: at)
        }
    }
    let later = now.advanced(by: 10 * 86_400_000)
    let costs = (0..<1000).map { number in
        let began = processorTime()
        _ = simulator.withSiri(of: "phone-\(number)", at: later) { state, context in
            let scene = SuggestionScene(state, context)
            for row in SurfaceRow.all { _ = scene.suggestions(on: row.surface) }
        }
        return Double(processorTime() - began) / 1000
    }
    return costs.sorted()[500]
}

/// Microseconds of CPU for a phone whose Notification Center has ten cards.
func pictureCost() -> Double {
    var screen = PictureScene(at: now, timeZone: "Europe/Berlin")
    screen.focus = "Work"
    screen.notificationCenter = (0..<10).map { number in
        var card = PictureScene.Card(app: "com.example.app\(number)", appName: "App", at: now, title: "Order 4711")
        card.notification = UInt64(number)
        card.body = number % 2 == 0 ? "Your parcel has left our warehouse and is on its way to you." : "荷物が発送されました。"
        return PictureScene.Stack(card, count: 3, text: "2 more notifications")
    }
    let count = 1000
    var best = Double.infinity
    for _ in 0..<5 {
        let began = processorTime()
        for _ in 0..<count { _ = PhonePicture(screen, form: .notificationCenter, appearance: .light) }
        best = min(best, Double(processorTime() - began) / Double(count) / 1000)
    }
    return best
}
