/// How service extensions are run, and their limits.
package struct ExtensionSettings: Sendable, Hashable {
    /// How long after its launch `didReceive` must be entered, on the gateway's clock (C.2).
    package var startupLimit = Duration.seconds(10)
    /// How long after its launch, or the request, `serviceExtensionTimeWillExpire` is called; on the gateway's clock (C.2).
    package var expireAfter = Duration.seconds(29)
    /// When its time is over; the last chance between `expireAfter` and this passes in real time.
    package var killAfter = Duration.seconds(30)
    /// How long a process without requests is kept, in real time (C.5).
    package var idle = Duration.seconds(30)
    /// What a process may add to the memory that it had when it was ready, in bytes (C.5: 24 MB).
    package var memoryLimitByteCount = 24 << 20
    /// Whether a process above `memoryLimitByteCount` is killed; otherwise there is only a finding.
    package var enforcesMemoryLimit = false
    /// Further apps wait for a process to end.
    package var maximumProcesses = 64
    /// Where the apps' working folders are; created when needed.
    package var folder: String
    /// The longest line or HTTP body that is read of an extension, in bytes.
    package var maximumMessageByteCount = 16 << 20
    /// How much of its output beside the protocol is retained, in bytes.
    package var keptOutputByteCount = 8 << 10
    /// How many lines of a run's log are retained.
    package var keptLogLines = 200
    /// The processor time for a request; above it, SIGXCPU ends the process (`RLIMIT_CPU`).
    package var processorSeconds = 60
    /// The largest file that it may write, in bytes; SIGXFSZ ends it (`RLIMIT_FSIZE`). Attachments have at most 50 MB.
    package var fileByteCount = 256 << 20
    /// `RLIMIT_NOFILE`.
    package var descriptorCount = 256

    package init(folder: String) { self.folder = folder }

    /// How long an extension has, in real time, once `serviceExtensionTimeWillExpire` was called.
    var lastChance: Duration { max(.zero, killAfter - expireAfter) }
}
