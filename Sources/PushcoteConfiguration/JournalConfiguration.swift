internal import APNs
package import Credentials
package import DeviceSimulator
internal import DurableJournal

/// `journal`: where what happens is kept.
package enum JournalMode: String, CaseIterable, Sendable {
    /// Nowhere: all is gone with the process.
    case memory
    /// In a file, before a push is answered.
    case sqlite
}

/// `sqlite`: the file of the journal.
package struct JournalConfiguration: Sendable, Equatable {
    /// Its path.
    package var file = "pushcote.sqlite"
    /// After how many inputs the state is written whole.
    package var checkpointEvery = 250_000
    /// How many inputs are kept behind that.
    package var kept = 0
    /// How old those may become.
    package var keptFor = Duration.seconds(7 * 86400)
}

extension Configuration {
    /// Opens the journal and puts the simulator in the state that it leads to.
    ///
    /// - Returns: nil when nothing is kept.
    package func openJournal(_ simulator: DeviceSimulator) throws(StartError) -> JournalKeeper? {
        guard journal == .sqlite else { return nil }
        do throws(JournalProblem) {
            let keeper = JournalKeeper(
                simulator, in: try SQLiteJournal(file: sqlite.file),
                settings: JournalSettings(
                    checkpointInterval: sqlite.checkpointEvery,
                    retention: JournalRetention(count: sqlite.kept, age: Int64(sqlite.keptFor / .milliseconds(1)))),
                now: { SystemClock.now().milliseconds })
            try keeper.open()
            return keeper
        } catch {
            throw StartError("sqlite.file: \(error)")
        }
    }
}
