internal import DeviceSimulator
internal import GRDB

extension JournalProblem {
    init(_ error: any Error, file: String) {
        if let problem = error as? JournalProblem {
            self = problem
            return
        }
        guard let error = error as? DatabaseError else {
            self.init(file: file, reason: "cannot be used (\(error))", remedy: "Check the file")
            return
        }
        let detail = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(
                file: file, reason: "cannot grow: the disk is full",
                remedy: "Free some space; the gateway then resumes by itself")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                file: file, reason: "is in use by another process",
                remedy: "Stop that process, or set sqlite.file to another file")
        case .SQLITE_NOTADB:
            self.init(
                file: file, reason: "is not a SQLite file, or its header is damaged",
                remedy: "Restore a copy of the journal, or remove it to start empty")
        case .SQLITE_CORRUPT: self.init(damaged: file, detail)
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
            self.init(
                file: file, reason: "cannot be opened for writing (\(detail))",
                remedy:
                    "Its folder must exist, and this user must be able to write both; set sqlite.file to another path if needed"
            )
        default:
            self.init(
                file: file, reason: "cannot be written or read (\(detail))",
                remedy: "Check the disk and its limits; the gateway resumes by itself when it can write the file")
        }
    }

    /// The open file is no longer the one that the next start would open.
    init(removed file: String) {
        self.init(
            file: file, reason: "was removed or replaced while it was in use",
            remedy:
                "Restore the same file (with mv, not a copy), or save GET /api/v1/state, restart, and restore it with PUT"
        )
    }

    init(damaged file: String, _ detail: String) {
        self.init(
            file: file, reason: "is damaged (\(detail))",
            remedy: "Restore a copy of the file, or remove it to start empty")
    }
}
