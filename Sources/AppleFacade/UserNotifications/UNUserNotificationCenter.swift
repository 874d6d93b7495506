internal import ExtensionWire
public import Foundation

/// The app's notifications; the host answers.
open class UNUserNotificationCenter: NSObject {
    // `nonisolated(unsafe)`: made once, and all it holds is behind a lock, but for `delegate`, which nothing here reads.
    private nonisolated(unsafe) static let shared = UNUserNotificationCenter()

    private override init() {}

    open class func current() -> UNUserNotificationCenter { shared }

    /// An app's; an extension's is never called.
    open weak var delegate: (any UNUserNotificationCenterDelegate)?

    open var supportsContentExtensions: Bool { true }

    /// Removes notifications from Notification Center; unknown identifiers are ignored.
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        tell("removeDelivered", ["identifiers": .array(identifiers.map { .string($0) })])
    }

    open func removeAllDeliveredNotifications() { tell("removeAllDelivered") }

    /// Removes requests that have not been shown; unknown identifiers are ignored.
    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        tell("removePending", ["identifiers": .array(identifiers.map { .string($0) })])
    }

    open func removeAllPendingNotificationRequests() { tell("removeAllPending") }

    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        tell("setCategories", ["categories": .array(categories.sorted { $0.identifier < $1.identifier }.map(\.json))])
    }

    func tell(_ name: String, _ arguments: [String: WireValue] = [:]) {
        Wire.shared.call(name, arguments) { _ in }
    }

    func ask(_ name: String, _ arguments: [String: WireValue] = [:]) async -> Wire.Reply {
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
        Wire.shared.call("add", ["request": request.json]) { completionHandler?(Self.error($0)) }
    }

    /// Shows a request, now or when its trigger says; one with the same identifier is replaced.
    public func add(_ request: UNNotificationRequest) async throws {
        if let error = Self.error(await ask("add", ["request": request.json])) { throw error }
    }

    @preconcurrency
    public func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
        Wire.shared.call("deliveredNotifications", [:]) { completionHandler(Self.notifications($0)) }
    }

    public func deliveredNotifications() async -> sending [UNNotification] {
        Self.notifications(await ask("deliveredNotifications"))
    }

    @preconcurrency
    public func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        Wire.shared.call("pendingRequests", [:]) { completionHandler(Self.requests($0)) }
    }

    public func pendingNotificationRequests() async -> sending [UNNotificationRequest] {
        Self.requests(await ask("pendingRequests"))
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
        Wire.shared.call("categories", [:]) { completionHandler(Self.categories($0)) }
    }

    public func notificationCategories() async -> sending Set<UNNotificationCategory> {
        Self.categories(await ask("categories"))
    }

    /// Sets the number on the icon; 0 removes it.
    @preconcurrency
    public func setBadgeCount(
        _ count: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        guard count >= 0 else {
            DispatchQueue.global().async { completionHandler?(UNError(.badgeInputInvalid)) }
            return
        }
        Wire.shared.call("setBadgeCount", ["count": .integer(count)]) { completionHandler?(Self.error($0)) }
    }

    /// Sets the number on the icon; 0 removes it.
    /// - Throws: `UNError` 1600 for a negative number.
    public func setBadgeCount(_ count: Int) async throws {
        guard count >= 0 else { throw UNError(.badgeInputInvalid) }
        if let error = Self.error(await ask("setBadgeCount", ["count": .integer(count)])) { throw error }
    }

    /// Whether the app may notify: an extension cannot ask the person, and gets what is so already.
    @preconcurrency
    public func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let isAuthorized = isAuthorized
        DispatchQueue.global().async { completionHandler(isAuthorized, nil) }
    }

    /// Whether the app may notify: an extension cannot ask the person, and gets what is so already.
    public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool { isAuthorized }

    private var isAuthorized: Bool {
        switch UNNotificationSettings(json: Wire.shared.surroundings.settings).authorizationStatus {
        case .authorized, .provisional, .ephemeral: true
        case .notDetermined, .denied: false
        }
    }

    private static func error(_ reply: Wire.Reply) -> UNError? {
        reply.error.map { UNError(.notificationsNotAllowed, $0) }
    }

    private static func notifications(_ reply: Wire.Reply) -> [UNNotification] {
        (reply.result.elements ?? reply.result["notifications"]?.elements ?? []).map { UNNotification(json: $0) }
    }

    private static func categories(_ reply: Wire.Reply) -> Set<UNNotificationCategory> {
        Set((reply.result.elements ?? []).map { UNNotificationCategory(json: $0) })
    }

    private static func requests(_ reply: Wire.Reply) -> [UNNotificationRequest] {
        (reply.result.elements ?? reply.result["requests"]?.elements ?? []).map { UNNotificationRequest(json: $0) }
    }
}

/// What the center tells an app. An extension is never told.
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
