/// How service extensions are run, and what they may take.
package struct ExtensionSettings: Sendable, Hashable {
    /// How long after its launch `didReceive` must be entered, on the gateway's clock (C.2).
    package var startupLimit = Duration.seconds(10)
    /// How long after its launch, or its being asked, `serviceExtensionTimeWillExpire` is called; on the gateway's clock (C.2).
    package var expireAfter = Duration.seconds(29)
    /// When its time is over; what lies between this and `expireAfter` is the last chance, which passes in real time.
    package var killAfter = Duration.seconds(30)
    /// How long a process without requests is kept, in real time (C.5).
    package var idle = Duration.seconds(30)
    /// What a process may add to the memory that it had when it was ready, in bytes (C.5: 24 MB).
    package var memoryLimitByteCount = 24 << 20
    /// Whether a process above `memoryLimitByteCount` is killed; if not, there is only a finding.
    package var enforcesMemoryLimit = false
    /// How many processes there are at the same time; further apps wait for one to end.
    package var maximumProcesses = 64
    /// Where the apps' working folders are.
    package var folder: String
    /// The longest line or HTTP body that is read of an extension, in bytes.
    package var maximumMessageByteCount = 16 << 20
    /// How much of what it wrote beside the protocol is kept, in bytes.
    package var keptOutputByteCount = 8 << 10
    /// How many lines of its log are kept of a run.
    package var keptLogLines = 200
    /// The processor time that it may take for a request, in seconds; SIGXCPU ends it (`RLIMIT_CPU`).
    package var processorSeconds = 60
    /// The largest file that it may write, in bytes; SIGXFSZ ends it (`RLIMIT_FSIZE`). Attachments have at most 50 MB.
    package var fileByteCount = 256 << 20
    /// How many descriptors it may have (`RLIMIT_NOFILE`).
    package var descriptorCount = 256

    /// Makes settings with the defaults.
    ///
    /// - Parameter folder: where the apps' working folders are; it is made when it is needed.
    package init(folder: String) { self.folder = folder }

    /// How long an extension is left alone, in real time, once `serviceExtensionTimeWillExpire` was called.
    var lastChance: Duration { max(.zero, killAfter - expireAfter) }
}
