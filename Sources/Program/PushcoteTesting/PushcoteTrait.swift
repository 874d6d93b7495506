public import Testing

/// Starts a gateway for a suite, or for a test outside one, and gives every test its own device.
public struct PushcoteTrait: SuiteTrait, TestTrait, TestScoping {
    let settings: [String]

    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        test.isSuite || testCase != nil ? self : nil
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await withGateway { _ in try await function() } }
        try await withGateway { gateway in
            let name = test.name.filter { $0.isASCII && $0.isLetter }.prefix(40)
            let device = try await gateway.device("\(name)-\(UInt32.random(in: 0...(.max)))")
            try await Scope.$device.withValue(device) { try await function() }
        }
    }

    /// Uses the suite's gateway if it has the same settings.
    private func withGateway(_ body: (Pushcote) async throws -> Void) async throws {
        if let gateway = Scope.gateways[settings] { return try await body(gateway) }
        let gateway = try await Pushcote.start(settings)
        do {
            try await Scope.$gateways.withValue(Scope.gateways.merging([settings: gateway]) { $1 }) {
                try await body(gateway)
            }
        } catch {
            // The test's own error is the one to see.
            try? await gateway.stop()
            throw error
        }
        try await gateway.stop()
    }
}

extension Trait where Self == PushcoteTrait {
    /// A gateway for the suite, and a device for each test: ``phone``.
    public static var pushcote: Self { PushcoteTrait(settings: []) }

    /// A gateway with settings such as `auth.mode=strict`, and a device for each test: ``phone``.
    public static func pushcote(_ settings: String...) -> Self { PushcoteTrait(settings: settings) }
}

/// The gateway and device of the current test.
private enum Scope {
    /// By their settings.
    @TaskLocal static var gateways: [[String]: Pushcote] = [:]
    @TaskLocal static var device: Pushcote.Device?
}

/// The device of the current test.
/// - Throws: `PushcoteError` without the trait `.pushcote`.
public var phone: Pushcote.Device {
    get throws {
        guard let device = Scope.device else {
            throw PushcoteError("This test has no device: add the trait .pushcote to it or to its suite.")
        }
        return device
    }
}

extension Pushcote {
    /// The gateway of the current test.
    /// - Throws: `PushcoteError` without the trait `.pushcote`.
    public static var current: Pushcote { get throws { try phone.pushcote } }
}
