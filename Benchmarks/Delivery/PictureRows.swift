import APNs
import Pictures
import Time

/// Microseconds of CPU for a phone whose Notification Center has ten cards.
func pictureCost() -> Double {
    let now = Instant(milliseconds: 1_795_000_000_000)
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
