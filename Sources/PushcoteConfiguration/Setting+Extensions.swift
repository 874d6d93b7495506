internal import ExtensionHost

extension Setting {
    /// How service extensions are run; `docs/service-extension-protocol.md` tells more.
    package static let extensions: [Setting] = [
        Setting(
            "extensions.folder", \.extensions.folder, .path,
            "The folder of service extensions: programs, working folders and app groups."),
        Setting(
            "extensions.startupLimit", \.extensions.startupLimit, .duration,
            "How long a service extension may take until didReceive is called; then it is killed and the original is "
                + "shown."
        ),
        Setting(
            "extensions.expireAfter", \.extensions.expireAfter, .duration,
            "When serviceExtensionTimeWillExpire is called, counted from the launch on the gateway's clock."),
        Setting(
            "extensions.killAfter", \.extensions.killAfter, .duration,
            "When the extension is killed; the time after expireAfter passes in real time."
        ),
        Setting(
            "extensions.idle", \.extensions.idle, .duration,
            "How long an idle process is kept alive for the next push."),
        Setting(
            "extensions.memoryLimitByteCount", \.extensions.memoryLimitByteCount, .number(1...Int.max), unit: "bytes",
            "How much more memory an extension may take than when it was ready; iOS allows 24 MB."),
        Setting(
            "extensions.enforcesMemoryLimit", \.extensions.enforcesMemoryLimit, .bool,
            "Kill an extension above the memory limit. If false, only a finding is recorded, because programs are "
                + "larger here."
        ),
        Setting(
            "extensions.maximumProcesses", \.extensions.maximumProcesses, .number(1...10_000), unit: "processes",
            "How many extensions run at the same time; further ones wait, and their time limit starts at their "
                + "launch."),
        Setting(
            "extensions.maximumMessageByteCount", \.extensions.maximumMessageByteCount, .number(65536...1_073_741_824),
            unit: "bytes", "The longest message accepted from an extension."),
        Setting(
            "extensions.keptOutputByteCount", \.extensions.keptOutputByteCount, .number(0...16_777_216), unit: "bytes",
            "How much output outside the protocol is stored per run."),
        Setting(
            "extensions.keptLogLines", \.extensions.keptLogLines, .number(0...100_000), unit: "lines",
            "How many log lines are stored per run."),
        Setting(
            "extensions.processorSeconds", \.extensions.processorSeconds, .number(1...86_400), unit: "seconds",
            "How much CPU time it may take for a push (RLIMIT_CPU)."),
        Setting(
            "extensions.fileByteCount", \.extensions.fileByteCount, .number(1024...Int.max), unit: "bytes",
            "The largest file it may write (RLIMIT_FSIZE); attachments have at most 50 MB."),
        Setting(
            "extensions.descriptorCount", \.extensions.descriptorCount, .number(16...1_000_000), unit: "descriptors",
            "How many files and sockets it may have open (RLIMIT_NOFILE)."),
    ]
}
