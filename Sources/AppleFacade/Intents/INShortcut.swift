package import ExtensionWire
public import Foundation

open class INShortcut: NSObject, StoredAsJSON {
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
}

public enum INRelevantShortcutRole: Int, Sendable, CaseIterable { case action, information }

open class INRelevantShortcut: NSObject, StoredAsJSON {
    public let shortcut: INShortcut
    open var relevanceProviders: [INRelevanceProvider] = []
    open var widgetKind: String?
    open var shortcutRole = INRelevantShortcutRole.action

    public init(shortcut: INShortcut) { self.shortcut = shortcut }
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

open class INDailyRoutineRelevanceProvider: INRelevanceProvider {
    public enum Situation: Int, Sendable, CaseIterable {
        case morning, evening, home, work, school, gym, commute, headphonesConnected, activeWorkout
        case physicalActivityIncomplete
    }

    public let situation: Situation

    public init(situation: Situation) { self.situation = situation }
}

open class INRelevantShortcutStore: NSObject {
    // `nonisolated(unsafe)`: immutable and without state.
    private nonisolated(unsafe) static let shared = INRelevantShortcutStore()

    open class var `default`: INRelevantShortcutStore { shared }

    @preconcurrency
    open func setRelevantShortcuts(
        _ shortcuts: [INRelevantShortcut], completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        HostConnection.shared.call("setRelevantShortcuts", ["shortcuts": .array(shortcuts.map(\.json))]) { _ in
            completionHandler?(nil)
        }
    }
}

open class NSUserActivity: NSObject, StoredAsJSON {
    public let activityType: String
    open var title: String?
    open var userInfo: [AnyHashable: Any]?
    open var requiredUserInfoKeys: Set<String>?
    open var webpageURL: URL?
    open var persistentIdentifier: String?
    open var isEligibleForHandoff = true
    open var isEligibleForSearch = false
    open var isEligibleForPrediction = false
    open var isEligibleForPublicIndexing = false
    open var suggestedInvocationPhrase: String?
    open var keywords: Set<String> = []
    open var expirationDate: Date?
    open var needsSave = false

    public init(activityType: String) { self.activityType = activityType }

    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        userInfo = (userInfo ?? [:]).merging(otherDictionary) { _, new in new }
    }

    /// Does nothing; on iOS, donates the activity.
    open func becomeCurrent() {}
    open func resignCurrent() {}
    open func invalidate() {}

    package var json: WireValue {
        let names = [
            "activityType", "title", "userInfo", "requiredUserInfoKeys", "webpageURL", "persistentIdentifier",
            "suggestedInvocationPhrase",
        ]
        return .object(storedMembers().withoutNulls.filter { names.contains($0.key) })
    }
}
