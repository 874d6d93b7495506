internal import DeviceSimulator

/// `config.yaml` as it is delivered: every key with its description, unit and default, and all of them commented out, so
/// that the profile still decides.
package enum ConfigurationTemplate {
    /// The columns that a line of description fills.
    private static let width = 110

    /// The text of `config.yaml`.
    package static var text: String {
        var lines = head + restart
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
        return (lines + tail).joined(separator: "\n") + "\n"
    }

    private static func entry(_ setting: Setting) -> [String] {
        let indent = indent(setting.name)
        let accepted = setting.accepted + (setting.unit.map { " (\($0))" } ?? "")
        return comment("\(setting.summary) Accepted: \(accepted).", indent: indent) + [
            "\(indent)#\(last(setting.name)): \(setting.show(Configuration()).yaml)"
        ]
    }

    /// What SIGHUP leaves as it is.
    private static var restart: [String] {
        ["#"]
            + comment(
                "SIGHUP reads everything again. These hold until the next start, and the log says so when they differ: "
                    + Setting.fixed.joined(separator: ", ") + ".")
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
        # Every setting of Pushcote with its default. A line that begins with "#name:" is a setting that has its default:
        # take the "#" away to change it.
        #
        # Each setting can also be given as an environment variable (auth.mode is PUSHCOTE_AUTH_MODE, inbox.perDevice is
        # PUSHCOTE_INBOX_PER_DEVICE; elements of a list are separated by commas) and as a flag (--set auth.mode=strict).
        # Flags win over the environment, the environment over this file, this file over the profile.
        # `pushcote config` prints what holds, and where each value came from.
        #
        # Relative paths start from the folder of the file they stand in; in variables and flags, from the working folder.
        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)

    private static let tail = """

        # Provider keys that are known from the start. "file" is a .p8 file, or a PEM file with the public key. Without
        # "environments" a key works in both, without "topics" for all of its team's.
        keys:
        #- keyId: ABC123DEFG
        #  teamId: DEF123GHIJ
        #  file: AuthKey_ABC123DEFG.p8
        #  environments: [sandbox, production]
        #  topics: [com.example.app]
        #  relatedKeyId: HIJ123KLMN

        # Apps that devices may have installed, by bundle identifier. An app that is not described works too. The members are
        # those of PUT /api/v1/apps/{bundleId}; "settings" holds on devices where nobody has changed them.
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

        # Devices by name, how their person holds them, and what their apps have registered for. Without "token" one is
        # derived from the device's name, topic, environment and kind: the same in every run. "kind" follows from the topic's
        # suffix. "apps" has the notification settings that differ from the app's own.
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

        # What goes wrong on purpose: rules as POST /api/v1/faults takes them, and scenarios (docs/faults.md). The first that
        # fits fires.
        faults:
        #- name: slow
        #  match: {device: phone, every: 10}
        #  effect: {delay: 2s, jitter: 500ms}
        #- scenario: goaway-and-linger
        """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}
