package import APNs
package import JSON

/// An entry of a device's event log.
package struct DeviceEvent: Sendable, Hashable {
    /// Counts from 1 on each device.
    package var number: UInt64
    package var at: Instant
    package var kind: Kind
    package var notification: UInt64?
    package var app: String?
    /// For example, a sound's `name`.
    package var details: JSONObject = [:]

    package enum Kind: String, CaseIterable, Codable, Sendable {
        // A push during delivery.
        case received, stored, discarded, nseStarted, nseFinished, suppressed, contentDelivered
        // What the person notices.
        case badge, willPresent, silencedByFocus, deferredToSummary, banner, lockScreen, notificationCenter, screenLit
        case sound, haptic, announced, carPlay, prompt
        // After delivery.
        case replaced, removed, summaryDelivered, released, response
        // Pushes that are not notifications.
        case backgroundPush, call, complication, fileProvider, locationQuery, mdm, pushToTalk, widgets, controls
        case liveActivity
        case appLaunch, focusStarted, focusEnded, conditionsChanged, settingsChanged, appChanged, act, diagnostic
        case donation, suggestion, calendarEvent
    }
}
