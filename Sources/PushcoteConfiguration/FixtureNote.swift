package import DeviceModel
internal import DeviceSimulator

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What the files said about apps and devices, so that only what they say anew is done.
package struct FixtureNote: Sendable, Codable {
    /// A device as its file has it.
    package struct Device: Sendable, Codable {
        package var conditions: DeviceConditions
        package var settings: [String: NotificationSettings]
    }

    package var apps: [App]
    package var devices: [String: Device]

    /// What fixtures say.
    package init(_ fixtures: Fixtures) {
        apps = fixtures.apps
        devices = Dictionary(
            fixtures.devices.map { ($0.name, Device(conditions: $0.conditions, settings: $0.settings)) },
            uniquingKeysWith: { $1 })
    }
}

extension DeviceSimulator {
    private static let fixturesName = "fixtures"

    /// What the files said when the journal was last used; nil for a new journal.
    package var fixtures: FixtureNote? {
        metadata(Self.fixturesName).flatMap { try? JSONDecoder().decode(FixtureNote.self, from: Data($0.utf8)) }
    }

    /// Keeps what the files say for the next start.
    package func noteFixtures(_ fixtures: Fixtures) {
        let encoder = JSONEncoder()
        // In one order, so that the same fixtures are the same text.
        encoder.outputFormatting = .sortedKeys
        guard let text = try? encoder.encode(FixtureNote(fixtures)) else { return }
        setMetadata(String(decoding: text, as: UTF8.self), for: Self.fixturesName)
    }
}
