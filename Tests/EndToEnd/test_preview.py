"""Previews: the result a push would have."""

import json

from admin import alert, own  # noqa: F401

TOPIC = "com.example.app"
RECORDED = ("id", "identifier", "token", "apnsId", "apnsUniqueId", "request", "timeline")
WORK = {"focus": {"modes": [{"id": "work", "name": "Work"}], "active": "work"}}


def everything(gateway):
    paths = ("state", "requests", "metrics", "info", "devices", "connections", "devices/phone/events", "notifications")
    return [gateway.admin.get(f"/api/v1/{path}").text for path in paths]


def outcome(gateway, number):
    return {name: value for name, value in gateway.api("GET", f"/notifications/{number}").items() if name not in RECORDED}


def test_a_preview_equals_the_decision_without_a_push(own, connect):
    own.api("PUT", "/clock", json={"mode": "manual"})
    _, token = own.device("phone")
    assert connect(own).push(token, alert(title="Tea", body="is ready")).status == 200
    [summary] = own.wait(device="phone")
    before = everything(own)
    asked = {"notification": summary["id"], "changes": [{}, {"device": WORK}, {"settings": {"alert": "disabled"}}]}
    previewed = own.api("POST", "/preview", json=asked)["outcomes"]
    assert previewed[0] == outcome(own, summary["id"])
    assert [one["timing"] for one in previewed] == ["now", "silencedByFocus", "now"]
    assert previewed[1]["circumstances"]["device"]["focus"]["active"] == "work"
    new = {"device": "phone", "topic": TOPIC, "payload": {"aps": {"alert": "Hi"}}, "changes": [{"device": WORK}]}
    [expected] = own.api("POST", "/preview", json=new)["outcomes"]
    assert everything(own) == before, "nothing was recorded"
    own.api("PATCH", "/devices/phone", json=WORK)
    made = own.admin.post(f"/api/v1/devices/phone/push?topic={TOPIC}", content=json.dumps(new["payload"])).json()
    assert outcome(own, made["id"]) == expected
