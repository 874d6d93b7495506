/// How strongly a notification asks for attention; the words are those of `aps.interruption-level`.
package enum InterruptionLevel: String, CaseIterable, Codable, Sendable {
    case passive, active
    case timeSensitive = "time-sensitive"
    case critical
}
