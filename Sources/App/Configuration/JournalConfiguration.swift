internal import APNs
public import DeviceSimulator
internal import DurableJournal

/// `journal` and `sqlite`: where what happens is kept.
public struct JournalConfiguration: Sendable, Equatable {
    /// Where.
    public enum Mode: String, CaseIterable, Sendable {
        /// Nowhere: all is gone with the process.
        case memory
        /// In a file, before a push is answered.
        case sqlite
    }

    /// Where what happens is kept.
    public var mode = Mode.memory
    /// The file of `sqlite`.
    public var file = "pushcote.sqlite"
    /// After how many inputs the state is written whole.
    public var checkpointEvery = 250_000
    /// How many inputs are kept behind that.
    public var kept = 0
    /// How old those may become.
    public var keptFor = Duration.seconds(7 * 86400)

    /// Opens the journal and puts the simulator in the state that it leads to.
    ///
    /// - Returns: nil when nothing is kept.
    func open(_ simulator: DeviceSimulator) throws(StartError) -> JournalKeeper? {
        guard mode == .sqlite else { return nil }
        do throws(JournalProblem) {
            let keeper = JournalKeeper(
                simulator, in: try SQLiteJournal(file: file),
                settings: JournalSettings(
                    checkpointInterval: checkpointEvery,
                    retention: JournalRetention(count: kept, age: Int64(keptFor / .milliseconds(1)))),
                now: { SystemClock.now().milliseconds })
            try keeper.open()
            return keeper
        } catch {
            throw StartError("sqlite.file: \(error)")
        }
    }
}
