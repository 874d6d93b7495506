internal import DeviceSimulator

extension JournalProblem {
    /// - Parameter place: The house.
    init(_ failure: PostgresFailure, place: String) {
        let remedy = "The gateway resumes by itself when the database answers"
        switch failure {
        case .refused(code: PostgresJournal.takenCode, let message):
            self.init(file: place, reason: message, remedy: "This gateway leaves; start it again as a standby")
        case .refused(code: "53100", _):
            self.init(
                file: place, reason: "cannot grow: the database's disk is full",
                remedy: "Free some space; the gateway then resumes by itself")
        case .refused(let code, let message):
            self.init(
                file: place,
                reason: "cannot be written or read (\(message)\(code.isEmpty ? "" : ", SQLSTATE \(code)"))",
                remedy: "Check the database and the rights of its user; the gateway resumes by itself when it can write"
            )
        case .unknown(let message):
            self.init(file: place, reason: "the database has not confirmed a write (\(message))", remedy: remedy)
        case .unreachable(let message):
            self.init(file: place, reason: "the database cannot be reached (\(message))", remedy: remedy)
        }
    }
}
