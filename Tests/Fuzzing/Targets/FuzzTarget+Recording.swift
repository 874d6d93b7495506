import AdminAPI
import Gateway

extension FuzzTarget {
    /// A recording, replayed on a new gateway.
    static let recording = FuzzTarget("recording") { input in
        do throws(RecordingProblem) {
            let recording = try Recording(Array(input), version: "0")
            let gateway = FuzzGateway(isOpen: false, isStrict: false, hasFaults: false).gateway
            let report = try ReplayReport(recording, on: gateway, version: "0")
            precondition(report.answerCount <= report.requestCount, "an answer without a request")
            precondition(gateway.now() == recording.endedAt, "the clock stands elsewhere than at the end")
        } catch {
            precondition(!error.description.isEmpty, "refused without a reason")
        }
    }
}
