import DeviceModel
import Foundation
import Testing

/// Measured alone: `PUSHCOTE_MEASURE=1 swift test -c release --filter ExtensionHostTests.MeasureTests`.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["PUSHCOTE_MEASURE"] != nil)) struct MeasureTests {
    static let echo = #"""
        while read -r line; do
            id=${line#*\"id\":}; id=${id%%,*}
            echo "{\"type\":\"content\",\"id\":$id,\"content\":{\"title\":\"x\"}}"
        done
        """#
    static let count = 2000

    /// A shell that answers each line, once run by the host and once over bare pipes.
    @Test func aWarmRoundTripAddsLessThanAMillisecond() async throws {
        var host: [Duration] = []
        var bare: [Duration] = []
        try await withBench { bench in
            let path = try bench.script(Self.echo, name: "extension.sh")
            for number in 1...UInt64(Self.count) {
                let start = ContinuousClock.now
                _ = try await bench.ask(.make(number) { $0.command = ["sh", path] })
                host.append(ContinuousClock.now - start)
            }
            bare = try bareRoundTrips(path)
        }
        let (hosted, plain) = (median(host), median(bare))
        print("round trip of a warm process: \(hosted); of bare pipes: \(plain); added: \(hosted - plain)")
        #expect(hosted - plain < .milliseconds(1))
    }

    private func bareRoundTrips(_ path: String) throws -> [Duration] {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [path]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        defer { process.terminate() }
        // As long as the host's message.
        let line =
            Data(#"{"type":"didReceive","id":1,"#.utf8) + Data(repeating: UInt8(ascii: "x"), count: 780)
            + Data("\n".utf8)
        return (0..<Self.count).map { _ in
            ContinuousClock().measure {
                input.fileHandleForWriting.write(line)
                _ = output.fileHandleForReading.availableData
            }
        }
    }

    private func median(_ times: [Duration]) -> Duration { times.sorted()[times.count / 2] }
}
