internal import DeviceModel
internal import DeviceSimulator

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What the files said about apps and devices, so that only what they say anew is done.
public struct FixtureNote: Sendable, Codable {
    /// A device as its file has it.
    public struct Device: Sendable, Codable {
        var conditions: DeviceConditions
        var settings: [String: NotificationSettings]
    }

    var apps: [App]
    var devices: [String: Device]

    /// What fixtures say.
    public init(_ fixtures: Fixtures) {
        apps = fixtures.apps
        devices = Dictionary(
            fixtures.devices.map { ($0.name, Device(conditions: $0.conditions, settings: $0.settings)) },
            uniquingKeysWith: { $1 })
    }
}

extension DeviceSimulator {
    private static let fixturesName = "fixtures"

    /// What the files said when the journal was last used; nil for a new journal.
    var fixtures: FixtureNote? {
        note(Self.fixturesName).flatMap { try? JSONDecoder().decode(FixtureNote.self, from: Data($0.utf8)) }
    }

    /// Keeps what the files say for the next start.
    func noteFixtures(_ fixtures: Fixtures) {
        let encoder = JSONEncoder()
        // In one order, so that the same fixtures are the same text.
        encoder.outputFormatting = .sortedKeys
        guard let text = try? encoder.encode(FixtureNote(fixtures)) else { return }
        note(String(decoding: text, as: UTF8.self), as: Self.fixturesName)
    }
}
