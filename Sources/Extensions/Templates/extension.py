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
