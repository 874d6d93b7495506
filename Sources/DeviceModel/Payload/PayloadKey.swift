/// The keys of `aps`; the raw values are those of the payload.
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
    /// Without effect since iOS 15.
    case summaryArgument = "summary-arg"
    /// Without effect since iOS 15.
    case summaryArgumentCount = "summary-arg-count"
    // Live Activities, widgets, controls, Safari: keys that are not content.
    case staleDate = "stale-date"
    case contentState = "content-state"
    case timestamp, event
    case dismissalDate = "dismissal-date"
    case attributesType = "attributes-type"
    case attributes
    case inputPushToken = "input-push-token"
    case inputPushChannel = "input-push-channel"
    case contentChanged = "content-changed"
    case urlArguments = "url-args"

    package var path: String { "aps.\(rawValue)" }

    /// Knows a key by its bytes; nil for any other.
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
        case "stale-date": self = .staleDate
        case "content-state": self = .contentState
        case "timestamp": self = .timestamp
        case "event": self = .event
        case "dismissal-date": self = .dismissalDate
        case "attributes-type": self = .attributesType
        case "attributes": self = .attributes
        case "input-push-token": self = .inputPushToken
        case "input-push-channel": self = .inputPushChannel
        case "content-changed": self = .contentChanged
        case "url-args": self = .urlArguments
        default: return nil
        }
    }
}

/// The keys of `aps.alert`, of its `sound` and of a Live Activity's texts.
package enum AlertKey: String, CaseIterable {
    case title, subtitle, body
    case titleKey = "title-loc-key"
    case titleArguments = "title-loc-args"
    case subtitleKey = "subtitle-loc-key"
    case subtitleArguments = "subtitle-loc-args"
    case bodyKey = "loc-key"
    case bodyArguments = "loc-args"
    case launchImage = "launch-image"
    /// Where a Live Activity has it.
    case sound
    // Without effect on any system of today.
    case action
    case actionKey = "action-loc-key"
    case summaryArgument = "summary-arg"
    case summaryArgumentCount = "summary-arg-count"
    // A sound's.
    case name, critical, volume

    /// Where the key stands in a payload, when it is the alert's own.
    package var path: String { "aps.alert.\(rawValue)" }

    /// Knows a key by its bytes; nil for any other.
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

/// Whether bytes are a text: lets a `switch` name keys without making a `String` of any.
@inline(__always)
func ~= (text: StaticString, bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where bytes[index] != text.utf8Start[index] { return false }
    return true
}
