#!/usr/bin/env python3
"""A service extension behind a URL: translates known texts and leaves others unchanged. Needs nothing but Python 3."""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WORDS = {"Your order has shipped": "Ihre Bestellung ist unterwegs"}


class Extension(BaseHTTPRequestHandler):
    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if message["type"] != "didReceive":
            return self.answer(204, b"")
        body = message["request"]["content"]["body"]
        # An omitted member is unchanged.
        content = {"body": WORDS[body]} if body in WORDS else {}
        self.answer(200, json.dumps({"content": content}).encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, form, *values):
        print(form % values, flush=True)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("", int(sys.argv[1]) if len(sys.argv) > 1 else 8080), Extension)
    print(server.server_port, flush=True)
    server.serve_forever()
