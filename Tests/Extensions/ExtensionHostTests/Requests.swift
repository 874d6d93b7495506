import DeviceModel
import Foundation
import Time

extension ExtensionRequest {
    /// A request whose notification says "Neko: Hello", for an extension that is a Python program.
    static func make(
        _ number: UInt64 = 1, app: String = "com.example.chat", edit: (inout ServiceExtension) -> Void = { _ in }
    ) -> ExtensionRequest {
        var service = ServiceExtension()
        edit(&service)
        var app = App(bundleID: app)
        app.extension = service
        var content = NotificationContent()
        (content.title, content.body, content.isMutable, content.badge) = ("Neko", "Hello", true, 3)
        let payload =
            "{\n  \"aps\": {\"alert\": {\"title\": \"Neko\", \"body\": \"Hello\"}, \"mutable-content\": 1},\n  \"n\": \(number)\n}"
        return ExtensionRequest(
            notification: number, device: "iPhone", identifier: "push-\(number)", content: content,
            payload: Array(payload.utf8), app: app, locale: "ja_JP", at: Instant(milliseconds: 1_795_000_000_000))
    }

    /// A request for a Python program whose path is given.
    static func python(
        _ script: String, _ number: UInt64 = 1, app: String = "com.example.chat",
        edit: (inout ServiceExtension) -> Void = { _ in }
    ) -> ExtensionRequest {
        make(number, app: app) { service in
            service.command = ["python3", "-u", script]
            edit(&service)
        }
    }
}

/// The common beginning of the scripts: `request` is the first message, `say` writes one.
enum Python {
    static let preamble = """
        import json, os, signal, subprocess, sys, time
        def say(**message):
            sys.stdout.write(json.dumps(message) + "\\n"); sys.stdout.flush()
        def hear():
            line = sys.stdin.readline()
            if not line: sys.exit(0)
            return json.loads(line)

        """

    /// A script that runs its body for each request; `id` is the request's number, `request` the whole message.
    static func each(_ body: String) -> String {
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
        return preamble
            + "while True:\n    request = hear()\n    if request['type'] != 'didReceive': continue\n    id = request['id']\n"
            + lines.joined(separator: "\n") + "\n"
    }
}
