"""The messages that the example extension receives and sends conform to the protocol's schema."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs/service-extension-protocol.schema.json").read_text())
REQUEST = {
    "type": "didReceive", "protocol": 1, "id": 7,
    "request": {
        "identifier": "push-12", "date": "2026-11-21T07:00:00.000Z", "trigger": {"type": "push", "repeats": False},
        "content": {"title": "Neko", "body": "Hello", "badge": 3, "userInfo": {"aps": {"alert": "Hello"}}},
    },
    "app": {"bundleId": "com.example.chat", "displayName": "Chat", "entitlements": [], "userActivityTypes": []},
    "device": {"name": "iPhone", "locale": "ja_JP", "isUnlockedSinceBoot": True},
    "paths": {"temporary": "/x/tmp", "groups": "/x/groups", "bundle": "/x/bundle"}, "reusesInstance": False,
}


def check(message, side):
    jsonschema.validate(message, {**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{side}"}]})


def test_the_example_matches_the_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    check(REQUEST, "fromGateway")
    run = subprocess.run(
        [sys.executable, ROOT / "Examples/python/extension.py"], input=json.dumps(REQUEST) + "\n", text=True,
        capture_output=True, check=True)
    messages = [json.loads(line) for line in run.stdout.splitlines()]
    for message in messages:
        check(message, "fromExtension")
    assert [message["type"] for message in messages] == ["ready", "entered", "log", "content"]
    assert messages[-1] == {"type": "content", "id": 7, "content": {"title": "Neko [modified]"}}


@pytest.mark.parametrize("message", [
    {"type": "content", "id": 7},
    {"type": "content", "id": 7, "content": {"title": 5}},
    {"type": "content", "id": "7", "content": {}},
    {"type": "center", "id": 7, "name": "deliveredNotifications"},
    {"type": "ready", "protocol": 2},
])
def test_wrong_members_violate_the_schema(message):
    with pytest.raises(jsonschema.ValidationError):
        check(message, "fromExtension")
