"""Local notifications scheduled by an extension: in Swift, and in another program that speaks the protocol."""

import json

import pytest

from test_extensions import example, phone, push, script


@pytest.mark.parametrize("journal", ["memory", "sqlite"])
def test_a_notification_added_by_an_extension_is_recorded(phone, tmp_path, journal):
    """A local notification is a notification of the device, also with a persistent journal, and logs no request."""
    iphone = phone(example("Reminder"), f"journal={journal}", f"sqlite.file={tmp_path}/journal.sqlite")
    gateway = iphone.gateway
    found = iphone.receive(push("Reminder"))
    assert found["displayed"]["subtitle"] == "with a reminder"
    shown = gateway.wait(device=iphone.name, count=2)
    assert [one["body"] for one in shown] == ["Your appointment is confirmed.", "Leave at nine."]
    assert [(one["origin"], one["identifier"]) for one in shown[1:]] == [("local", "reminder")]
    assert len(gateway.api("GET", "/requests")["requests"]) == 1


def test_a_scheduled_reminder_fires_at_its_time(phone):
    """A Swift extension schedules with a trigger; advancing the gateway's clock fires it."""
    iphone = phone(example("Reminder"))
    gateway = iphone.gateway
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    found = iphone.receive(json.dumps({**json.loads(push("Reminder")), "after": 1800}).encode())
    assert found["displayed"]["subtitle"] == "with a reminder, 1 pending"
    pending = gateway.api("GET", f"/devices/{iphone.name}/local-notifications")["localNotifications"]
    assert [(one["identifier"], one["trigger"]["timeInterval"]) for one in pending] == [("reminder", 1800)]
    gateway.api("POST", "/clock/advance", json={"by": "PT30M"})
    shown = gateway.wait(device=iphone.name, count=2)
    assert [(one["origin"], one["body"]) for one in shown][1] == ("local", "Leave at nine.")
    assert gateway.api("GET", f"/devices/{iphone.name}/local-notifications")["localNotifications"] == []


def test_an_extension_receives_the_error_of_a_rejected_request(phone, tmp_path):
    """A local notification over 64 KB is rejected, and the extension receives the error."""
    extension = script(tmp_path, """\
request = {"identifier": "long", "content": {"body": "x" * 70000}}
say(type="center", id=message["id"], call=1, name="add", arguments={"request": request})
say(type="content", id=message["id"], content={"body": json.loads(sys.stdin.readline())["error"]})""")
    iphone = phone(extension, "journal=sqlite", f"sqlite.file={tmp_path}/journal.sqlite")
    found = iphone.receive(push("Slow"))
    assert "65536 bytes" in found["displayed"]["body"]
    assert len(iphone.gateway.notifications(device=iphone.name)) == 1
