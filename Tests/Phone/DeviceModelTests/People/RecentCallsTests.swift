import DeviceModel
import Testing
import Time

@Suite struct RecentCallsTests {
    @Test("calls before the window and the oldest of many callers are forgotten") func isBounded() {
        var calls: RecentCalls?
        for number in 0...100 { calls.add("\(number)", at: Instant(milliseconds: Int64(number)), within: 1000) }
        #expect(calls?.count == 100 && calls?["0"] == nil)
        #expect(calls.time(since: "1", at: Instant(milliseconds: 5)) == 4)
        calls.add("", at: Instant(milliseconds: 200), within: 1000)
        #expect(calls?.count == 100)
        calls.add("new", at: Instant(milliseconds: 1100), within: 1000)
        #expect(calls == ["100": Instant(milliseconds: 100), "new": Instant(milliseconds: 1100)])
    }
}
