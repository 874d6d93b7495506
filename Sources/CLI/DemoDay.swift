internal import FoundationEssentials
internal import JSON

/// The script of `pushcote demo`.
enum DemoDay {
    struct Step {
        /// Minutes after midnight, UTC.
        var minute: Int
        var story: String
        var action: Action

        var time: String {
            [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        }
    }

    enum Action {
        case call(APICall)
        case push(device: String, topic: String, payload: String)
        case rejected(device: String, topic: String, payload: String)
        case summary(device: String)
    }

    /// Deletes devices first: time in a device's log never goes back, but a second demo starts earlier.
    static let setUp =
        ["anna", "ben", "cleo"].map { APICall(.delete, ["devices", $0]) } + [
            put(
                ["apps", "com.example.mail"],
                #"{"displayName":"Mail","entitlements":["com.apple.developer.usernotifications.time-sensitive"]}"#),
            put(["apps", "com.example.news"], #"{"displayName":"News"}"#),
            APICall(.put, ["apps", "com.example.chat"], body: chat.bytes),
            put(
                ["devices", "anna"],
                """
                {"registrations":[{"topic":"com.example.mail"},{"topic":"com.example.chat"}],
                "focus":{"modes":[{"id":"work","name":"Work"}]}}
                """),
            put(
                ["devices", "ben"],
                """
                {"registrations":[{"topic":"com.example.news"}],"summary":{"isEnabled":true,"times":["18:00"]},
                "apps":{"com.example.news":{"scheduledDelivery":"enabled"}}}
                """),
            put(["devices", "cleo"], #"{"registrations":[{"topic":"com.example.chat"}]}"#),
        ]

    static let steps = [
        Step(
            minute: 485, story: "Anna's iPhone lies locked on the table.",
            action: .push(
                device: "anna", topic: "com.example.mail",
                payload: #"{"aps":{"alert":{"title":"Order Shipped","body":"It arrives today."},"sound":"default"}}"#)),
        Step(
            minute: 540, story: "Anna turns on the Focus Work.",
            action: .call(
                APICall(
                    .post, ["devices", "anna", "actions"],
                    body: Array(#"{"action":"switchFocus","focus":"work"}"#.utf8)))),
        Step(
            minute: 545, story: "A chat message arrives during the Focus.",
            action: .push(
                device: "anna", topic: "com.example.chat",
                payload: #"{"aps":{"alert":{"title":"Ben","body":"Lunch at one?"},"sound":"default"}}"#)),
        Step(
            minute: 570, story: "The courier is at the door: a Time Sensitive push.",
            action: .push(
                device: "anna", topic: "com.example.mail",
                payload: """
                    {"aps":{"alert":{"title":"Courier","body":"Please open the door."},"sound":"default",\
                    "interruption-level":"time-sensitive"}}
                    """)),
        Step(
            minute: 600, story: "A back end makes mistakes: no provider token, and a VoIP push to the app's own topic.",
            action: .rejected(device: "anna", topic: "com.example.mail", payload: #"{"aps":{}}"#)),
        Step(
            minute: 720, story: "Ben reads the news in his scheduled summary.",
            action: .push(
                device: "ben", topic: "com.example.news",
                payload: #"{"aps":{"alert":{"title":"Weather","body":"It will be sunny."}}}"#)),
        Step(
            minute: 840, story: "Cleo's chat is end-to-end encrypted: the app's service extension opens it.",
            action: .push(
                device: "cleo", topic: "com.example.chat",
                payload: """
                    {"aps":{"alert":{"title":"Anna","body":"New message"},"sound":"default","mutable-content":1},\
                    "sealed":"?thgie ta renniD"}
                    """)),
        Step(minute: 1081, story: "Ben's summary is due.", action: .summary(device: "ben")),
    ]

    /// The extension is this program, so the demo needs no compiler or interpreter.
    private static var chat: JSONValue {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "pushcote"
        return [
            "displayName": .string("Chat"),
            "extension": ["kind": .string("process"), "command": .strings([program, "demo-extension"])],
        ]
    }

    private static func put(_ path: [String], _ body: String) -> APICall { APICall(.put, path, body: Array(body.utf8)) }
}
