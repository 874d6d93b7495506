import DeviceSimulator
import Foundation
import Gateway
import JSON
import Testing

@testable import AdminAPI

/// Recordings are encoded while they are sent.
@Suite(.admin) struct LongRecordingTests {
    @Test(arguments: [0, 3, 300])
    func `a recording is what one encoder writes of the whole, and replays`(_ count: Int) async throws {
        for number in 0..<count { #expect(admin.push(try admin.register("before \(number)")) == 200) }
        #expect(try await admin.send("POST", "/api/v1/recordings", #"{"name":"run"}"#).status == 201)
        for number in 0..<count {
            let name = ["phone", "Zoë", "zoe", "Phone", "猫"][number % 5] + " \(number % 60)"
            let payload = #"{"aps":{"alert":"\#(number)"},"state":[],"events":{"inputs":[{}],"x":0.5}}"#
            #expect(admin.push(try admin.register(name), payload) == 200)
            #expect(admin.push("zz", Array("{}".utf8), topic: "com.example.app", fields: []) == 400)
        }
        let text = Array(try await admin.get("/api/v1/recordings/run").text.utf8)
        let recording = try Recording(text, version: "")
        #expect(recording.requests.count == 2 * count && recording.problem == nil)
        let isSame = JSONTextEncoder.bytes(recording) == text
        #expect(isSame, "\(String(decoding: text.prefix(2000), as: UTF8.self))")
        // The clock stands still.
        let again = await AdminAPI.recordedRun(of: admin.gateway)
        let isSameFile = again == text
        #expect(isSameFile)
        let report = try ReplayReport(recording, on: makeGateway(), version: recording.pushcote.version)
        #expect(report.differences == [])
    }

    @Test func `a recording that was read leaves no gateway behind`() async throws {
        #expect(try await admin.send("POST", "/api/v1/recordings", "{}").status == 201)
        weak var simulator: DeviceSimulator?
        do {
            let run = try #require(await admin.gateway.recordedRun())
            simulator = run.end.simulator
            #expect(simulator != nil)
        }
        #expect(simulator == nil)
    }
}
