import DeviceModel
import ExtensionHost
import Foundation
import Testing

@Suite(.bench, .timeLimit(.minutes(5)), .serialized) struct LoadTests {
    static let hanging = Python.each(#"say(type="entered", id=id); time.sleep(600)"#)

    private func threadCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }

    @Test func aThousandHangingRequestsOfOneAppUseNoThreads() async throws {
        let path = try bench.script(Self.hanging)
        bench.host.submit(.python(path, 1))
        await bench.untilEntered()
        let before = try threadCount()
        for number in 2...1000 as ClosedRange<UInt64> { bench.host.submit(.python(path, number)) }
        await bench.until { bench.host.processes.first?.waitingCount == 999 }
        #expect(try threadCount() <= before + 2)
        bench.host.cancel { _ in true }
        let runs = await bench.runs(1...1000)
        #expect(runs.allSatisfy { $0.end == .cancelled })
        await bench.until { bench.host.processes.isEmpty }
        #expect(bench.finishCount == 1000)
    }

    @Test(.bench { $0.maximumProcesses = 8 }) func processesAreLimitedAndHangingAppsCanBeCancelled() async throws {
        let path = try bench.script("while read -r line; do sleep 600; done", name: "extension.sh")
        let before = try threadCount()
        for number in 1...1000 as ClosedRange<UInt64> {
            bench.host.submit(.make(number, app: "com.example.app\(number % 200)") { $0.command = ["sh", path] })
        }
        await bench.until { bench.host.processes.filter { $0.state == .working }.count == 8 }
        #expect(bench.host.processes.count == 8)
        #expect(try threadCount() <= before + 4)
        bench.host.cancel { _ in true }
        #expect(await bench.runs(1...1000).allSatisfy { $0.end == .cancelled })
        await bench.until { bench.host.processes.isEmpty }
    }

    /// When a process exits, the next waiting run starts, in order of arrival.
    @Test(.bench { $0.maximumProcesses = 2 }) func manyAppsTakeTurns() async throws {
        let path = try bench.script("exit 3", name: "extension.sh")
        for number in 1...200 as ClosedRange<UInt64> {
            bench.host.submit(.make(number, app: "com.example.app\(number)") { $0.command = ["sh", path] })
        }
        #expect(await bench.runs(1...200).allSatisfy { $0.end == .exited })
    }

    /// Idle processes are stopped when another app needs one.
    @Test(.bench { $0.maximumProcesses = 4 }) func moreAppsThanProcessesAreAllServed() async throws {
        let path = try bench.script(
            #"""
            while read -r line; do
                id=${line#*\"id\":}; id=${id%%,*}
                echo "{\"type\":\"content\",\"id\":$id,\"content\":{}}"
            done
            """#, name: "extension.sh")
        for number in 1...100 as ClosedRange<UInt64> {
            bench.host.submit(.make(number, app: "com.example.app\(number % 20)") { $0.command = ["sh", path] })
        }
        #expect(await bench.runs(1...100).allSatisfy { $0.end == .answered })
        #expect(bench.host.processes.count <= 4)
    }

    /// A queue that was cancelled while it waited for a process does not take its successor's place.
    @Test(.bench { $0.maximumProcesses = 1 }) func anAppIsServedAfterItsWaitingRequestIsCancelled() async throws {
        let hanging = try bench.script(Self.hanging)
        let answering = try bench.script(Python.each(CaseTests.modified), name: "answering.py")
        bench.host.submit(.python(hanging, 1, app: "com.example.first"))
        await bench.untilEntered()
        bench.host.submit(.python(answering, 2))
        bench.host.cancel { $0.notification == 2 }
        for number in 3...4 as ClosedRange<UInt64> { bench.host.submit(.python(answering, number)) }
        bench.host.cancel { $0.notification == 1 }
        #expect(await bench.runs(1...4).map(\.end) == [.cancelled, .cancelled, .answered, .answered])
    }

    @Test func stoppingEndsEverythingOnce() async throws {
        let bench = Bench()
        let path = try bench.script(Self.hanging)
        for number in 1...10 as ClosedRange<UInt64> {
            bench.host.submit(.python(path, number, app: "com.example.app\(number % 3)"))
        }
        await bench.untilEntered()
        let processes = bench.host.processes.compactMap { $0.pid }
        await bench.end()
        #expect(bench.finishCount == 10)
        #expect(bench.host.processes.isEmpty)
        #expect(processes.allSatisfy { kill(pid_t($0), 0) != 0 })
        let late = try await bench.ask(.python(path, 11))
        #expect(late.end == .cancelled)
        await bench.host.stop()
    }
}
