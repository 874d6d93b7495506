package import ExtensionWire
public import Foundation

/// On iOS, part of Foundation.
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
    /// The activity that the app is launched with.
    public internal(set) var interaction: INInteraction?

    public init(activityType: String) { self.activityType = activityType }

    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        userInfo = (userInfo ?? [:]).merging(otherDictionary) { _, new in new }
    }

    /// Donates the activity.
    open func becomeCurrent() {
        let eligibility = [
            "isEligibleForSearch": WireValue.bool(isEligibleForSearch),
            "isEligibleForPrediction": .bool(isEligibleForPrediction),
        ]
        HostConnection.shared.call("becomeCurrent", ["userActivity": .object(members(eligibility))])
    }

    open func resignCurrent() {}
    open func invalidate() {}

    @preconcurrency
    open class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [String],
        completionHandler handler: @escaping @Sendable () -> Void
    ) {
        let arguments = ["persistentIdentifiers": WireValue.words(persistentIdentifiers)]
        HostConnection.shared.call("deleteUserActivities", arguments) { _ in handler() }
    }

    @preconcurrency
    open class func deleteAllSavedUserActivities(completionHandler handler: @escaping @Sendable () -> Void) {
        HostConnection.shared.call("deleteAllUserActivities") { _ in handler() }
    }

    package var json: WireValue { .object(members([:])) }

    func members(_ more: [String: WireValue]) -> [String: WireValue] {
        let names = [
            "activityType", "title", "userInfo", "requiredUserInfoKeys", "webpageURL", "persistentIdentifier",
            "suggestedInvocationPhrase",
        ]
        return storedMembers().withoutNulls.filter { names.contains($0.key) }.merging(more) { $1 }
    }
}
