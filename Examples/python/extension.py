#!/usr/bin/env python3
"""A notification service extension for Pushcote: adds " [modified]" to every title. Needs nothing but Python 3."""
import json
import sys


def say(**message):
    """Sends one message: one JSON object in one line."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def did_receive(message):
    """Answers a request; omitted members are unchanged."""
    content = message["request"]["content"]
    say(type="entered", id=message["id"])
    say(type="log", id=message["id"], level="info", message="Modifying " + message["request"]["identifier"])
    say(type="content", id=message["id"], content={"title": content.get("title", "") + " [modified]"})


def main():
    say(type="ready", protocol=1)
    for line in sys.stdin:  # ends when the gateway closes the stream
        message = json.loads(line)
        if message["type"] == "didReceive":
            did_receive(message)
        # This one answers at once, so there is nothing to do about serviceExtensionTimeWillExpire.


if __name__ == "__main__":
    main()
