internal import ExtensionWire
public import Foundation

/// The app's notifications; each call is a request to the host.
open class UNUserNotificationCenter: NSObject {
    // `nonisolated(unsafe)`: a lock protects its state except `delegate`, which nothing reads.
    private nonisolated(unsafe) static let shared = UNUserNotificationCenter()

    private override init() {}

    open class func current() -> UNUserNotificationCenter { shared }

    open weak var delegate: (any UNUserNotificationCenterDelegate)?

    open var supportsContentExtensions: Bool { true }

    private var host: HostConnection { .shared }

    /// Removes notifications from Notification Center; ignores unknown identifiers.
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        host.call("removeDelivered", ["identifiers": .words(identifiers)])
    }

    open func removeAllDeliveredNotifications() { host.call("removeAllDelivered") }

    /// Removes requests not yet shown; ignores unknown identifiers.
    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        host.call("removePending", ["identifiers": .words(identifiers)])
    }

    open func removeAllPendingNotificationRequests() { host.call("removeAllPending") }

    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        let sorted = categories.sorted { $0.identifier < $1.identifier }
        host.call("setCategories", ["categories": .array(sorted.map(\.json))])
    }
}

// Each method has a form with a completion handler, called on its own thread, and an `async` form.
extension UNUserNotificationCenter {
    /// Shows a notification immediately or on its trigger; replaces a pending request with the same identifier.
    @preconcurrency
    public func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        host.call("add", ["request": request.json]) { completionHandler?($0.failure) }
    }

    public func add(_ request: UNNotificationRequest) async throws {
        try await host.reply(to: "add", ["request": request.json]).check()
    }

    @preconcurrency
    public func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
        host.call("deliveredNotifications") { completionHandler($0.notifications) }
    }

    public func deliveredNotifications() async -> sending [UNNotification] {
        await host.reply(to: "deliveredNotifications").notifications
    }

    @preconcurrency
    public func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        host.call("pendingRequests") { completionHandler($0.requests) }
    }

    public func pendingNotificationRequests() async -> sending [UNNotificationRequest] {
        await host.reply(to: "pendingRequests").requests
    }

    @preconcurrency
    public func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
        let json = host.surroundings.settings
        DispatchQueue.global().async { completionHandler(UNNotificationSettings(json: json)) }
    }

    public func notificationSettings() async -> sending UNNotificationSettings {
        UNNotificationSettings(json: host.surroundings.settings)
    }

    @preconcurrency
    public func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        host.call("categories") { completionHandler($0.categories) }
    }

    public func notificationCategories() async -> sending Set<UNNotificationCategory> {
        await host.reply(to: "categories").categories
    }

    /// Sets the number on the icon; 0 removes it, a negative number throws `UNError` 1600.
    @preconcurrency
    public func setBadgeCount(
        _ count: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        guard count >= 0 else {
            DispatchQueue.global().async { completionHandler?(UNError(.badgeInputInvalid)) }
            return
        }
        host.call("setBadgeCount", ["count": .integer(count)]) { completionHandler?($0.failure) }
    }

    public func setBadgeCount(_ count: Int) async throws {
        guard count >= 0 else { throw UNError(.badgeInputInvalid) }
        try await host.reply(to: "setBadgeCount", ["count": .integer(count)]).check()
    }

    /// Reports whether the app is authorized; an extension cannot ask the person.
    @preconcurrency
    public func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let isAuthorized = isAuthorized
        DispatchQueue.global().async { completionHandler(isAuthorized, nil) }
    }

    public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { isAuthorized }

    private var isAuthorized: Bool {
        switch UNNotificationSettings(json: host.surroundings.settings).authorizationStatus {
        case .authorized, .provisional, .ephemeral: true
        case .notDetermined, .denied: false
        }
    }
}

extension HostConnection.Reply {
    /// The host's message names a code such as `UNError 1401`, if iOS has one.
    fileprivate var failure: UNError? {
        error.map { message in
            let named = UNError.Code.allCases.first { message.hasPrefix("UNError \($0.rawValue),") }
            return UNError(named ?? .notificationsNotAllowed, message)
        }
    }

    fileprivate func check() throws { if let failure { throw failure } }

    fileprivate var notifications: [UNNotification] { elements.map { UNNotification(json: $0) } }

    fileprivate var requests: [UNNotificationRequest] { elements.map { UNNotificationRequest(json: $0) } }

    fileprivate var categories: Set<UNNotificationCategory> { Set(elements.map { UNNotificationCategory(json: $0) }) }

    private var elements: [WireValue] { result.elements ?? [] }
}

/// Never called in an extension.
@preconcurrency
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
    func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

// Optional methods in Objective-C.
extension UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) { completionHandler([]) }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) { completionHandler() }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {}
}
