"""What Apple's sessions and guidelines require of a device, one by one, over APNs and the admin API.

The ids are those of Tests/Conformance.md. For messages, a real service extension updates the content.
"""

import json
import os

import pytest

from gateway import pushcote
from test_extensions import COMMUNICATION, TOPIC, script
from test_extensions import phone  # noqa: F401 - a fixture

MESSAGES = {"entitlements": [COMMUNICATION], "userActivityTypes": ["INSendMessageIntent"]}

# Donates the intent in the payload, and updates the content from it.
CHAT = """
intent = message['request']['content']['userInfo']['intent']
say(type='donate', id=message['id'], interaction={'intent': intent, 'direction': 'incoming'})
say(type='content', id=message['id'], content={'communication': intent})
"""

MIA = {
    "displayName": "Mia Chen", "customIdentifier": "17", "handle": {"value": "mia@example.com", "type": "emailAddress"}}


def payload(body, custom=None, **aps):
    """An alert; underscores in `aps` keyword arguments become hyphens."""
    aps = {key.replace("_", "-"): value for key, value in aps.items()}
    return json.dumps({"aps": {"alert": {"title": "Parcel", "body": body}, **aps}, **(custom or {})}).encode()


def message(body="Dinner at eight?"):
    """A message whose content the extension updates from an intent."""
    intent = {"class": "INSendMessageIntent", "conversationIdentifier": "c", "sender": MIA, "content": body}
    return payload(body, {"intent": intent}, mutable_content=1, sound="default")


@pytest.fixture
def chat(phone, tmp_path):  # noqa: F811
    """A phone with a messaging app whose extension is `CHAT`."""
    return phone(script(tmp_path, CHAT), **MESSAGES)


def screen(iphone):
    return iphone.gateway.api("GET", f"/devices/{iphone.name}/screen")


def story(found):
    """The names of a notification's events."""
    return [event["event"] for event in found["timeline"]]


def test_nothing_is_shown_before_the_extension_finishes(phone, tmp_path):  # noqa: F811
    """S0-35 S2-4 S2-14 a delivered push passes through the extension before the user sees it"""
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    iphone = phone(
        script(
            tmp_path,
            f"open('{gate}').read()\n"
            "say(type='content', id=message['id'], content={'title': 'Decrypted', 'body': 'Lunch?'})"))
    waiting = iphone.receive(payload("ciphertext", mutable_content=1, sound="default"), "accepted")
    entered = {"kind": "nseStarted", "wait": "15s"}
    assert iphone.gateway.api("GET", f"/devices/{iphone.name}/events", params=entered)["outcome"] == "complete"
    assert screen(iphone)["lockScreen"] == [] and screen(iphone)["notificationCenter"] == []
    assert story(iphone.gateway.detail(waiting)) == ["accepted", "received", "nseStarted"]
    gate.write_text("go")
    iphone.gateway.wait(device=iphone.name, state="delivered")
    shown = iphone.gateway.detail(waiting)
    assert (shown["displayed"]["title"], shown["displayed"]["body"]) == ("Decrypted", "Lunch?")
    assert story(shown)[:5] == ["accepted", "received", "nseStarted", "nseFinished", "contentDelivered"]
    assert "ciphertext" not in json.dumps(screen(iphone))


def test_without_authorization_nothing_is_shown(chat):
    """S2-6 without the user's permission nothing is shown, and the extension is not called"""
    for status in ("notDetermined", "denied"):
        settings = {"apps": {TOPIC: {"authorizationStatus": status}}}
        chat.gateway.api("PATCH", f"/devices/{chat.name}", json=settings)
        found = chat.receive(message(), "discarded")
        assert (found["discardReason"], found["extension"]["rule"]) == ("disabled", "nse.settings")
    started = chat.gateway.api("GET", f"/devices/{chat.name}/events", params={"kind": "nseStarted"})["events"]
    assert started == [] and screen(chat)["lockScreen"] == []


def test_an_apns_file_runs_the_extension(chat, tmp_path):
    """S2-22 an .apns file passes through the extension, unlike in Xcode's Simulator"""
    file = tmp_path / "hello.apns"
    file.write_text(json.dumps({"Simulator Target Bundle": TOPIC, **json.loads(message())}))
    admin = "http://%s:%d" % chat.gateway.admin_address
    sent = pushcote("send", chat.name, file, "--admin", admin, cwd=tmp_path)
    assert sent.returncode == 0, sent.stderr
    shown = chat.gateway.wait(device=chat.name, state="delivered")[0]
    assert shown["isCommunication"] and shown["sender"] == "Mia Chen"
    assert chat.gateway.detail(shown)["extension"]["rule"] == "nse.modified"
