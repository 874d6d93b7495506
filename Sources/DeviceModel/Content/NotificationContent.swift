/// What an app is told of a push: the fields of `UNNotificationContent` and how the payload named them.
///
/// `userInfo` is the payload itself and is not repeated here.
public struct NotificationContent: Sendable, Hashable, Codable {
    /// `alert.title`; empty when absent.
    public var title = ""
    /// `alert.subtitle`; empty when absent.
    public var subtitle = ""
    /// `alert.body`, or `alert` when that is a string; empty when absent.
    public var body = ""
    /// `alert.title-loc-key` and its arguments.
    public var titleLocalization: LocalizedText?
    /// `alert.subtitle-loc-key` and its arguments.
    public var subtitleLocalization: LocalizedText?
    /// `alert.loc-key` and its arguments.
    public var bodyLocalization: LocalizedText?
    /// `alert.launch-image`.
    public var launchImageName: String?
    /// `badge`, 0 or more; 0 clears, nil leaves the badge as it is.
    public var badge: Int?
    /// `sound`; nil is silent.
    public var sound: NotificationSound?
    /// `thread-id`; empty when absent.
    public var threadIdentifier = ""
    /// `category`; empty when absent.
    public var categoryIdentifier = ""
    /// `interruption-level`; active when absent or unknown.
    public var interruptionLevel = InterruptionLevel.active
    /// `relevance-score`; 0 when absent.
    public var relevanceScore = 0.0
    /// `filter-criteria`, matched by a Focus filter.
    public var filterCriteria: String?
    /// `target-content-id`: the window to bring forward.
    public var targetContentIdentifier: String?
    /// `mutable-content`: the service extension may run.
    public var isMutable = false
    /// `content-available`: the app is woken in the background.
    public var isContentAvailable = false

    /// Content without anything in it.
    public init() {}

    /// Whether there is a text to show (a localization key counts).
    public var hasAlert: Bool {
        let isEmpty = title.isEmpty && subtitle.isEmpty && body.isEmpty
        return !isEmpty || titleLocalization != nil || subtitleLocalization != nil || bodyLocalization != nil
    }
}
