import Foundation
import HTTP2Engine
import ProviderServer
import Testing

/// Writes the effect of each attack on its victim to the file `ATTACK_TABLE`, for `docs/reliability.md`.
enum AttackTable {
    private static let path = ProcessInfo.processInfo.environment["ATTACK_TABLE"]

    static func add(
        _ name: String, ends attacks: AttackCounters, baseline: Latency, besieged: Latency, growth: Int
    ) throws {
        guard let path else { return }
        let test = (Test.current?.displayName ?? Test.current?.name ?? "").trimmingCharacters(in: [
            "`", "(", ")", "_", ":",
        ])
        let limits = AttackClass.allCases.filter { attacks[$0] > 0 }.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        let line = """
            | \(name.isEmpty ? test : name) | \(limits) | \(milliseconds(baseline.elapsed)) \
            | \(milliseconds(besieged.elapsed)) | \(milliseconds(baseline.busy)) | \(milliseconds(besieged.busy)) \
            | \(String(format: "%.1f", Double(growth) / 1e6)) |

            """
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(line.utf8))
        try file.close()
    }

    private static func milliseconds(_ duration: Duration) -> String {
        String(format: "%.2f", duration / .milliseconds(1))
    }
}
