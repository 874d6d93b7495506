import LiveModel
import Testing

@Test func aNewDeviceIsEmpty() { #expect(LiveState().isEmpty) }
