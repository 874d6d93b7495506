package import DeviceModel
package import Time

/// The contents of a device's screen that pictures need.
package struct PictureScene: Sendable {
    package var at: Instant
    /// An IANA name.
    package var timeZone: String
    package var locale: String
    package var isPoweredOn = true
    package var isScreenOn = true
    /// Whether it has the Dynamic Island.
    package var hasIsland = false
    /// The active Focus by name.
    package var focus: String?
    /// Newest first, as are the others.
    package var lockScreen: [Stack] = []
    package var notificationCenter: [Stack] = []
    package var banner: Card?
    /// An alert of a Live Activity, on a device without the Dynamic Island; below a notification's banner.
    package var activityBanner: ActivityCard?
    /// On the lock screen and in Notification Center, above everything else; the one on top first.
    package var activities: [ActivityCard] = []
    /// Delivered, and not cleared.
    package var summary: Summary?
    /// The system's prompt, above the notifications.
    package var prompt: Prompt?
    /// An incoming call, which covers the screen.
    package var call: Call?
    /// Who speaks over Push to Talk, in a pill.
    package var speaker: String?
    /// The notification in all other forms.
    package var subject: Card?

    package init(at: Instant, timeZone: String = "UTC", locale: String = "en_US") {
        self.at = at
        self.timeZone = timeZone
        self.locale = locale
    }

    package struct Stack: Sendable {
        package var top: Card
        package var count: Int
        /// The line about the others.
        package var text: String?

        package init(_ top: Card, count: Int = 1, text: String? = nil) {
            self.top = top
            self.count = count
            self.text = text
        }
    }

    /// A notification's texts as displayed.
    package struct Card: Sendable {
        package var notification: UInt64?
        package var app: String
        package var appName: String
        package var at: Instant
        package var title: String
        package var subtitle: String = ""
        package var body: String = ""
        /// The system's, such as "Time Sensitive".
        package var label: String?
        /// Whether the preview is hidden: neither thumbnail nor buttons are drawn.
        package var isHidden = false
        /// nil for the app's icon.
        package var avatar: Avatar?
        package var thumbnail: Thumbnail?
        package var buttons: [NotificationAction] = []
        /// The number on the app's icon.
        package var badge = 0

        package init(app: String, appName: String, at: Instant, title: String) {
            self.app = app
            self.appName = appName
            self.at = at
            self.title = title
        }
    }

    package enum Avatar: Sendable {
        case image(PictureImage)
        case monogram(String)
    }

    package enum Thumbnail: Sendable {
        case image(PictureImage)
        /// A file that cannot be drawn.
        case unknown
    }

    package typealias Call = (name: String, appName: String)
    package typealias Prompt = (text: String, choices: [String])
    package typealias Summary = (count: Int, featured: [Card])
}
