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
