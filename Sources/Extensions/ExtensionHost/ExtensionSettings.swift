package struct ExtensionSettings: Sendable, Hashable {
    /// From launch to the call of `didReceive`, on the gateway's clock (C.2).
    package var startupLimit = Duration.seconds(10)
    /// From launch or request to `serviceExtensionTimeWillExpire`, on the gateway's clock (C.2).
    package var expireAfter = Duration.seconds(29)
    /// The end of the time limit. The interval from `expireAfter` passes in real time.
    package var killAfter = Duration.seconds(30)
    /// Lifetime of a process without requests, in real time (C.5).
    package var idle = Duration.seconds(30)
    /// Memory growth since the process was ready, in bytes (C.5: 24 MB).
    package var memoryLimitByteCount = 24 << 20
    /// Kills a process above `memoryLimitByteCount` instead of only reporting a finding.
    package var enforcesMemoryLimit = false
    /// Further apps wait for a process to end.
    package var maximumProcesses = 64
    /// The parent of apps' working folders; created if missing.
    package var folder: String
    /// The longest line or HTTP body read from an extension, in bytes.
    package var maximumMessageByteCount = 16 << 20
    /// Messages that wait until the process reads them, in bytes; above it the process is killed.
    package var unreadByteCount = 16 << 20
    /// Calls of the notification center per request; above it the process is killed. A device has 64 pending requests.
    package var centerCallCount = 1000
    /// Output outside the protocol to retain, in bytes.
    package var keptOutputByteCount = 8 << 10
    /// Log lines to retain per run.
    package var keptLogLines = 200
    /// CPU time per request; SIGXCPU ends the process above it (`RLIMIT_CPU`).
    package var processorSeconds = 60
    /// The largest file to write, in bytes; SIGXFSZ ends the process (`RLIMIT_FSIZE`). Attachments have at most 50 MB.
    package var fileByteCount = 256 << 20
    /// `RLIMIT_NOFILE`.
    package var descriptorCount = 256

    package init(folder: String) { self.folder = folder }

    /// Output to read for one request, in bytes; above it the process is killed.
    var receivedByteCount: Int { 4 * maximumMessageByteCount }

    /// Real time after `serviceExtensionTimeWillExpire`.
    var lastChance: Duration { max(.zero, killAfter - expireAfter) }
}
