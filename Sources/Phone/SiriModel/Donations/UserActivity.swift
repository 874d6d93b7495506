package import DeviceModel
package import Fields
package import JSON
package import Time

/// An `NSUserActivity` that became current, which donates it.
package struct UserActivity: FieldDescribed, Hashable {
    package static let className = "NSUserActivity"

    package var activityType = ""
    package var title: String?
    package var userInfo = JSONValue.object([:])
    package var requiredUserInfoKeys: [String] = []
    package var webpageURL: String?
    package var persistentIdentifier: String?
    package var isEligibleForSearch = false
    package var isEligibleForPrediction = false
    package var isEligibleForHandoff = true
    package var suggestedInvocationPhrase: String?
    package var keywords: [String] = []
    package var expirationDate: Instant?

    package init() {}

    /// Stored like an intent; its persistent identifier deletes it.
    package func donation(named fallback: @autoclosure () -> String) -> Donation {
        let json: JSONValue = ["class": .string(Self.className)]
        return Donation(identifier: persistentIdentifier ?? fallback(), intent: json.adding(self.json))
    }

    package static let fields: [Field<UserActivity>] = [
        Field("activityType", \.activityType, .name, "As in NSUserActivityTypes.").required,
        Field("title", \.title, .optional(.text), "The text of its suggestion."),
        Field("userInfo", \.userInfo, .anyObject, "The app's state."),
        Field(
            "requiredUserInfoKeys", \.requiredUserInfoKeys, .list(.name),
            "The members of userInfo that distinguish activities."),
        Field("webpageURL", \.webpageURL, .optional(.text), "The page with the same content."),
        Field("persistentIdentifier", \.persistentIdentifier, .optional(.name), "Deletes it."),
        Field("isEligibleForSearch", \.isEligibleForSearch, .flag, "Predictions need it, too."),
        Field("isEligibleForPrediction", \.isEligibleForPrediction, .flag, "Whether Siri may suggest it."),
        Field("isEligibleForHandoff", \.isEligibleForHandoff, .flag, "Whether another device may continue it."),
        Field(
            "suggestedInvocationPhrase", \.suggestedInvocationPhrase, .optional(.text), "The phrase for Siri."),
        Field("keywords", \.keywords, .list(.text), "For search."),
        Field("expirationDate", \.expirationDate, .optional(.instant), "When it expires."),
    ]
}
