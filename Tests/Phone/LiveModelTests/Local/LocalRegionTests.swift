import DeviceModel
import LiveModel
import TestSupport
import Testing

@Suite struct LocalRegionTests {
    private let inside = (35.6801, 139.7601)
    private let outside = (35.69, 139.76)

    @Test("N10, N13 a region fires on entry or exit, once or repeatedly") func n10() throws {
        var phone = LocalPhone()
        try phone.add("entry", .office(repeats: true))
        try phone.add("exit", .office(entry: false, exit: true))
        for place in [inside, outside, inside, outside] {
            try phone.move(place.0, place.1)
            phone.advance(seconds: 60)
        }
        #expect(
            phone.fired == [
                "2027-01-15T08:00:20.000Z entry", "2027-01-15T08:01:20.000Z exit", "2027-01-15T08:02:20.000Z entry",
            ])
        #expect(phone.pending == ["entry"])
        #expect(phone.next("entry") == nil, "a region has no date")
    }

    @Test("N11 a crossing counts after 20 s on the other side, or as long as configured") func n11() throws {
        var phone = LocalPhone()
        try phone.add("entry", .office())
        try phone.move(inside.0, inside.1)
        phone.advance(seconds: 19.999)
        #expect(phone.fired.isEmpty)
        phone.advance(seconds: 0.001)
        #expect(phone.fired == ["2027-01-15T08:00:20.000Z entry"])
        phone.assumptions.localDwell = 0
        phone.assumptions.localRegionDistance = 200
        try phone.add("exit", .office(entry: false, exit: true))
        // 167 m from the center, so 67 m outside.
        try phone.move(35.6815, 139.76)
        phone.advance(seconds: 60)
        #expect(phone.pending == ["exit"])
        try phone.move(outside.0, outside.1)
        phone.advance(seconds: 1)
        #expect(phone.fired.count == 2)
    }

    @Test("N11 an app has at most 20 regions") func n11limit() throws {
        var phone = LocalPhone()
        for number in 1...20 { try phone.add("\(number)", .office("region-\(number)")) }
        let error = #expect(throws: DeviceError.self) { try phone.add("21", .office("region-21")) }
        #expect(error?.kind == .conflict)
        try phone.add("again", .office("region-1"))
        try phone.add("20", .office("region-21"))
        try phone.add("other", app: "com.example.other", .office("region-22"))
    }

    @Test("N12 a device already inside must leave first, unless configured otherwise") func n12() throws {
        var phone = LocalPhone()
        try phone.move(inside.0, inside.1)
        try phone.add("entry", .office())
        phone.advance(seconds: 100)
        #expect(phone.fired.isEmpty)
        try phone.move(outside.0, outside.1)
        phone.advance(seconds: 100)
        try phone.move(inside.0, inside.1)
        phone.advance(seconds: 100)
        #expect(phone.fired == ["2027-01-15T08:03:40.000Z entry"])
        phone.assumptions.localFiresInside = true
        try phone.add("again", .office())
        phone.advance(seconds: 100)
        #expect(phone.fired.last == "2027-01-15T08:05:20.000Z again")
    }

    @Test(
        "N23 a region that was entered just before the device went off fires at the next start, unlike a missed date",
        arguments: [false, true])
    func entersBeforeOff(repeats: Bool) throws {
        var phone = LocalPhone()
        phone.assumptions.localDeliversMissed = false
        try phone.add("entry", .office(repeats: repeats))
        try phone.add("date", .seconds(60))
        try phone.move(inside.0, inside.1)
        phone.change { $0.isPoweredOn = false }
        phone.advance(seconds: 100)
        phone.change { $0.isPoweredOn = true }
        #expect(phone.fired == ["2027-01-15T08:01:40.000Z entry"])
        #expect(phone.identifiers(of: .localNeverFires) == ["date"])
        #expect(phone.pending == (repeats ? ["entry"] : []))
    }

    @Test("a beacon's region is entered by name") func beacon() throws {
        var phone = LocalPhone()
        try phone.add("near", .location(.with { $0.identifier = "beacon" }, repeats: false))
        try phone.move(inside.0, inside.1)
        phone.advance(seconds: 60)
        try phone.perform(.move(to: .with { $0.regions = ["beacon"] }))
        phone.advance(seconds: 60)
        #expect(phone.fired == ["2027-01-15T08:01:20.000Z near"])
    }

    @Test("the boundary is at the radius") func distance() {
        let region = Region.with { ($0.latitude, $0.longitude, $0.radius) = (0, 1, 111_195) }
        let outside = DevicePlace.with { ($0.latitude, $0.longitude) = (0, 0) }.distance(outside: region) ?? .infinity
        #expect(abs(outside) < 1, "a degree of the equator has 111.195 km: \(outside)")
        #expect(DevicePlace().distance(outside: region) == nil)
    }
}
