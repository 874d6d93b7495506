import DeviceModel
import Fields

@testable import PushcoteConfiguration

/// The shipped `config.yaml`: every key with its description, unit and default, commented out so that the profile applies.
enum ConfigurationTemplate {
    /// Line width of the descriptions.
    private static let width = 110

    static var text: String {
        var lines = [head] + restart
        var open: [String] = []
        for setting in Setting.all {
            if setting.sections.first != open.first || setting.sections.isEmpty { lines.append("") }
            let sections = setting.sections
            for section in sections where !open.contains(section) {
                lines.append("\(indent(section))\(last(section)):")
            }
            open = sections
            lines += entry(setting)
        }
        return (lines + [tail]).joined(separator: "\n") + "\n"
    }

    private static func entry(_ setting: Setting) -> [String] {
        let indent = indent(setting.name)
        let accepted = setting.accepted + (setting.unit.map { " (\($0))" } ?? "")
        return comment("\(setting.summary) Accepted: \(accepted).", indent: indent) + [
            "\(indent)#\(last(setting.name)): \(setting.value(in: Configuration()).yaml)"
        ]
    }

    /// The settings that SIGHUP does not change.
    private static var restart: [String] {
        ["#"]
            + comment(
                "SIGHUP reloads everything. Changes of these take effect at the next start, and the log reports them: "
                    + Setting.notReloaded.joined(separator: ", ") + ".")
    }

    private static func comment(_ text: String, indent: String = "") -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let line = lines.last, line.count + word.count < width {
                lines[lines.count - 1] = "\(line) \(word)"
            } else {
                lines.append("\(indent)# \(word)")
            }
        }
        return lines
    }

    private static func indent(_ name: String) -> String {
        String(repeating: "  ", count: name.count { $0 == "." })
    }

    private static func last(_ name: String) -> Substring { name.split(separator: ".").last ?? "" }

    private static let head = """
        # Every setting of Pushcote with its default. To change one, remove the "#" before its name.
        #
        # Each setting is also an environment variable (auth.mode is PUSHCOTE_AUTH_MODE, inbox.perDevice is
        # PUSHCOTE_INBOX_PER_DEVICE; separate the elements of a list with commas) and a flag (--set auth.mode=strict).
        # Flags override the environment, the environment overrides this file, this file overrides the profile.
        # `pushcote config` prints the effective values and their origins.
        #
        # Relative paths are relative to this file's folder; in variables and flags, to the working folder.
        """

    private static let tail = """

        # Signing keys to register at start. "file" is a .p8 file, or a PEM file with the public key. Without "environments"
        # a key works in both, without "topics" for all topics of its team.
        keys:
        #- keyId: ABC123DEFG
        #  teamId: DEF123GHIJ
        #  file: AuthKey_ABC123DEFG.p8
        #  environments: [sandbox, production]
        #  topics: [com.example.app]
        #  relatedKeyId: HIJ123KLMN

        # Apps by bundle identifier. Pushes work without a description. The members are those of
        # PUT /api/v1/apps/{bundleId}; "settings" applies on devices whose owner has not changed them.
        apps:
        #  com.example.app:
        #    displayName: Example
        #    team: DEF123GHIJ
        #    entitlements: [com.apple.developer.usernotifications.time-sensitive]
        #    categories:
        #      - identifier: MESSAGE
        #        actions:
        #          - {identifier: REPLY, title: Reply, textInput: {buttonTitle: Send, placeholder: Message}}
        #    localizations: {en: {HELLO: "Hello, %@"}}
        #    settings: {scheduledDelivery: enabled}

        # Devices by name, with their conditions and registrations. Without "token" one is derived from the device's name,
        # topic, environment and kind, so it is the same in every run. "kind" follows from the topic's suffix. "apps" has the
        # notification settings that differ from the app's own.
        devices:
        #  phone:
        #    registrations:
        #      - topic: com.example.app
        #        environment: sandbox
        #        kind: app
        #        token: 00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0
        #    locale: ja_JP
        #    timeZone: Asia/Tokyo
        #    isLocked: true
        #    ringSwitch: ring
        #    contacts:
        #      - {id: C1, name: Hanako, emails: [hanako@example.com]}
        #    focus:
        #      active: work
        #      modes:
        #        - id: work
        #          people: {mode: allow, ids: ["contact:C1"]}
        #          schedule: [{days: weekdays, from: 09:00, to: 18:00}]
        #    summary: {isEnabled: true, times: [08:00, 18:00]}
        #    apps:
        #      com.example.app: {timeSensitive: disabled}

        # Fault rules, as in POST /api/v1/faults, and scenarios (docs/faults.md). The first matching rule fires.
        faults:
        #- name: slow
        #  match: {device: phone, every: 10}
        #  effect: {delay: 2s, jitter: 500ms}
        #- scenario: goaway-and-linger
        """
}

/// `docs/assumptions.md`: the assumptions with their defaults, by confidence. `config.yaml` has their descriptions.
enum AssumptionsPage {
    static var text: String { ([head] + Assumption.Mark.allCases.map(section)).joined(separator: "\n") }

    private static func section(_ mark: Assumption.Mark) -> String {
        let entries = Assumption.all.filter { $0.mark == mark }.map { assumption in
            let value = assumption.field.write(Assumptions()).map { $0.yaml } ?? ""
            return "- `\(assumption.field.name): \(value)`"
        }
        return (["## \(mark.rawValue)", "", "\(mark.meaning):", ""] + entries).joined(separator: "\n") + "\n"
    }

    private static let head = """
        # Assumptions

        Apple documents only part of what a device does with a push. Pushcote fills each gap with an assumption. Each one is a
        setting: the section `assumptions` of [config.yaml](../config.yaml) describes it, with its default and the accepted
        values. To change one, uncomment it there, or use `--set assumptions.focusReplaysAlerts=true` or
        `PUSHCOTE_ASSUMPTIONS_FOCUS_REPLAYS_ALERTS=true`.

        The mark of an assumption, there and in a notification's `trace`, says how well founded its default is.

        """
}

extension Assumption.Mark {
    fileprivate var meaning: String {
        switch self {
        case .doc: "Documented by Apple, at least indirectly"
        case .gk: "General knowledge: devices behave like this, but no document says so"
        case .inferred: "Follows from the documentation, which does not say it explicitly"
        case .design: "Unknown: our choice, made to keep the device predictable"
        }
    }
}
