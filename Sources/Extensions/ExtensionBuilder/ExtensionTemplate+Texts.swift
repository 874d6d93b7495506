extension ExtensionTemplate {
    static let notificationService = """
        import UserNotifications

        class NotificationService: UNNotificationServiceExtension {
            var contentHandler: ((UNNotificationContent) -> Void)?
            var bestAttemptContent: UNMutableNotificationContent?

            override func didReceive(
                _ request: UNNotificationRequest,
                withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
            ) {
                self.contentHandler = contentHandler
                bestAttemptContent = request.content.mutableCopy() as? UNMutableNotificationContent
                guard let bestAttemptContent else { return contentHandler(request.content) }

                bestAttemptContent.title = "\\(bestAttemptContent.title) [modified]"
                contentHandler(bestAttemptContent)
            }

            override func serviceExtensionTimeWillExpire() {
                // Time is almost up: hand over what there is, or the original is shown.
                if let contentHandler, let bestAttemptContent {
                    contentHandler(bestAttemptContent)
                }
            }
        }

        """

    static let propertyList = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <key>NSExtension</key>
            <dict>
                <key>NSExtensionPointIdentifier</key>
                <string>com.apple.usernotifications.service</string>
                <key>NSExtensionPrincipalClass</key>
                <string>$(PRODUCT_MODULE_NAME).NotificationService</string>
            </dict>
        </dict>
        </plist>

        """

    static let push = """
        {
          "aps": {
            "alert": {"title": "Hello", "body": "The extension may change this."},
            "mutable-content": 1
          }
        }

        """

    static let program = #"""
        #!/usr/bin/env python3
        """A service extension: a request per line on standard input, an answer per line on standard output."""
        import json
        import sys

        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] != "didReceive":
                continue
            content = message["request"]["content"]
            answer = {"title": content["title"] + " [modified]"}
            print(json.dumps({"type": "content", "id": message["id"], "content": answer}), flush=True)

        """#

    static let server = #"""
        #!/usr/bin/env python3
        """A service extension as a server: python3 server.py, then give the app the url http://127.0.0.1:8080/."""
        import json
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


        class Extension(BaseHTTPRequestHandler):
            def do_POST(self):
                message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if message["type"] != "didReceive":
                    self.send_response(204)
                    self.end_headers()
                    return
                title = message["request"]["content"]["title"] + " [modified]"
                answer = json.dumps({"content": {"title": title}}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)


        ThreadingHTTPServer(("127.0.0.1", 8080), Extension).serve_forever()

        """#
}
