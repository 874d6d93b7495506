import LiveModel
import Testing

@Test func aNewDeviceHoldsNothing() { #expect(LiveState().isEmpty) }
