import SiriModel
import Testing

@Test func aNewDeviceKnowsNothing() { #expect(SiriState().isEmpty) }
