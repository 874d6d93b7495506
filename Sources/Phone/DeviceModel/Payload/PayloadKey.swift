/// The keys of `aps`, by their raw values.
///
/// - Source: Apple, "Generating a remote notification", "Starting and updating Live Activities", "Updating widgets".
package enum PayloadKey: String, CaseIterable {
    case alert, badge, sound, category
    case threadID = "thread-id"
    case interruptionLevel = "interruption-level"
    case mutableContent = "mutable-content"
    case contentAvailable = "content-available"
    case relevanceScore = "relevance-score"
    case filterCriteria = "filter-criteria"
    case targetContentID = "target-content-id"
    /// No effect since iOS 15.
    case summaryArgument = "summary-arg"
    /// No effect since iOS 15.
    case summaryArgumentCount = "summary-arg-count"

    /// Keys of Live Activities, widgets, controls and Safari, which are not content.
    static let others: Set<String> = [
        "stale-date", "content-state", "timestamp", "event", "dismissal-date", "attributes-type", "attributes",
        "input-push-token", "input-push-channel", "content-changed", "url-args",
    ]

    /// The key beside `aps` that names the app in an .apns file (`xcrun simctl push`).
    package static let targetBundle = "Simulator Target Bundle"

    package var path: String { "aps.\(rawValue)" }

    init?(_ name: UnsafeRawBufferPointer) {
        switch name {
        case "alert": self = .alert
        case "sound": self = .sound
        case "badge": self = .badge
        case "category": self = .category
        case "thread-id": self = .threadID
        case "mutable-content": self = .mutableContent
        case "interruption-level": self = .interruptionLevel
        case "content-available": self = .contentAvailable
        case "relevance-score": self = .relevanceScore
        case "filter-criteria": self = .filterCriteria
        case "target-content-id": self = .targetContentID
        case "summary-arg": self = .summaryArgument
        case "summary-arg-count": self = .summaryArgumentCount
        default: return nil
        }
    }
}

/// The keys of `aps.alert`, of `sound` and of a Live Activity's texts.
package enum AlertKey: String, CaseIterable {
    case title, subtitle, body
    case titleKey = "title-loc-key"
    case titleArguments = "title-loc-args"
    case subtitleKey = "subtitle-loc-key"
    case subtitleArguments = "subtitle-loc-args"
    case bodyKey = "loc-key"
    case bodyArguments = "loc-args"
    case launchImage = "launch-image"
    /// In a Live Activity.
    case sound
    // No effect on current systems.
    case action
    case actionKey = "action-loc-key"
    case summaryArgument = "summary-arg"
    case summaryArgumentCount = "summary-arg-count"
    // In a sound.
    case name, critical, volume

    static let ofSound: [Self] = [.name, .critical, .volume]

    package var path: String { "aps.alert.\(rawValue)" }

    init?(_ name: UnsafeRawBufferPointer) {
        switch name {
        case "title": self = .title
        case "body": self = .body
        case "subtitle": self = .subtitle
        case "loc-key": self = .bodyKey
        case "loc-args": self = .bodyArguments
        case "title-loc-key": self = .titleKey
        case "title-loc-args": self = .titleArguments
        case "subtitle-loc-key": self = .subtitleKey
        case "subtitle-loc-args": self = .subtitleArguments
        case "launch-image": self = .launchImage
        case "sound": self = .sound
        case "action": self = .action
        case "action-loc-key": self = .actionKey
        case "summary-arg": self = .summaryArgument
        case "summary-arg-count": self = .summaryArgumentCount
        case "name": self = .name
        case "critical": self = .critical
        case "volume": self = .volume
        default: return nil
        }
    }
}

/// Lets a `switch` over bytes match texts without creating a `String`.
@inline(__always)
func ~= (text: StaticString, bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where bytes[index] != text.utf8Start[index] { return false }
    return true
}
