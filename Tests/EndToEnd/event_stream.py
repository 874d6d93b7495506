"""A reader of the admin API's event stream that validates every message against the description."""

import http.client
import json
import re
import socket
import urllib.parse
from dataclasses import dataclass

import contract
from provider import SECONDS

PATH = "/api/v1/events/stream"
ID = re.compile(r"([0-9a-f]{6})-(0|[1-9]\d*)")


@dataclass
class Message:
    event: str
    id: str
    data: dict

    @property
    def run(self):
        return ID.fullmatch(self.id)[1]

    @property
    def number(self):
        return int(ID.fullmatch(self.id)[2])

    @property
    def ids(self):
        return [row["id"] for row in self.data["rows"]]


def small_socket(address):
    """Connects with a small receive buffer, so that unread data soon blocks the gateway."""
    opened = socket.socket()
    opened.settimeout(SECONDS)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    opened.connect(address)
    return opened


class EventStream:
    def __init__(self, gateway, last=None, headers=None, **query):
        self.connection = http.client.HTTPConnection(*gateway.admin_address, timeout=SECONDS)
        self.connection.sock = small_socket(gateway.admin_address)
        headers = {**({"last-event-id": last} if last else {}), **(headers or {})}
        self.connection.request("GET", PATH + "?" + urllib.parse.urlencode(query), headers=headers)
        self.answer = self.connection.getresponse()
        self.description = contract.of(gateway.description)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.answer.close()
        self.connection.close()

    def next(self):
        """The next message; None at the end of the stream."""
        fields = {}
        while line := self.answer.readline():
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                fields[name] = value
            elif "event" in fields:
                schema = {"$ref": f"#/components/schemas/Stream{fields['event'].capitalize()}"}
                self.description.validate(schema, fields["data"], fields["event"])
                return Message(fields["event"], fields["id"], json.loads(fields["data"]))
            else:
                fields = {}

    def until(self, event, condition=lambda message: True):
        """The next message of this event type that meets the condition."""
        while message := self.next():
            if message.event == event and condition(message):
                return message
        raise AssertionError(f"the stream ended without {event}")

    def rest(self):
        """All messages up to the end of the stream."""
        return list(iter(self.next, None))
