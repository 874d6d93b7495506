internal import ExtensionWire

/// The app's widgets: there are none, and what is asked of them is written to the run's log.
public final class WidgetCenter: Sendable {
    public static let shared = WidgetCenter()

    private init() {}

    public func reloadTimelines(ofKind kind: String) { log("WidgetCenter.reloadTimelines(ofKind: \"\(kind)\")") }

    public func reloadAllTimelines() { log("WidgetCenter.reloadAllTimelines()") }

    @preconcurrency
    public func getCurrentConfigurations(_ completion: @escaping @Sendable (Result<[WidgetInfo], any Error>) -> Void) {
        completion(.success([]))
    }

    public func currentConfigurations() async throws -> [WidgetInfo] { [] }

    private func log(_ text: String) {
        Wire.shared.send("log", ["level": .string("info"), "message": .string(text)])
    }
}

/// A widget that the person placed.
public struct WidgetInfo: Sendable {
    public let kind: String
}
