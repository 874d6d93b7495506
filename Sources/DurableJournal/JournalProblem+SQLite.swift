internal import DeviceSimulator
internal import GRDB

extension JournalProblem {
    /// What an error of SQLite means for the journal in a file.
    init(_ error: any Error, file: String) {
        if let problem = error as? JournalProblem {
            self = problem
            return
        }
        if let mismatch = error as? JournalSchema.Mismatch {
            self = JournalProblem(mismatch, file: file)
            return
        }
        guard let error = error as? DatabaseError else {
            self.init(.unreadable, file: file, reason: "cannot be used (\(error))", remedy: "Check the file")
            return
        }
        let said = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(
                .full, file: file, reason: "cannot grow: the disk is full",
                remedy: "Make room on it; the gateway goes on by itself then")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .locked, file: file, reason: "is in use by another process",
                remedy: "Stop that one, or set sqlite.file to a file of this gateway's own")
        case .SQLITE_NOTADB:
            self.init(
                .damaged, file: file, reason: "is no SQLite file, or its beginning is damaged",
                remedy: "Put a copy of the journal in its place, or remove it to start with nothing")
        case .SQLITE_CORRUPT:
            self.init(damaged: file, said)
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
            self.init(
                .unreadable, file: file, reason: "cannot be opened for writing (\(said))",
                remedy: "Its folder must exist, and this user must be allowed to write both; sqlite.file names it")
        default:
            self.init(
                .unreadable, file: file, reason: "cannot be written or read (\(said))",
                remedy: "Check the disk and its limits; the gateway goes on by itself when it can be written")
        }
    }

    private init(_ mismatch: JournalSchema.Mismatch, file: String) {
        switch mismatch {
        case .foreign:
            self.init(
                .unreadable, file: file, reason: "is the database of another program",
                remedy: "Set sqlite.file to a file that does not exist yet")
        case .version(let version):
            self.init(
                .unreadable, file: file, reason: "is a journal of version \(version), which this release does not read",
                remedy: "Use the release that wrote it, or set sqlite.file to another file")
        }
    }

    /// What is written goes to a file that nobody can open again.
    init(removed file: String) {
        self.init(
            .removed, file: file, reason: "was removed or replaced while it was in use",
            remedy: "Put the same file back (mv, no copy), or save GET /api/v1/state, restart, and load it by PUT")
    }

    /// What is in the file is not what was written.
    init(damaged file: String, _ said: String) {
        self.init(
            .damaged, file: file, reason: "is damaged (\(said))",
            remedy: "Put a copy of the file in its place, or remove it to start with nothing")
    }
}
