import DeviceModel
import Testing

/// Decision table B.3: the timing of an alert by kind of notification and active modes.
@Suite("B.3 decision table") struct MatrixTests {
    enum Cell: Sendable {
        /// Alerts at once.
        case now
        /// In the lists at once, without light or sound.
        case list
        /// In Notification Center at once, the alert withheld.
        case held
        /// Waits for the summary.
        case summary
        /// Impossible combination.
        case none
    }

    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let level: InterruptionLevel
        let isCommunication: Bool
        let cells: [Cell]
        var testDescription: String { name }

        init(_ name: String, _ level: InterruptionLevel, communication: Bool = false, _ cells: Cell...) {
            (self.name, self.level, isCommunication, self.cells) = (name, level, communication, cells)
        }
    }

    /// The columns.
    static let columns: [(name: String, edits: [Scene.Edit])] = [
        ("no Focus, no summary", []),
        ("summary", [Scene.summary]),
        ("Focus, nothing allowed", [Scene.work()]),
        ("Focus, app allowed", [Scene.work { $0.apps.ids = ["com.example.app"] }]),
        ("Focus, sender allowed", [Scene.work { $0.people.ids = ["contact:C1"] }]),
        ("Focus, Time Sensitive allowed", [Scene.work { $0.allowsTimeSensitive = true }]),
        ("Focus, nothing allowed, and summary", [Scene.work(), Scene.summary]),
    ]

    // The last row is not in B.3; it follows from B.1.8.
    static let kinds: [Kind] = [
        .init("S0-16 passive", .passive, .list, .summary, .held, .list, .none, .held, .summary),
        .init("S0-17 active", .active, .now, .summary, .held, .now, .none, .held, .summary),
        .init("S3-6 active message", .active, communication: true, .now, .now, .held, .now, .now, .held, .held),
        .init("S0-18 Time Sensitive", .timeSensitive, .now, .now, .held, .now, .none, .now, .held),
        .init(
            "S0-18 Time Sensitive message", .timeSensitive, communication: true, .now, .now, .held, .now, .now, .now,
            .held),
        .init("S0-19 critical", .critical, .now, .now, .now, .now, .now, .now, .now),
        .init("passive message", .passive, communication: true, .list, .list, .held, .list, .list, .held, .held),
    ]

    @Test("S0-7 S3-8 each kind of notification in each Focus", arguments: kinds) func kind(_ kind: Kind) {
        for (column, cell) in zip(Self.columns, kind.cells) where cell != .none {
            let edits = [Scene.level(kind.level)] + (kind.isCommunication ? [Scene.message] : []) + column.edits
            #expect(Self.cell(Scene(edits).outcome) == cell, "\(column.name)")
        }
    }

    @Test("S0-19 S3-8 critical sounds in every column, whatever the ring switch says") func criticalSounds() {
        for column in Self.columns {
            let scene = Scene([Scene.level(.critical), Scene.silentSwitch] + column.edits)
            #expect(scene.outcome.presentation.contains([.sound, .criticalSound]), "\(column.name)")
        }
    }

    /// nil if no cell matches.
    private static func cell(_ outcome: InterruptionOutcome) -> Cell? {
        let felt = outcome.presentation.intersection([.lockScreen, .notificationCenter, .screenLit, .sound, .haptic])
        return switch (outcome.timing, felt) {
        case (.now, .lockedAlert): .now
        case (.now, [.lockScreen, .notificationCenter]): .list
        case (.silencedByFocus, .notificationCenter): .held
        case (.deferredToSummary, []): .summary
        default: nil
        }
    }
}
