package import ExtensionWire
public import Foundation
internal import UserNotifications

/// As the Swift overlay of Intents has it.
public enum INShortcut: StoredAsJSON {
    case intent(INIntent)
    case userActivity(NSUserActivity)

    public init?(intent: INIntent) { self = .intent(intent) }

    public init(userActivity: NSUserActivity) { self = .userActivity(userActivity) }

    public var intent: INIntent? { if case .intent(let intent) = self { intent } else { nil } }

    public var userActivity: NSUserActivity? { if case .userActivity(let activity) = self { activity } else { nil } }

    /// The intent's JSON; an activity gets a class.
    package var json: WireValue {
        switch self {
        case .intent(let intent): intent.json
        case .userActivity(let activity): .object(activity.members(["class": .string("NSUserActivity")]))
        }
    }
}

public enum INRelevantShortcutRole: Int, Sendable, CaseIterable { case action, information }

/// How a shortcut looks on the watch.
open class INDefaultCardTemplate: NSObject {
    open var title: String
    open var subtitle: String?
    open var image: INImage?

    public init(title: String) { self.title = title }
}

open class INRelevantShortcut: NSObject, StoredAsJSON {
    public let shortcut: INShortcut
    open var relevanceProviders: [INRelevanceProvider] = []
    open var watchTemplate: INDefaultCardTemplate?
    open var widgetKind: String?
    open var shortcutRole = INRelevantShortcutRole.action

    public init(shortcut: INShortcut) { self.shortcut = shortcut }

    package var json: WireValue {
        .object([
            "intent": shortcut.json, "title": WireValue(watchTemplate?.title), "widgetKind": WireValue(widgetKind),
            "providers": .array(relevanceProviders.map(\.json)), "role": .string("\(shortcutRole)"),
        ])
    }
}

open class INRelevanceProvider: INValue {}

open class INDateRelevanceProvider: INRelevanceProvider {
    public let startDate: Date
    public let endDate: Date?

    public init(start startDate: Date, end endDate: Date?) {
        self.startDate = startDate
        self.endDate = endDate
    }

    package override var json: WireValue { .object(["start": WireValue(startDate), "end": WireValue(endDate)]) }
}

open class INLocationRelevanceProvider: INRelevanceProvider {
    public let region: CLRegion

    public init(region: CLRegion) { self.region = region }
}

open class INDailyRoutineRelevanceProvider: INRelevanceProvider {
    public enum Situation: Int, Sendable, CaseIterable {
        case morning, evening, home, work, school, gym, commute, headphonesConnected, activeWorkout
        case physicalActivityIncomplete
    }

    public let situation: Situation

    public init(situation: Situation) { self.situation = situation }
}

extension CLRegion: StoredAsJSON {}

open class INRelevantShortcutStore: NSObject {
    // `nonisolated(unsafe)`: immutable and without state.
    private nonisolated(unsafe) static let shared = INRelevantShortcutStore()

    open class var `default`: INRelevantShortcutStore { shared }

    /// Replaces those that the app has set before.
    @preconcurrency
    open func setRelevantShortcuts(
        _ shortcuts: [INRelevantShortcut], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        HostConnection.shared.call("setRelevantShortcuts", ["shortcuts": .array(shortcuts.map(\.json))]) { reply in
            completionHandler?(reply.error.map { INIntentError(.interactionOperationNotSupported, $0) })
        }
    }
}
