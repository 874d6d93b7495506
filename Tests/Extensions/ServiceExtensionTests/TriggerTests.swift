import CoreLocation
import ExtensionWire
import Foundation
import Testing
import UserNotifications

@Suite struct TriggerTests {
    private func copy(_ trigger: UNNotificationTrigger, at date: Date? = nil) -> UNNotificationTrigger? {
        .reading(trigger.json, scheduledDate: date)
    }

    @Test func aTriggerReadsBackFromTheProtocol() throws {
        var date = DateComponents()
        (date.hour, date.minute, date.timeZone) = (9, 30, TimeZone(identifier: "Asia/Tokyo"))
        let region = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 35.68, longitude: 139.76), radius: 100, identifier: "office")
        region.notifyOnExit = false
        for trigger in [
            UNTimeIntervalNotificationTrigger(timeInterval: 90, repeats: true),
            UNCalendarNotificationTrigger(dateMatching: date, repeats: true),
            UNLocationNotificationTrigger(region: region, repeats: false),
        ] { #expect(copy(trigger)?.json == trigger.json) }
        let calendar = try #require(
            copy(UNCalendarNotificationTrigger(dateMatching: date, repeats: true)) as? UNCalendarNotificationTrigger)
        #expect(calendar.dateComponents == date && calendar.repeats)
    }

    @Test("N3 a pending trigger has the device's next date, a new trigger counts from now") func n3() throws {
        let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 90, repeats: false)
        let own = try #require(trigger.nextTriggerDate())
        #expect(abs(own.timeIntervalSinceNow - 90) < 30)
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        let pending = copy(trigger, at: date) as? UNTimeIntervalNotificationTrigger
        #expect(pending?.nextTriggerDate() == date && pending?.timeInterval == 90)
        var past = DateComponents()
        past.year = 2020
        #expect(UNCalendarNotificationTrigger(dateMatching: past, repeats: false).nextTriggerDate() == nil, "N5")
    }

    @Test("the week is omitted from a complete date; alone, the device rejects it") func weeks() {
        let whole = Calendar(identifier: .gregorian).dateComponents(
            in: TimeZone(identifier: "UTC")!, from: Date(timeIntervalSince1970: 1_800_000_000))
        let json = UNCalendarNotificationTrigger(dateMatching: whole, repeats: false).json["dateComponents"]
        #expect(json?["year"] == .integer(2027) && json?["weekOfYear"] == nil && json?["second"] == .integer(0))
        var week = DateComponents()
        week.weekOfYear = 3
        let alone = UNCalendarNotificationTrigger(dateMatching: week, repeats: false).json["dateComponents"]
        #expect(alone?["weekOfYear"] == .integer(3))
    }

}
