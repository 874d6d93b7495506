import DeviceModel
import DeviceSimulator
import TestSupport
import Testing
import Time

@testable import Gateway

/// Effects of a rule on the device of its push.
@Suite struct FaultDeviceTests {
    let fixture = GatewayFixture()

    private var simulator: DeviceSimulator { fixture.gateway.simulator }

    private func push(_ body: String = #"{"aps":{"alert":"Tea","mutable-content":1}}"#) -> Notification? {
        let answer = fixture.connect().answer(fixture.push { $0.body = body.bytes })
        #expect(answer.status == 200)
        return simulator.notifications().items.last
    }

    private func rule(_ edit: (inout FaultDevice) -> Void, count: Int? = 1) throws {
        var fault = FaultDevice()
        edit(&fault)
        let effect = FaultEffect { $0.device = fault }
        try fixture.gateway.faults.add([FaultRule("trouble", effect: effect, count: count)], at: fixture.clock.now)
    }

    @Test func thePermissionIsRevokedBeforeThePushArrives() throws {
        try rule { $0.permission = .denied }
        let refused = try #require(push())
        #expect(refused.state == .discarded(.disabled))
        let app = try #require(simulator.appsOnDevice("phone").first)
        #expect(app.settings.authorizationStatus == .denied)
        #expect(fixture.gateway.lastRequest?.fault?.rule == "trouble")
    }

    @Test func theDeviceIsOfflineForATime() throws {
        try rule { $0.offlineFor = .seconds(600) }
        let first = try #require(push())
        #expect(first.state == .stored(.offline))
        #expect(simulator.conditions(of: "phone")?.offlineUntil == Instant.start.advanced(by: .seconds(600)))
        simulator.advance(to: .start.advanced(by: .seconds(600)))
        #expect(simulator.notification(first.sequence)?.state == .delivered)
        #expect(simulator.conditions(of: "phone")?.isOnline == true)
    }

    @Test("a longer outage is not shortened", arguments: [nil, Instant.start.advanced(by: .seconds(900))])
    func longerOutage(until: Instant?) throws {
        var conditions = DeviceConditions()
        conditions.isOnline = false
        conditions.offlineUntil = until
        try simulator.perform(.conditions(conditions), on: "phone", at: .start)
        try rule { $0.offlineFor = .seconds(600) }
        #expect(push()?.state == .stored(.offline))
        #expect(simulator.conditions(of: "phone") == conditions)
    }

    @Test(arguments: FaultDevice.ExtensionFault.allCases)
    func theExtensionDoesNotRun(_ fault: FaultDevice.ExtensionFault) throws {
        var app = App(bundleID: GatewayFixture.topic)
        app.extension = ServiceExtension()
        app.extension?.command = ["/bin/true"]
        simulator.put(app)
        try rule { $0.extension = fault }
        let first = try #require(push())
        let second = try #require(push())
        let requests = simulator.takeExtensionRequests()
        #expect(requests.map(\.notification) == [first.sequence, second.sequence])
        let run = try #require(fixture.gateway.faultyRun(of: requests[0]))
        #expect(run.end == (fault == .slow ? .expired : .crashed))
        #expect(run.detail == "fault rule trouble")
        #expect(fixture.gateway.faultyRun(of: requests[1]) == nil)
        fixture.gateway.finishExtension(run, of: requests[0])
        let delivered = simulator.notification(first.sequence)
        #expect(delivered?.state == .delivered)
        #expect(delivered?.extensionRecord?.rule == (fault == .slow ? "nse.never" : "nse.died"))
    }

    @Test func theExtensionOfAStoredPushDoesNotRunLater() throws {
        var app = App(bundleID: GatewayFixture.topic)
        app.extension = ServiceExtension()
        app.extension?.command = ["/bin/true"]
        simulator.put(app)
        try rule {
            $0.extension = .crashes
            $0.offlineFor = .seconds(600)
        }
        _ = push()
        #expect(simulator.takeExtensionRequests().isEmpty)
        simulator.advance(to: .start.advanced(by: .seconds(600)))
        let request = try #require(simulator.takeExtensionRequests().first)
        #expect(fixture.gateway.faultyRun(of: request)?.end == .crashed)
    }

    @Test func aRejectedPushChangesNothing() throws {
        try rule({ $0.permission = .denied }, count: nil)
        let answer = fixture.connect().answer(fixture.push { $0.body = [] })
        #expect(answer.status == 400)
        #expect(simulator.appsOnDevice("phone").first?.settings.authorizationStatus == .authorized)
    }
}
