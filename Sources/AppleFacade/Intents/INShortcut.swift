internal import ExtensionWire
public import Foundation

/// Something that Siri can offer: an intent or an activity.
open class INShortcut: NSObject {
    public let intent: INIntent?
    public let userActivity: NSUserActivity?

    public init?(intent: INIntent) {
        self.intent = intent
        userActivity = nil
    }

    public init(userActivity: NSUserActivity) {
        intent = nil
        self.userActivity = userActivity
    }

    var json: WireValue {
        .object(["intent": intent?.json ?? .null, "userActivity": userActivity?.json ?? .null])
    }
}

/// What a relevant shortcut does on a watch.
public enum INRelevantShortcutRole: Int, Sendable, CaseIterable {
    case action = 0
    case information = 1
}

/// A shortcut at the right time or place.
open class INRelevantShortcut: NSObject {
    public let shortcut: INShortcut
    open var relevanceProviders: [INRelevanceProvider] = []
    open var widgetKind: String?
    open var shortcutRole = INRelevantShortcutRole.action

    public init(shortcut: INShortcut) { self.shortcut = shortcut }

    var json: WireValue {
        .object([
            "shortcut": shortcut.json, "relevanceProviders": .array(relevanceProviders.map(\.json)),
            "widgetKind": WireValue(widgetKind), "shortcutRole": .string("\(shortcutRole)"),
        ])
    }
}

open class INRelevanceProvider: NSObject {
    var json: WireValue { .object([:]) }
}

/// Between two dates.
open class INDateRelevanceProvider: INRelevanceProvider {
    public let startDate: Date
    public let endDate: Date?

    public init(start startDate: Date, end endDate: Date?) {
        self.startDate = startDate
        self.endDate = endDate
    }

    override var json: WireValue { .object(["start": WireValue(startDate), "end": WireValue(endDate)]) }
}

/// In a part of the day.
open class INDailyRoutineRelevanceProvider: INRelevanceProvider {
    /// Parts of the day.
    public enum Situation: Int, Sendable, CaseIterable {
        case morning, evening, home, work, school, gym, commute, headphonesConnected, activeWorkout
        case physicalActivityIncomplete
    }

    public let situation: Situation

    public init(situation: Situation) { self.situation = situation }

    override var json: WireValue { .object(["situation": .string("\(situation)")]) }
}

open class INRelevantShortcutStore: NSObject {
    // `nonisolated(unsafe)`: made once, and it holds nothing.
    private nonisolated(unsafe) static let shared = INRelevantShortcutStore()

    open class var `default`: INRelevantShortcutStore { shared }

    /// Replaces all of the app's relevant shortcuts.
    @preconcurrency
    open func setRelevantShortcuts(
        _ shortcuts: [INRelevantShortcut], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        Wire.shared.call("setRelevantShortcuts", ["shortcuts": .array(shortcuts.map(\.json))]) { _ in
            completionHandler?(nil)
        }
    }
}
