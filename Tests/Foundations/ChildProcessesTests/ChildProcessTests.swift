import Foundation
import Testing

@testable import ChildProcesses

@Suite(.timeLimit(.minutes(5))) struct ChildProcessTests {
    private func start(_ arguments: String...) throws -> ChildProcess {
        try ChildCommand(
            program: arguments[0], arguments: arguments, environment: ProcessInfo.processInfo.environment
        ).start()
    }

    @Test func aProcessThatWasReapedIsNotSignalled() throws {
        let process = try start("true")
        #expect(process.wait() == .status(0))
        // Its process ID is free again, so a signal could reach an unrelated process.
        #expect(kill(process.pid, 0) == -1 && errno == ESRCH)
        #expect(!process.signal(SIGTERM))
    }

    @Test func aReusedProcessIDIsNotSignalled() {
        // The test process plays the unrelated process; signal 0 would reach it without effect.
        let process = ChildProcess(pid: getpid())
        #expect(process.wait() == .unknown)
        #expect(!process.signal(0))
    }

    @Test func aProcessThatEndedAndIsNotReapedTakesASignal() throws {
        let process = try start("true")
        var information = siginfo_t()
        #expect(waitid(P_PID, id_t(process.pid), &information, WEXITED | WNOWAIT) == 0)
        #expect(process.signal(SIGTERM))
        #expect(process.wait() == .status(0))
    }

    @Test func aSignalReachesARunningProcess() throws {
        let process = try start("sleep", "600")
        #expect(process.signal(SIGTERM))
        #expect(process.wait().shellStatus == 128 + SIGTERM)
    }
}
