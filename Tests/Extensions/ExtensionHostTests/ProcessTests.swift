import DeviceModel
import ExtensionHost
import Foundation
import JSON
import Testing

@Suite(.bench, .timeLimit(.minutes(5))) struct ProcessTests {
    /// Answers with the process ID as the title and the number of its requests as the body.
    static let counting =
        Python.preamble + """
            count = 0
            for line in sys.stdin:
                count += 1
                say(type="content", id=json.loads(line)["id"], content={"title": str(os.getpid()), "body": str(count)})
            """

    @Test func aProcessIsReused() async throws {
        let path = try bench.script(Self.counting)
        let first = try await bench.ask(.python(path, 1))
        let second = try await bench.ask(.python(path, 2))
        #expect(first.answer?.title == second.answer?.title)
        #expect(second.answer?.body == "2")
        #expect([first.isNewProcess, second.isNewProcess] == [true, false])
        let process = try #require(bench.host.processes.first)
        #expect(process.pid.map(String.init) == first.answer?.title)
        #expect(process.runCount == 2)
    }

    @Test(.bench { $0.idle = .milliseconds(50) }) func anIdleProcessEnds() async throws {
        let path = try bench.script(Self.counting)
        let first = try await bench.ask(.python(path, 1))
        await bench.until { bench.host.processes.isEmpty }
        let second = try await bench.ask(.python(path, 2))
        #expect(first.answer?.title != second.answer?.title)
        #expect(second.isNewProcess)
    }

    /// Answers, and records the end of its standard input in a file.
    static func leaving(_ note: String, after seconds: Double = 0) -> String {
        Python.preamble + """
            for line in sys.stdin:
                say(type="content", id=json.loads(line)["id"], content={"title": "One"})
            time.sleep(\(seconds))
            open("\(note)", "w").close()
            """
    }

    /// Only a process that exits by itself writes its buffered data.
    @Test func anIdleProcessExitsCleanlyWhenTheHostStops() async throws {
        let note = bench.folder + "/left"
        _ = try await bench.ask(.python(try bench.script(Self.leaving(note))))
        await bench.host.stop()
        #expect(FileManager.default.fileExists(atPath: note))
    }

    @Test(.bench { $0.idle = .milliseconds(50) })
    func anExitingProcessKeepsItsGracePeriodWhenTheHostStops() async throws {
        let note = bench.folder + "/left"
        _ = try await bench.ask(.python(try bench.script(Self.leaving(note, after: 0.2))))
        // In a slow test it may have ended already.
        await bench.until { bench.host.processes.allSatisfy { $0.state == .ending } }
        await bench.host.stop()
        #expect(FileManager.default.fileExists(atPath: note))
    }

    @Test(.bench { $0.maximumProcesses = 1 }) func anIdleProcessExitsCleanlyToMakeRoom() async throws {
        let note = bench.folder + "/left"
        let path = try bench.script(Self.leaving(note))
        _ = try await bench.ask(.python(path, 1, app: "com.example.a"))
        #expect(try await bench.ask(.python(path, 2, app: "com.example.b")).isNewProcess)
        #expect(FileManager.default.fileExists(atPath: note))
    }

    @Test func appsHaveProcessesOfTheirOwn() async throws {
        let path = try bench.script(Self.counting)
        let first = try await bench.ask(.python(path, 1, app: "com.example.a"))
        let second = try await bench.ask(.python(path, 2, app: "com.example.b"))
        #expect(first.answer?.title != second.answer?.title)
        #expect(bench.host.processes.map(\.app) == ["com.example.a", "com.example.b"])
    }

    @Test func aChangedExtensionGetsAFreshProcess() async throws {
        let path = try bench.script(Self.counting)
        _ = try await bench.ask(.python(path, 1))
        let second = try await bench.ask(.python(path, 2) { $0.environment = ["MODE": "2"] })
        #expect(second.isNewProcess)
    }

    @Test(.bench { $0.killAfter = .milliseconds(29_300) }) func aKilledProcessIsReplaced() async throws {
        let script = Python.each(
            #"""
            say(type="entered", id=id)
            if request["request"]["identifier"] == "push-1": time.sleep(60)
            say(type="content", id=id, content={"title": str(os.getpid())})
            """#)
        let path = try bench.script(script)
        bench.host.submit(.python(path, 1))
        bench.host.submit(.python(path, 2))
        await bench.untilEntered()
        bench.advance(.seconds(29))
        let runs = await bench.runs([1, 2])
        #expect(runs.map(\.end) == [.expired, .answered])
        #expect(runs.map(\.isNewProcess) == [true, true])
        #expect(bench.order == [1, 2])
    }

    /// A process that dies between requests is replaced without losing an answer.
    @Test func aProcessThatServesOneRequestOnlyIsReplaced() async throws {
        let script =
            Python.preamble + """
                id = hear()["id"]
                say(type="content", id=id, content={"title": "One"})
                os._exit(0)
                """
        let path = try bench.script(script)
        for number in 1...20 as ClosedRange<UInt64> { bench.host.submit(.python(path, number)) }
        let runs = await bench.runs(1...20)
        #expect(runs.allSatisfy { $0.end == .answered && $0.answer?.title == "One" && $0.isNewProcess })
        #expect(bench.order == Array(1...20))
    }

    @Test func aShellScriptCanBeAnExtension() async throws {
        let script = #"""
            #!/bin/sh
            while read -r line; do
                id=${line#*\"id\":}; id=${id%%,*}
                echo "{\"type\":\"content\",\"id\":$id,\"content\":{\"title\":\"Shell\"}}"
            done
            """#
        let path = try bench.script(script, name: "extension.sh")
        chmod(path, 0o755)
        let run = try await bench.ask(.make { $0.command = [path] })
        #expect(run.answer?.title == "Shell")
    }

    @Test func requestsAreServedInOrderOfArrival() async throws {
        let path = try bench.script(Self.counting)
        for number in 1...200 as ClosedRange<UInt64> { bench.host.submit(.python(path, number)) }
        let runs = await bench.runs(1...200)
        #expect(bench.order == Array(1...200))
        #expect(runs.compactMap { $0.answer.flatMap { Int($0.body) } } == Array(1...200))
    }

    /// Answers only once both requests have arrived.
    @Test func parallelRequestsRunConcurrently() async throws {
        let script =
            Python.preamble + """
                first, second = hear()["id"], hear()["id"]
                say(type="content", id=second, content={"title": "Second"})
                say(type="content", id=first, content={"title": "First"})
                hear()
                """
        let path = try bench.script(script)
        for number in 1...2 as ClosedRange<UInt64> { bench.host.submit(.python(path, number) { $0.parallel = 2 }) }
        let runs = await bench.runs([1, 2])
        #expect(runs.map { $0.answer?.title } == ["First", "Second"])
        #expect(bench.host.processes.count == 1)
    }

    @Test(.bench { $0.killAfter = .milliseconds(29_300) })
    func anExpiredRequestDoesNotAffectConcurrentOnes() async throws {
        let script =
            Python.preamble + """
                first = hear()["id"]
                say(type="entered", id=first)
                second = hear()["id"]
                assert hear() == {"type": "serviceExtensionTimeWillExpire", "id": first}
                assert hear() == {"type": "cancel", "id": first}
                say(type="content", id=first, content={"title": "Late"})
                say(type="content", id=second, content={"title": "Second"})
                hear()
                """
        let path = try bench.script(script)
        bench.host.submit(.python(path, 1) { $0.parallel = 2 })
        await bench.untilEntered()
        bench.clock.advance(.seconds(20))
        bench.host.submit(.python(path, 2) { $0.parallel = 2 })
        bench.advance(.seconds(9))
        let runs = await bench.runs([1, 2])
        #expect(runs.map(\.end) == [.expired, .answered])
        #expect(runs[1].answer?.title == "Second")
        #expect(runs[1].log.map(\.level) == ["warning"])
    }

    @Test("When the clock goes back, the time limit begins again", .bench { $0.killAfter = .milliseconds(29_300) })
    func clockReset() async throws {
        let script = Python.each("say(type='entered', id=id); time.sleep(60)")
        bench.host.submit(.python(try bench.script(script)))
        await bench.untilEntered()
        bench.advance(.seconds(-864_000))
        bench.advance(.seconds(29))
        #expect(try await bench.run().end == .expired)
    }

    @Test(.bench { $0.killAfter = .milliseconds(29_300) }) func grandchildrenAreKilled() async throws {
        let script = Python.each(
            #"""
            child = subprocess.Popen(["sleep", "1000"])
            say(type="log", id=id, message=str(child.pid))
            time.sleep(60)
            """#)
        bench.host.submit(.python(try bench.script(script)))
        await bench.untilEntered()
        bench.advance(.seconds(29))
        let run = try await bench.run()
        let child = try #require(run.log.first.flatMap { pid_t($0.message) })
        // Its new parent may not have reaped it yet.
        await bench.until { kill(child, 0) != 0 || Self.isZombie(child) }
    }

    private static func isZombie(_ process: pid_t) -> Bool {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return text.map { $0.contains(") Z ") } ?? true
    }

    @Test func inheritedStreamsDelayTheEndOnlyBriefly() async throws {
        let script = Python.each(
            #"subprocess.Popen(["sleep", "1000"], start_new_session=True); say(type="entered", id=id); sys.exit(0)"#)
        let run = try await bench.ask(.python(try bench.script(script)))
        #expect(run.end == .exited)
    }

    @Test func extensionsInheritNothingFromTheGateway() async throws {
        setenv("GATEWAY_SECRET", "secret", 1)
        let script = Python.each(
            #"""
            import resource
            state = {
                "environment": dict(os.environ), "cwd": os.getcwd(), "group": os.getpgid(0) == os.getpid(),
                "descriptors": sorted(int(x) for x in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + x)),
                "signals": [int(line.split()[1], 16) & 0x7fffffff for line in open("/proc/self/status") if line.startswith(("SigBlk", "SigIgn"))],
                "limits": [resource.getrlimit(x)[0] for x in (resource.RLIMIT_CORE, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE)],
                "cpu": resource.getrlimit(resource.RLIMIT_CPU)[0], "paths": request["paths"],
            }
            say(type="content", id=id, content={"userInfo": state})
            """#)
        let request = ExtensionRequest.python(try bench.script(script)) { $0.environment = ["MODE": "test"] }
        let run = try await bench.ask(request)
        guard case .object(let state)? = run.answer?.userInfo,
            case .object(var environment)? = state["environment"]
        else { throw Problem() }
        environment["LC_CTYPE"] = nil  // Python's own
        let folder = bench.folder + "/extensions/com.example.chat"
        #expect(
            environment == [
                "PATH": .string("/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
                "HOME": .string(folder + "/tmp"), "TMPDIR": .string(folder + "/tmp"), "LANG": .string("C.UTF-8"),
                "PUSHCOTE_EXTENSION": .string("1"), "MODE": .string("test"),
            ])
        #expect(state["cwd"] == .string(folder))
        #expect(state["group"] == .bool(true))
        #expect(state["descriptors"] == .array([.integer(0), .integer(1), .integer(2)]))
        // Python itself ignores SIGPIPE and SIGXFSZ; glibc ignores signals 32 and 33 in child processes.
        #expect(state["signals"] == .array([.integer(0), .integer(0x1001000)]))
        #expect(state["limits"] == .array([.integer(0), .integer(256), .integer(256 << 20)]))
        #expect(state["cpu"] == .integer(61))
        #expect(
            state["paths"]
                == .object([
                    "temporary": .string(folder + "/tmp"), "groups": .string(folder + "/groups"),
                    "bundle": .string(folder + "/bundle"),
                ]))
    }

    private struct Problem: Error {}

    static let unreachable: [(ServiceExtension, String)] = [
        (
            .of { $0.command = ["pushcote-no-such-program"] },
            "there is no program pushcote-no-such-program in /usr/local/sbin"
        ),
        (
            .of { $0.command = ["no-such-python ext.py"] },
            "there is no program no-such-python ext.py in /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin: use its "
                + "path, or set PATH in the extension's environment; its command is one text, without a shell: write "
                + "[no-such-python, ext.py]"
        ),
        (.of { $0.command = ["/etc/passwd"] }, "/etc/passwd is not a program"),
        (.of { $0.command = [] }, "it has no command"),
        (
            .of { ($0.kind, $0.path) = (.swift, "Examples/Chat") },
            "its source has not been built: run `pushcote extension build Examples/Chat --app com.example.chat`"
        ),
    ]

    @Test(arguments: unreachable)
    func aFailedStartIsExplained(_ service: ServiceExtension, _ detail: String) async throws {
        for number in 1...2 as ClosedRange<UInt64> {
            let run = try await bench.ask(.make(number) { $0 = service })
            #expect(run.end == .unreachable)
            #expect(run.detail.hasPrefix(detail), "\(run.detail)")
            #expect(run.findings.map(\.id) == ["nse.unreachable"])
        }
        await bench.until { bench.host.processes.isEmpty }
    }

    @Test func aBundleIdentifierCannotEscapeItsFolder() async throws {
        let script = try bench.script(Python.each(#"say(type="content", id=id, content={"title": os.getcwd()})"#))
        let run = try await bench.ask(.python(script, app: "../../etc"))
        #expect(run.answer?.title == bench.folder + "/extensions/%2e.%2f..%2fetc")
    }

    @Test func donationsLogAndCenterCallsAreRecorded() async throws {
        let script = Python.each(
            #"""
            say(type="ready", protocol=1)
            say(type="log", level="error", message="early")
            say(type="donate", id=id, interaction={"identifier": "i", "direction": "incoming", "intent": {"class": "INSendMessageIntent"}})
            say(type="center", id=id, call=3, name="deliveredNotifications", arguments={"a": 1})
            reply = hear()
            say(type="content", id=id, content={"userInfo": reply})
            """#)
        try await withBench(center: { _, call in .result(.array([.string(call.name), call.arguments])) }) { bench in
            let run = try await bench.ask(.python(try bench.script(script)))
            let name = JSONValue.string("deliveredNotifications")
            #expect(
                run.answer?.userInfo
                    == .object([
                        "type": .string("reply"), "call": .integer(3),
                        "result": .array([name, .object(["a": .integer(1)])]),
                    ]))
            #expect(run.log == [.init(level: "error", message: "early")])
            #expect(run.donations.map(\.identifier) == ["i"])
            #expect(run.donations.first?.direction == .incoming)
            #expect(run.centerCalls == [.init("deliveredNotifications", ["a": .integer(1)])])
        }
    }

    @Test func aRejectedCallOfTheCenterIsAnError() async throws {
        let script = Python.each(
            #"""
            say(type="center", id=id, call=3, name="add", arguments={})
            say(type="content", id=id, content={"userInfo": hear()})
            """#)
        try await withBench(center: { _, _ in .refused("There is no room.") }) { bench in
            let run = try await bench.ask(.python(try bench.script(script)))
            #expect(
                run.answer?.userInfo
                    == .object([
                        "type": .string("reply"), "call": .integer(3), "result": .null,
                        "error": .string("There is no room."),
                    ]))
        }
    }

    @Test func anAnswerWithAnUnchangedPayloadKeepsIt() async throws {
        let script = Python.each(
            #"say(type="content", id=id, content={"userInfo": request["request"]["content"]["userInfo"], "title": "x"})"#
        )
        let run = try await bench.ask(.python(try bench.script(script)))
        #expect(run.answer?.userInfo == nil)
        #expect(run.answer?.title == "x")
    }
}

extension ServiceExtension {
    static func of(_ edit: (inout ServiceExtension) -> Void) -> ServiceExtension {
        var service = ServiceExtension()
        edit(&service)
        return service
    }
}
