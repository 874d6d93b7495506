import DeviceModel
import Testing

@Suite struct WallTimeTests {
    @Test("A time of day is four digits and a colon", arguments: ["00:00", "09:05", "23:59"])
    func valid(text: String) { #expect(WallTime(text: text)?.text == text) }

    @Test(
        "Everything else is rejected",
        arguments: ["24:00", "12:60", "9:00", "09:0", "09:00:00", "", ":", "+9:00", "٠٩:٠٠"])
    func invalid(text: String) { #expect(WallTime(text: text) == nil) }
}
