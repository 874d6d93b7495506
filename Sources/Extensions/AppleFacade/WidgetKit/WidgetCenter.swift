internal import ExtensionWire

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
        HostConnection.shared.send("log", ["level": .string("info"), "message": .string(text)])
    }
}

public struct WidgetInfo: Sendable {
    public let kind: String
}
