internal import DeviceModel
internal import FoundationEssentials
internal import HTTPTypes
internal import JSON

/// The script of `POST /demo`.
enum DemoDay {
    struct Step: Sendable {
        /// Minutes after midnight, UTC.
        var minute: Int
        var story: String
        var action: Action

        var time: String { WallTime(hour: minute / 60, minute: minute % 60).text }

        init(_ hour: Int, _ minute: Int, _ story: String, _ action: Action) {
            (self.minute, self.story, self.action) = (60 * hour + minute, story, action)
        }
    }

    /// A request of the admin API.
    struct Call: Sendable {
        var method: HTTPRequest.Method
        /// Below `/api/v1`.
        var path: String
        var body = ""
    }

    enum Action: Sendable {
        case call(Call)
        case push(device: String, topic: String, payload: String)
        case rejected(device: String, topic: String, payload: String)
        case summary(device: String)
    }

    /// Deletes devices first: time in a device's log never goes back, but a second demonstration starts earlier.
    static let setUp =
        ["anna", "ben", "cleo"].map { Call(method: .delete, path: "/devices/\($0)") } + [
            put(
                "/apps/com.example.mail",
                #"{"displayName":"Mail","entitlements":["com.apple.developer.usernotifications.time-sensitive"]}"#),
            put("/apps/com.example.news", #"{"displayName":"News"}"#),
            put("/apps/com.example.chat", chat.text),
            put(
                "/devices/anna",
                """
                {"registrations":[{"topic":"com.example.mail"},{"topic":"com.example.chat"},{"topic":"com.example.news"}],
                "focus":{"modes":[{"id":"work","name":"Work"}]},
                "summary":{"isEnabled":true,"times":["08:00","18:00"]},
                "apps":{"com.example.news":{"scheduledDelivery":"enabled"}}}
                """),
            put(
                "/devices/ben",
                """
                {"registrations":[{"topic":"com.example.news"}],"summary":{"isEnabled":true,"times":["18:00"]},
                "apps":{"com.example.news":{"scheduledDelivery":"enabled"}}}
                """),
            put("/devices/cleo", #"{"registrations":[{"topic":"com.example.chat"}]}"#),
        ]

    static let steps = [
        push(
            6, 30, "Anna reads the news in her scheduled summaries, at 08:00 and 18:00.", to: "anna", "news",
            #"{"aps":{"alert":{"title":"Morning Edition","body":"Frost until noon, and trams on time."}}}"#),
        push(
            8, 5, "Anna's iPhone lies locked on the table.", to: "anna", "mail",
            #"{"aps":{"alert":{"title":"Order Shipped","body":"It arrives today."},"sound":"default"}}"#),
        Step(9, 0, "Anna turns on the Focus Work.", .call(focus(#"{"action":"switchFocus","focus":"work"}"#))),
        push(
            9, 5, "A chat message arrives during the Focus.", to: "anna", "chat",
            #"{"aps":{"alert":{"title":"Ben","body":"Lunch at one?"},"sound":"default"}}"#),
        push(
            9, 30, "The courier is at the door: a Time Sensitive push.", to: "anna", "mail",
            #"{"aps":{"alert":{"title":"Courier","body":"Please open the door."},"sound":"default","#
                + #""interruption-level":"time-sensitive"}}"#),
        Step(
            10, 0, "A back end makes mistakes: no provider token, and a VoIP push to the app's own topic.",
            .rejected(device: "anna", topic: "com.example.mail", payload: #"{"aps":{}}"#)),
        push(
            12, 0, "Ben reads the news in his scheduled summary.", to: "ben", "news",
            #"{"aps":{"alert":{"title":"Weather","body":"It will be sunny."}}}"#),
        Step(12, 30, "Anna goes underground.", .call(anna(#"{"isOnline":false}"#))),
        push(
            12, 45, "A push waits for her iPhone.", to: "anna", "chat",
            #"{"aps":{"alert":{"title":"Ben","body":"I am at the north door."},"sound":"default"}}"#),
        Step(
            13, 20, "Anna is online again; the push arrives, and the Focus silences it.",
            .call(anna(#"{"isOnline":true}"#))),
        push(
            14, 0, "Cleo's chat is end-to-end encrypted: the app's service extension opens it.", to: "cleo", "chat",
            #"{"aps":{"alert":{"title":"Anna","body":"New message"},"sound":"default","mutable-content":1},"#
                + #""sealed":"?thgie ta renniD"}"#),
        push(
            15, 0, "The evening's news is early.", to: "anna", "news",
            #"{"aps":{"alert":{"title":"Evening Edition","body":"The old bridge opens again."}}}"#),
        Step(
            17, 0, "Anna's work is done: what the Focus silenced is now on her lock screen.",
            .call(focus(#"{"action":"switchFocus"}"#))),
        Step(18, 1, "Ben's summary is due.", .summary(device: "ben")),
        push(
            19, 20, "The evening begins.", to: "anna", "mail",
            #"{"aps":{"alert":{"title":"Harbour Grill","body":"Your table for two at 20:30 is confirmed."},"#
                + #""sound":"default"}}"#),
        push(
            20, 10, "Anna's chat is encrypted, too.", to: "anna", "chat",
            #"{"aps":{"alert":{"title":"Ben","body":"New message"},"sound":"default","mutable-content":1},"#
                + #""sealed":"!setunim eviF .yaw ym nO"}"#),
    ]

    private static func push(
        _ hour: Int, _ minute: Int, _ story: String, to device: String, _ app: String, _ payload: String
    ) -> Step {
        Step(hour, minute, story, .push(device: device, topic: "com.example.\(app)", payload: payload))
    }

    /// The extension is this program, so the demo needs no compiler or interpreter.
    private static var chat: JSONValue {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "pushcote"
        return [
            "displayName": .string("Chat"),
            "extension": ["kind": .string("process"), "command": .strings([program, "demo-extension"])],
        ]
    }

    /// An act of Anna's.
    private static func focus(_ act: String) -> Call {
        Call(method: .post, path: "/devices/anna/actions", body: act)
    }

    private static func anna(_ changes: String) -> Call {
        Call(method: .patch, path: "/devices/anna", body: changes)
    }

    private static func put(_ path: String, _ body: String) -> Call { Call(method: .put, path: path, body: body) }
}
