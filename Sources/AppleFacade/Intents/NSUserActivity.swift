package import ExtensionWire
public import Foundation

/// Something that the person does in an app, to be continued or found again.
open class NSUserActivity: NSObject {
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

    /// Adds to `userInfo`.
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        userInfo = (userInfo ?? [:]).merging(otherDictionary) { _, new in new }
    }

    /// On iOS, donates the activity; an extension has no screen, so nothing happens.
    open func becomeCurrent() {}
    open func resignCurrent() {}
    open func invalidate() {}

    package var json: WireValue {
        var members: [String: WireValue] = ["activityType": .string(activityType)]
        members["title"] = title.map { .string($0) }
        members["userInfo"] = userInfo.map { WireValue(foundationObject: $0) }
        members["requiredUserInfoKeys"] = requiredUserInfoKeys.map { .array($0.sorted().map { .string($0) }) }
        members["webpageURL"] = webpageURL.map { .string($0.absoluteString) }
        members["persistentIdentifier"] = persistentIdentifier.map { .string($0) }
        members["suggestedInvocationPhrase"] = suggestedInvocationPhrase.map { .string($0) }
        return .object(members)
    }
}
