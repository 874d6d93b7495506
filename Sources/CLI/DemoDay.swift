internal import DeviceModel
internal import FoundationEssentials
internal import JSON

/// The script of `pushcote demo`.
enum DemoDay {
    struct Step {
        /// Minutes after midnight, UTC.
        var minute: Int
        var story: String
        var action: Action

        var time: String { WallTime(hour: minute / 60, minute: minute % 60).text }
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
                {"registrations":[{"topic":"com.example.mail"},{"topic":"com.example.chat"},{"topic":"com.example.news"}],
                "focus":{"modes":[{"id":"work","name":"Work"}]},
                "summary":{"isEnabled":true,"times":["08:00","18:00"]},
                "apps":{"com.example.news":{"scheduledDelivery":"enabled"}}}
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
            minute: 390, story: "Anna reads the news in her scheduled summaries, at 08:00 and 18:00.",
            action: .push(
                device: "anna", topic: "com.example.news",
                payload: #"{"aps":{"alert":{"title":"Morning Edition","body":"Frost until noon, and trams on time."}}}"#
            )),
        Step(
            minute: 485, story: "Anna's iPhone lies locked on the table.",
            action: .push(
                device: "anna", topic: "com.example.mail",
                payload: #"{"aps":{"alert":{"title":"Order Shipped","body":"It arrives today."},"sound":"default"}}"#)),
        Step(
            minute: 540, story: "Anna turns on the Focus Work.",
            action: .call(focus(#"{"action":"switchFocus","focus":"work"}"#))),
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
        Step(minute: 750, story: "Anna goes underground.", action: .call(anna(#"{"isOnline":false}"#))),
        Step(
            minute: 765, story: "A push waits for her iPhone.",
            action: .push(
                device: "anna", topic: "com.example.chat",
                payload: #"{"aps":{"alert":{"title":"Ben","body":"I am at the north door."},"sound":"default"}}"#)),
        Step(
            minute: 800, story: "Anna is online again; the push arrives, and the Focus silences it.",
            action: .call(anna(#"{"isOnline":true}"#))),
        Step(
            minute: 840, story: "Cleo's chat is end-to-end encrypted: the app's service extension opens it.",
            action: .push(
                device: "cleo", topic: "com.example.chat",
                payload: """
                    {"aps":{"alert":{"title":"Anna","body":"New message"},"sound":"default","mutable-content":1},\
                    "sealed":"?thgie ta renniD"}
                    """)),
        Step(
            minute: 900, story: "The evening's news is early.",
            action: .push(
                device: "anna", topic: "com.example.news",
                payload: #"{"aps":{"alert":{"title":"Evening Edition","body":"The old bridge opens again."}}}"#)),
        Step(
            minute: 1020, story: "Anna's work is done: what the Focus silenced is now on her lock screen.",
            action: .call(focus(#"{"action":"switchFocus"}"#))),
        Step(minute: 1081, story: "Ben's summary is due.", action: .summary(device: "ben")),
        Step(
            minute: 1160, story: "The evening begins.",
            action: .push(
                device: "anna", topic: "com.example.mail",
                payload: """
                    {"aps":{"alert":{"title":"Harbour Grill","body":"Your table for two at 20:30 is confirmed."},\
                    "sound":"default"}}
                    """)),
        Step(
            minute: 1210, story: "Anna's chat is encrypted, too.",
            action: .push(
                device: "anna", topic: "com.example.chat",
                payload: """
                    {"aps":{"alert":{"title":"Ben","body":"New message"},"sound":"default","mutable-content":1},\
                    "sealed":"!setunim eviF .yaw ym nO"}
                    """)),
    ]

    /// The extension is this program, so the demo needs no compiler or interpreter.
    private static var chat: JSONValue {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "pushcote"
        return [
            "displayName": .string("Chat"),
            "extension": ["kind": .string("process"), "command": .strings([program, "demo-extension"])],
        ]
    }

    /// An act of Anna's.
    private static func focus(_ act: String) -> APICall {
        APICall(.post, ["devices", "anna", "actions"], body: Array(act.utf8))
    }

    private static func anna(_ changes: String) -> APICall {
        APICall(.patch, ["devices", "anna"], body: Array(changes.utf8))
    }

    private static func put(_ path: [String], _ body: String) -> APICall { APICall(.put, path, body: Array(body.utf8)) }
}
