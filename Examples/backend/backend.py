#!/usr/bin/env python3
"""A back end: stores the tokens that Pushcote forwards, and pushes to them. Needs httpx[http2]."""
import http.server
import json
import os
import subprocess
import threading

import httpx

APP = "com.example.app"
tokens = {}  # by device


def push(text):
    """Pushes to every device, and forgets tokens that APNs no longer accepts."""
    pushcote, apns = os.environ.get("PUSHCOTE", "pushcote"), os.environ.get("APNS", "https://localhost:2197")
    bearer = subprocess.run([pushcote, "token"], check=True, capture_output=True, text=True).stdout.strip()
    headers = {"authorization": "bearer " + bearer, "apns-topic": APP, "apns-push-type": "alert"}
    with httpx.Client(http1=False, http2=True, verify=os.environ.get("APNS_CA", "certs/ca.pem")) as client:
        for device, token in list(tokens.items()):
            answer = client.post(f"{apns}/3/device/{token}", headers=headers, json={"aps": {"alert": text}})
            print(device, answer.status_code, flush=True)
            if answer.status_code == 410 and tokens.get(device) == token:
                del tokens[device]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/tokens":
            tokens[body["device"]] = body["token"]
        elif self.path == "/send":
            threading.Thread(target=push, args=[body["text"]]).start()
        self.send_response(204)
        self.end_headers()


if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Handler).serve_forever()
