import DeviceModel
import ExtensionHost
import Foundation
import JSON
import Testing

/// Programs that try to outlive, block or exhaust the gateway: the table in docs/hardening.md.
@Suite(.bench, .timeLimit(.minutes(5))) struct HostileProcessTests {
    /// Joins its parent's process group.
    static let leaving = #"os.setpgid(0, os.getpgid(os.getppid())); say(type="entered", id=id); time.sleep(1000)"#

    @Test(.bench { $0.killAfter = .milliseconds(29_300) }) func anExtensionThatLeavesItsGroupIsKilled() async throws {
        bench.host.submit(.python(try bench.script(Python.each(Self.leaving))))
        await bench.untilEntered()
        bench.advance(.seconds(29))
        #expect(try await bench.run().end == .expired)
        await bench.until { bench.host.processes.isEmpty }
    }

    @Test func anExtensionThatLeftItsGroupDoesNotDelayTheStop() async throws {
        bench.host.submit(.python(try bench.script(Python.each(Self.leaving))))
        await bench.untilEntered()
        await bench.host.stop()
        #expect(bench.host.processes.isEmpty)
    }

    @Test(.bench { $0.processorSeconds = 0 }) func anExtensionThatIgnoresItsProcessorLimitIsKilled() async throws {
        let script = Python.each(
            #"""
            signal.signal(signal.SIGXCPU, signal.SIG_IGN)
            say(type="entered", id=id)
            while True: pass
            """#)
        let run = try await bench.ask(.python(try bench.script(script)))
        #expect(run.end == .crashed)
        #expect(run.detail.contains("ignored SIGXCPU"))
        #expect(run.findings.map(\.id) == ["nse.crash"])
    }

    @Test func repliesToAProgramThatNeverReadsAreBounded() async throws {
        let script = Python.each(
            #"for call in range(1, 1001): say(type="center", id=id, call=call, name="x"); time.sleep(0)"#)
        let reply = CenterReply.result(.string(String(repeating: "x", count: 100_000)))
        try await withBench(edit: { $0.unreadByteCount = 1 << 20 }, center: { _, _ in reply }) { bench in
            let run = try await bench.ask(.python(try bench.script(script + "    time.sleep(1000)\n")))
            #expect(run.end == .protocolError)
            #expect(run.detail.hasPrefix("it does not read its standard input"), "\(run.detail)")
        }
    }

    @Test(arguments: [(1000, ExtensionRun.End.answered), (1001, .protocolError)])
    func callsOfTheCenterAreLimited(_ count: Int, _ end: ExtensionRun.End) async throws {
        let script = Python.each(
            """
            for call in range(\(count)): say(type="center", id=id, call=call, name="x")
            say(type="content", id=id, content={"title": "x"})
            """)
        let run = try await bench.ask(.python(try bench.script(script)))
        #expect(run.end == end, "\(run.detail)")
        #expect(run.centerCalls.count == 100)
    }

    @Test(.bench { $0.maximumMessageByteCount = 1 << 18 }) func outputPerRequestIsLimited() async throws {
        let script = Python.each(#"while True: say(type="bestAttempt", id=id, content={"body": "x" * 1000})"#)
        let run = try await bench.ask(.python(try bench.script(script)))
        #expect(run.end == .protocolError)
        #expect(run.detail == "it wrote more than 1048576 bytes for one request")
    }

    @Test func findingsOfARunAreLimited() async throws {
        let script = Python.each(
            #"""
            for score in range(2, 30002): say(type="bestAttempt", id=id, content={"relevanceScore": score})
            say(type="content", id=id, content={"title": "x"})
            """#)
        let run = try await bench.ask(.python(try bench.script(script)))
        #expect(run.end == .answered)
        // The host may add its own about the run.
        let ofContents = run.findings.filter { $0.id == "relevance.range" }
        #expect(ofContents.count == 100 && Set(ofContents).count == 100)
        #expect(run.findings.first { $0.id == "findings.more" }?.message.hasPrefix("29900 more") == true)
    }

    /// Other apps' extensions run on the same event loop.
    @Test(arguments: [
        #"{"m%d" % n: 1 for n in range(20_000)}"#, #"{"userInfo": {"a": "x" * 1_000_000}}"#,
        #"{"attachments": [{"url": "file:///%d" % n} for n in range(5000)]}"#,
    ]) func aLargeAnswerIsRejectedAndDelaysNoOther(_ content: String) async throws {
        let large = Python.each(#"say(type="content", id=id, content=\#(content)); time.sleep(1000)"#)
        let small = Python.each(#"say(type="content", id=id, content={"title": "x"})"#)
        bench.host.submit(.python(try bench.script(large, name: "large.py")))
        let other = ExtensionRequest.python(try bench.script(small), 2, app: "com.example.other")
        let start = ContinuousClock.now
        #expect(try await bench.ask(other).end == .answered)
        let run = try await bench.run(1)
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(run.end == .protocolError && run.answer == nil)
        #expect(run.detail.contains("more than 65536 bytes"), "\(run.detail)")
    }

    @Test func whatARunRecordsIsLimited() async throws {
        let script = Python.each(
            #"""
            for number in range(200): say(type="log", id=id, message=str(number) + "x" * 8000)
            for call in range(1, 101): say(type="center", id=id, call=call, name="x", arguments={"a": "x" * 60_000})
            say(type="center", id=id, call=101, name="y", arguments={"a": "x" * 70_000})
            say(type="center", id=id, call=102, name="z" * 100_000)
            say(type="content", id=id, content={"title": "x"})
            """#)
        let run = try await bench.ask(.python(try bench.script(script)))
        #expect(run.end == .answered)
        #expect(run.log.reduce(0) { $0 + $1.message.utf8.count } <= 256 << 10)
        #expect(run.log.last?.message.hasPrefix("199x") == true)
        #expect(run.centerCalls.count { $0.name == "x" } == 17, "1 MiB of arguments")
        #expect(!run.centerCalls.contains { $0.name == "y" }, "it is refused")
        #expect(run.centerCalls.allSatisfy { $0.name.utf8.count < 10_000 })
    }

    @Test func memoryTakenBeforeTheFirstMessageIsGrowth() async throws {
        let script = "waste = bytearray(b'x') * (400 << 20)\n" + Python.each(#"say(type="content", id=id, content={})"#)
        let run = try await bench.ask(.python(try bench.script(script)))
        #expect(run.end == .answered)
        #expect(run.findings.map(\.id) == ["nse.memory"])
    }
}
