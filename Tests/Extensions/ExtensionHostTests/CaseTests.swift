import DeviceModel
import ExtensionHost
import Foundation
import Testing
import Time

/// Each behaviour of an extension and its verdict (C.3).
struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var script: String
    var end: ExtensionRun.End
    var title: String?
    var source: ExtensionRun.AnswerSource?
    var detail = ""
    var ignored = 0
    var findings: [String] = []
    /// Whether the clock passes the time limit once the request has started.
    var expires = false
    var testDescription: String { name }
}

@Suite(.bench, .timeLimit(.minutes(5))) struct CaseTests {
    static let modified = #"say(type="content", id=id, content={"title": "Modified"})"#
    static let cases = [
        Case(name: "modified", script: Python.each(modified), end: .answered, title: "Modified", source: .handler),
        Case(
            name: "absent keeps and null empties",
            script: Python.each(#"say(type="content", id=id, content={"title": None, "badge": None})"#), end: .answered,
            title: "", source: .handler),
        Case(
            name: "best attempt at expiry",
            script: Python.preamble
                + """
                id = hear()["id"]
                say(type="entered", id=id)
                assert hear() == {"type": "serviceExtensionTimeWillExpire", "id": id}
                say(type="content", id=id, content={"title": "Best"}, expiring=True)
                hear()
                """, end: .answered, title: "Best", source: .expiration, findings: ["nse.slow"], expires: true),
        Case(
            name: "a best attempt left beforehand",
            script: Python.each(
                #"say(type="bestAttempt", id=id, content={"title": "Attempt"}); say(type="entered", id=id); time.sleep(60)"#
            ),
            end: .expired, title: "Attempt", source: .bestAttempt, findings: ["nse.handler.never"], expires: true),
        Case(
            name: "neither calls the handler", script: Python.each(#"say(type="entered", id=id)"#), end: .expired,
            findings: ["nse.handler.never"], expires: true),
        Case(
            name: "crash by a signal",
            script: Python.each(#"say(type="entered", id=id); os.kill(os.getpid(), signal.SIGSEGV)"#), end: .crashed,
            detail: "signal 11 (SIGSEGV)", findings: ["nse.crash"]),
        Case(
            name: "abort without a word", script: Python.each("os.abort()"), end: .crashed,
            detail: "signal 6 (SIGABRT)",
            findings: ["nse.crash"]),
        Case(
            name: "exit(0)", script: Python.each(#"say(type="entered", id=id); sys.exit(0)"#), end: .exited,
            detail: "exit status 0", findings: ["nse.handler.never"]),
        Case(
            name: "exit(3) at the start", script: "import sys; sys.exit(3)", end: .exited, detail: "exit status 3",
            findings: ["nse.handler.never"]),
        Case(
            name: "an answer and an end at once", script: Python.each(modified + "; os._exit(1)"), end: .answered,
            title: "Modified", source: .handler),
        Case(
            name: "handler twice in one write",
            script: Python.each(
                """
                line = json.dumps({"type": "content", "id": id, "content": {"title": "First"}}) + "\\n"
                sys.stdout.write(line + line.replace("First", "Second")); sys.stdout.flush()
                """), end: .answered, title: "First", source: .handler, ignored: 1,
            findings: ["nse.handler.calledTwice"]),
        Case(
            // The host has read the first call long before the second when it replies in between.
            name: "handler twice before didReceive returns",
            script: Python.each(
                """
                say(type="content", id=id, content={"title": "First"}, awaitsReturn=True)
                say(type="center", id=id, call=1, name="deliveredNotifications"); hear()
                say(type="content", id=id, content={"title": "Second"}, awaitsReturn=True)
                say(type="returned", id=id)
                """), end: .answered, title: "First", source: .handler, ignored: 1,
            findings: ["nse.handler.calledTwice"]),
        Case(
            name: "handler once before didReceive returns",
            script: Python.each(
                """
                say(type="returned", id=id)
                say(type="content", id=id, content={"title": "First"}, awaitsReturn=True)
                """), end: .answered, title: "First", source: .handler),
        Case(
            name: "didReceive never returns after its answer",
            script: Python.each(
                #"say(type="content", id=id, content={"title": "First"}, awaitsReturn=True); time.sleep(60)"#),
            end: .answered, title: "First", source: .handler),
        Case(
            name: "the process ends before didReceive returns",
            script: Python.each(
                #"say(type="content", id=id, content={"title": "First"}, awaitsReturn=True); os._exit(1)"#),
            end: .answered, title: "First", source: .handler),
        Case(
            name: "an option that nobody knows",
            script: Python.each(
                """
                file = {"url": "file:///a.png", "options": {"UNNotificationAttachmentOptionsTypeHintKey": "public.png"}}
                say(type="content", id=id, content={"title": "Modified", "attachments": [file]})
                """), end: .answered, title: "Modified", source: .handler, findings: ["nse.answer.unknownMember"]),
        Case(
            name: "handler twice after expiry",
            script: Python.preamble
                + """
                id = hear()["id"]
                say(type="entered", id=id)
                hear()
                line = json.dumps({"type": "content", "id": id, "content": {"title": "First"}}) + "\\n"
                sys.stdout.write(line + line); sys.stdout.flush()
                hear()
                """, end: .answered, title: "First", source: .expiration, ignored: 1,
            findings: ["nse.handler.calledTwice", "nse.handler.afterExpiry", "nse.slow"], expires: true),
        Case(
            name: "an answer without a line break and the end",
            script: Python.each(
                #"sys.stdout.write(json.dumps({"type":"content","id":id,"content":{"title":"Last"}})); sys.stdout.flush(); os._exit(0)"#
            ),
            end: .answered, title: "Last", source: .handler),
        Case(
            name: "print() beside the protocol",
            script: Python.each("print('hello'); print('{\"a\": 1}'); print('{'); print('[1]')\n" + modified),
            end: .answered, title: "Modified", source: .handler),
        Case(
            name: "half an emoji makes no message, and that is said",
            script: Python.each(#"print('{"type":"content","id":%d,"content":{"body":"\\ud83d"}}' % id); "# + modified),
            end: .answered, title: "Modified", source: .handler, findings: ["nse.message.invalid"]),
        Case(
            name: "wrong members",
            script: Python.each(#"say(type="content", id=id, content={"title": 5}); time.sleep(60)"#),
            end: .protocolError, detail: "title is 5", findings: ["nse.protocol"]),
        Case(
            name: "no content", script: Python.each(#"say(type="content", id=id); time.sleep(60)"#),
            end: .protocolError,
            detail: "content is missing", findings: ["nse.protocol"]),
        Case(
            name: "a request that never was",
            script: Python.each(#"say(type="content", id=4711, content={}); time.sleep(60)"#),
            end: .protocolError, detail: "id is 4711", findings: ["nse.protocol"]),
        Case(
            name: "an unknown member is ignored, and said",
            script: Python.each(#"say(type="content", id=id, content={"titel": "x", "title": "Modified"})"#),
            end: .answered,
            title: "Modified", source: .handler, findings: ["nse.answer.unknownMember"]),
        Case(
            name: "a measurement that cannot be one",
            script: Python.each(
                #"say(type="ready", protocol=1, status="VmRSS: 9007199254740992 kB\nVmHWM: 1 kB"); "# + modified),
            end: .answered, title: "Modified", source: .handler),
        Case(
            name: "unknown types are output", script: Python.each(#"say(type="greeting"); "# + modified),
            end: .answered,
            title: "Modified", source: .handler),
    ]

    @Test(arguments: cases) func ends(_ row: Case) async throws {
        try await withBench(edit: { if row.end == .expired { $0.killAfter = .milliseconds(29_300) } }) { bench in
            bench.host.submit(.python(try bench.script(row.script)))
            if row.expires {
                await bench.untilEntered()
                bench.advance(.seconds(29))
            }
            let run = try await bench.run()
            #expect(run.end == row.end, "\(run)")
            #expect(run.answer?.title == row.title)
            #expect(run.answerSource == row.source)
            #expect(run.detail.hasPrefix(row.detail), "\(run.detail)")
            #expect(run.ignoredAnswerCount == row.ignored)
            #expect(run.findings.map(\.id) == row.findings)
            #expect((run.expiredAt != nil) == row.expires)
            #expect(run.isNewProcess)
            #expect(
                (run.answerMilliseconds != nil) == (run.answerSource == .handler || run.answerSource == .expiration))
            await bench.end()
            #expect(bench.finishCount == 1)
        }
    }

    @Test func everyWayAProcessEndsIsCovered() {
        let elsewhere: Set<ExtensionRun.End> = [.startupTimedOut, .outOfMemory, .unreachable, .cancelled]
        #expect(Set(Self.cases.map(\.end)).union(elsewhere) == Set(ExtensionRun.End.allCases))
    }

    @Test func unchangedContentIsKept() async throws {
        let run = try await bench.ask(.python(try bench.script(Python.each(Self.modified))))
        var expected = ExtensionRequest.make().content
        expected.title = "Modified"
        #expect(run.answer == expected)
        #expect(run.startUpMilliseconds.map { $0 > 0 } == true)
        #expect(run.peakMemoryByteCount.map { $0 > 1 << 20 } == true)
    }

    @Test(.bench { $0.killAfter = .milliseconds(29_300) }) func anExtensionThatNeverStartsTimesOut() async throws {
        bench.host.submit(.python(try bench.script("import time; time.sleep(60)")))
        await bench.until { bench.host.nextDue != nil }
        #expect(bench.host.nextDue == bench.clock.now.advanced(by: .seconds(10)))
        bench.advance(.milliseconds(9_999))
        #expect(bench.finishCount == 0)
        bench.advance(.milliseconds(1))
        let run = try await bench.run()
        #expect(run.end == .startupTimedOut)
        #expect(run.findings.map(\.id) == ["nse.startup"])
        #expect(run.startUpMilliseconds == nil)
    }

    /// `nextDue` omits a deadline that was already handed to the host; otherwise its timer would fire endlessly.
    @Test func aDeadlineHandedToTheHostIsNotNextDue() async throws {
        bench.host.submit(.python(try bench.script(Python.each("time.sleep(60)"))))
        await bench.until { bench.host.nextDue != nil }
        bench.advance(.seconds(10))
        #expect(bench.host.nextDue == nil)
    }

    @Test func aDeadlineFollowsTheSettings() async throws {
        bench.host.submit(.python(try bench.script(Python.each(#"say(type="entered", id=id); hear()"#))))
        await bench.untilEntered()
        let entered = bench.clock.now
        bench.host.settings.expireAfter = .seconds(40)
        bench.host.settings.killAfter = .milliseconds(40_100)
        bench.advance(.seconds(29))
        await bench.until { bench.host.nextDue == entered.advanced(by: .seconds(40)) }
        bench.advance(.seconds(11))
        #expect(try await bench.run().expiredAt == entered.advanced(by: .seconds(40)))
    }

    @Test func aJumpOfTheClockStillGrantsTheLastChance() async throws {
        let script =
            Python.preamble + """
                id = hear()["id"]
                say(type="entered", id=id)
                hear()
                say(type="content", id=id, content={"title": "Best"})
                hear()
                """
        bench.host.submit(.python(try bench.script(script)))
        bench.advance(.seconds(3600))
        let run = try await bench.run()
        #expect(run.end == .answered)
        #expect(run.answerSource == .expiration)
        // The time limit, although the clock passed it.
        #expect(run.expiredAt == run.startedAt.advanced(by: .seconds(29)))
        #expect(run.endedAt == run.startedAt.advanced(by: bench.host.settings.killAfter))
    }

    /// Allocates memory once the reply shows that the baseline was measured.
    static let hog = #"""
        say(type="entered", id=id)
        say(type="center", id=id, call=1, name="deliveredNotifications")
        hear()
        hog = b"x" * (64 << 20)

        """#

    @Test func memoryAboveTheLimitIsReported() async throws {
        let hog = Python.each(Self.hog + Self.modified)
        let run = try await bench.ask(.python(try bench.script(hog)))
        #expect(run.end == .answered)
        #expect(run.findings.map(\.id) == ["nse.memory"])
        #expect(run.peakMemoryByteCount.map { $0 > 64 << 20 } == true)
    }

    @Test(.bench { $0.enforcesMemoryLimit = true }, arguments: [modified, "time.sleep(60)"])
    func memoryAboveTheLimitKillsWhenEnforced(_ rest: String) async throws {
        let hog = Python.each(Self.hog + rest)
        let run = try await bench.ask(.python(try bench.script(hog)))
        #expect(run.end == .outOfMemory, "\(run)")
        #expect(run.findings.map(\.id) == ["nse.memory"])
    }

    /// A busy gateway may read `ready` after the allocation and the answer.
    @Test(.bench { $0.enforcesMemoryLimit = true }) func memoryIsMeasuredFromTheReadyMessageOn() async throws {
        let hog = #"""
            with open("/proc/self/status") as file: status = file.read()
            id = hear()["id"]
            hog = b"x" * (64 << 20)
            messages = [{"type": "ready", "status": status}, {"type": "content", "id": id, "content": {}}]
            os.write(1, "".join(json.dumps(message) + "\n" for message in messages).encode())
            time.sleep(60)
            """#
        let run = try await bench.ask(.python(try bench.script(Python.preamble + hog)))
        #expect(run.end == .outOfMemory, "\(run)")
    }

    @Test(.bench { $0.maximumMessageByteCount = 1 << 20 }) func anOversizedLineEndsTheProcess() async throws {
        let run = try await bench.ask(
            .python(try bench.script(Python.each(#"print("x" * (2 << 20)); time.sleep(60)"#))))
        #expect(run.end == .protocolError)
        #expect(run.detail.hasPrefix("a line is longer than 1048576 bytes"))
    }

    @Test func aLineOf16MiBIsRead() async throws {
        let script = Python.each(
            #"say(type="log", id=id, message="x" * ((16 << 20) - 100)); say(type="content", id=id, content={"title": "x"})"#
        )
        let run = try await bench.ask(.python(try bench.script(script)))
        #expect(run.log.map(\.message.utf8.count) == [(8 << 10) + 3] && run.end == .answered, "\(run.detail)")
    }

    @Test func aLongLogLineIsCut() async throws {
        let script = Python.each(#"say(type="log", id=id, message="a" + "é" * 5000); "# + Self.modified)
        let run = try await bench.ask(.python(try bench.script(script)))
        #expect(run.log.map(\.message) == ["a" + String(repeating: "é", count: 4095) + "…"])
    }

    @Test func theEndOfItsOutputIsStored() async throws {
        let script = Python.each(
            #"sys.stderr.write("y" * 9000 + "Traceback"); sys.stderr.flush(); say(type="entered", id=id); sys.exit(1)"#)
        let run = try await bench.ask(.python(try bench.script(script)))
        #expect(run.end == .exited)
        #expect(run.outputTail.utf8.count == 8 << 10)
        #expect(run.outputTail.hasSuffix("yTraceback"))
    }
}

extension Bench {
    /// Waits until the extension has started: from then on `expireAfter` is its deadline.
    func untilEntered() async {
        let due = clock.now.advanced(by: .seconds(29))
        await until { self.host.nextDue == due }
    }
}
