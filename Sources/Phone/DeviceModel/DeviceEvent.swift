package import JSON
package import Time

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

    package init(
        number: UInt64, at: Instant, kind: Kind, notification: UInt64? = nil, app: String? = nil,
        details: JSONObject = [:]
    ) {
        self.number = number
        self.at = at
        self.kind = kind
        self.notification = notification
        self.app = app
        self.details = details
    }

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
        // Tokens that apps send to their back ends.
        case tokenIssued
        // Live Activities and channels.
        case activityPending, activityStarted, activityUpdated, activityStale, activityEnded, activityDismissed
        case activityPushDropped, activityAlert, consentAsked, consentGiven, consentDenied
        case channelSubscribed, channelUnsubscribed
        // Local notifications.
        case localScheduled, localFired, localDropped, localNeverFires
        // What apps do with pushes that are not notifications.
        case backgroundResult, callReported, appKilled, voipWithheld, pttResult, locationReported,
            fileProviderSignalled, mdmReply
        case widgetsReloaded, controlReloaded
        case appLaunch, focusStarted, focusEnded, conditionsChanged, settingsChanged, act, diagnostic
        case donation, suggestion, suggestionEnded, calendarEvent
        // How the delivery of an event to a webhook ended.
        case webhookResult
    }
}

/// An event before the device numbers and dates it.
package struct DeviceEffect: Sendable, Hashable {
    package var kind: DeviceEvent.Kind
    package var notification: UInt64?
    package var app: String?
    package var details: JSONObject
}
