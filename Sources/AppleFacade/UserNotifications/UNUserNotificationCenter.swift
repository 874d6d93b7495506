internal import ExtensionWire
public import Foundation

/// The app's notifications; the host answers.
open class UNUserNotificationCenter: NSObject {
    // `nonisolated(unsafe)`: made once, and all it holds is behind a lock, but for `delegate`, which nothing here reads.
    private nonisolated(unsafe) static let shared = UNUserNotificationCenter()

    private override init() {}

    open class func current() -> UNUserNotificationCenter { shared }

    open weak var delegate: (any UNUserNotificationCenterDelegate)?

    open var supportsContentExtensions: Bool { true }

    /// Removes notifications from Notification Center; unknown identifiers are ignored.
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        tell("removeDelivered", ["identifiers": .words(identifiers)])
    }

    open func removeAllDeliveredNotifications() { tell("removeAllDelivered") }

    /// Removes requests that have not been shown; unknown identifiers are ignored.
    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        tell("removePending", ["identifiers": .words(identifiers)])
    }

    open func removeAllPendingNotificationRequests() { tell("removeAllPending") }

    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        tell("setCategories", ["categories": .array(categories.sorted { $0.identifier < $1.identifier }.map(\.json))])
    }

    private func tell(_ name: String, _ arguments: [String: WireValue] = [:]) {
        Wire.shared.call(name, arguments) { _ in }
    }

    private func ask(_ name: String, _ arguments: [String: WireValue] = [:]) async -> Wire.Reply {
        await withCheckedContinuation { continuation in
            Wire.shared.call(name, arguments) { continuation.resume(returning: $0) }
        }
    }
}

// Each question has Apple's two forms: a completion handler, called on a thread of its own, and `async`.
extension UNUserNotificationCenter {
    /// Shows a request, now or when its trigger says; one with the same identifier is replaced.
    @preconcurrency
    public func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        Wire.shared.call("add", ["request": request.json]) { completionHandler?($0.failure) }
    }

    public func add(_ request: UNNotificationRequest) async throws {
        if let error = await ask("add", ["request": request.json]).failure { throw error }
    }

    @preconcurrency
    public func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
        Wire.shared.call("deliveredNotifications", [:]) { completionHandler($0.notifications) }
    }

    public func deliveredNotifications() async -> sending [UNNotification] {
        await ask("deliveredNotifications").notifications
    }

    @preconcurrency
    public func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        Wire.shared.call("pendingRequests", [:]) { completionHandler($0.requests) }
    }

    public func pendingNotificationRequests() async -> sending [UNNotificationRequest] {
        await ask("pendingRequests").requests
    }

    @preconcurrency
    public func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
        let json = Wire.shared.surroundings.settings
        DispatchQueue.global().async { completionHandler(UNNotificationSettings(json: json)) }
    }

    public func notificationSettings() async -> sending UNNotificationSettings {
        UNNotificationSettings(json: Wire.shared.surroundings.settings)
    }

    @preconcurrency
    public func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        Wire.shared.call("categories", [:]) { completionHandler($0.categories) }
    }

    public func notificationCategories() async -> sending Set<UNNotificationCategory> {
        await ask("categories").categories
    }

    /// Sets the number on the icon; 0 removes it, a negative number is `UNError` 1600.
    @preconcurrency
    public func setBadgeCount(
        _ count: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        guard count >= 0 else {
            DispatchQueue.global().async { completionHandler?(UNError(.badgeInputInvalid)) }
            return
        }
        Wire.shared.call("setBadgeCount", ["count": .integer(count)]) { completionHandler?($0.failure) }
    }

    public func setBadgeCount(_ count: Int) async throws {
        guard count >= 0 else { throw UNError(.badgeInputInvalid) }
        if let error = await ask("setBadgeCount", ["count": .integer(count)]).failure { throw error }
    }

    /// Reports whether the app may notify: an extension cannot ask the person.
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
        switch UNNotificationSettings(json: Wire.shared.surroundings.settings).authorizationStatus {
        case .authorized, .provisional, .ephemeral: true
        case .notDetermined, .denied: false
        }
    }
}

extension Wire.Reply {
    fileprivate var failure: UNError? { error.map { UNError(.notificationsNotAllowed, $0) } }

    fileprivate var notifications: [UNNotification] { elements.map { UNNotification(json: $0) } }

    fileprivate var requests: [UNNotificationRequest] { elements.map { UNNotificationRequest(json: $0) } }

    fileprivate var categories: Set<UNNotificationCategory> { Set(elements.map { UNNotificationCategory(json: $0) }) }

    private var elements: [WireValue] { result.elements ?? [] }
}

/// Called in an app; never in an extension.
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
