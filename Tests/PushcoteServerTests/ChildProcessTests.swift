import Foundation
import Testing

@testable import PushcoteServer

@Suite(.timeLimit(.minutes(1))) struct ChildProcessTests {
    private func start(_ command: String...) throws -> pid_t {
        try ChildProcess(command: command, environment: ProcessInfo.processInfo.environment).start()
    }

    @Test func aProcessThatWasReapedIsNotSignalled() throws {
        let pid = try start("true")
        let process = StartedProcess(pid)
        #expect(process.wait() == 0)
        // Its number is free again: a signal for it would reach whoever has it next.
        #expect(kill(pid, 0) == -1 && errno == ESRCH)
        #expect(!process.signal(SIGTERM))
    }

    @Test func aNumberThatIsNoChildsAnyMoreIsNotSignalled() {
        // This very process stands for whoever has the number now; signal 0 would reach it, and do nothing.
        let process = StartedProcess(getpid())
        #expect(process.wait() == 1)
        #expect(!process.signal(0))
    }

    @Test func aProcessThatEndedAndIsNotReapedTakesASignal() throws {
        let pid = try start("true")
        var information = siginfo_t()
        #expect(waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) == 0)
        let process = StartedProcess(pid)
        #expect(process.signal(SIGTERM))
        #expect(process.wait() == 0)
    }

    @Test func aSignalReachesARunningProcess() throws {
        let process = StartedProcess(try start("sleep", "600"))
        #expect(process.signal(SIGTERM))
        #expect(process.wait() == 128 + SIGTERM)
    }
}
