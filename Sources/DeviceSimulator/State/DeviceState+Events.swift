internal import APNs
internal import DeviceModel

extension InboxEntry {
    /// The bits of a presentation that are events of their own, in the order in which they are told.
    private static let eventBits: [(Presentation, DeviceEvent.Kind)] = [
        (.banner, .banner), (.lockScreen, .lockScreen), (.notificationCenter, .notificationCenter),
        (.screenLit, .screenLit), (.sound, .sound), (.haptic, .haptic), (.announced, .announced), (.carPlay, .carPlay),
        (.provisionalPrompt, .prompt), (.timeSensitivePrompt, .prompt),
    ]

    private static let eventMask = eventBits.reduce(into: Presentation.badge) { mask, bit in mask.formUnion(bit.0) }

    /// How many events its delivery has.
    var deliveryEventCount: UInt64 {
        guard state == .delivered, kind == .alert else { return kind == .background && state == .delivered ? 2 : 1 }
        var count = 1 + UInt64(presentation.intersection(Self.eventMask).rawValue.nonzeroBitCount)
        if timing?.event != nil { count += 1 }
        if places.contains(.wokeApp) { count += 1 }
        return count
    }

    /// The number of its last event.
    var lastEvent: UInt64 {
        deliveryEvent == 0 ? receivedEvent : deliveryEvent + deliveryEventCount - 1
    }

    /// The kinds of the delivery's events, in order; what comes with each is told by the push.
    var deliveryEvents: [(kind: DeviceEvent.Kind, presentation: Presentation)] {
        switch state {
        case .accepted, .stored: return []
        case .discarded: return [(.discarded, [])]
        case .delivered: break
        }
        var events: [(kind: DeviceEvent.Kind, presentation: Presentation)] = [
            (timing == .notAllowed ? .backgroundPush : kind.event, [])
        ]
        if presentation.contains(.badge) { events.append((.badge, .badge)) }
        if let event = timing?.event { events.append((event, [])) }
        for (bit, kind) in Self.eventBits where presentation.contains(bit) { events.append((kind, bit)) }
        if places.contains(.wokeApp) { events.append((.appLaunch, [])) }
        return events
    }
}

extension Timing {
    /// The event that tells of this timing; nil when what is shown says it.
    fileprivate var event: DeviceEvent.Kind? {
        switch self {
        case .foreground: .willPresent
        case .silencedByFocus: .silencedByFocus
        case .deferredToSummary: .deferredToSummary
        case .now, .quiet, .notAllowed, .nothingToShow: nil
        }
    }
}

extension PushType {
    /// The event that ends a push of this type on the device.
    fileprivate var event: DeviceEvent.Kind {
        switch self {
        case .alert: .contentDelivered
        case .background: .backgroundPush
        case .complication: .complication
        case .controls: .controls
        case .fileprovider: .fileProvider
        case .liveactivity: .liveActivity
        case .location: .locationQuery
        case .mdm: .mdm
        case .pushtotalk: .pushToTalk
        case .voip: .call
        case .widgets: .widgets
        }
    }
}
