"""`GET /state` and `PUT /state`: a gateway that loads a saved state answers every query as the original does."""

import json
import random

import pytest

from gateway import pushcote

CHAT, MAIL = "com.example.chat", "com.example.mail"
OFFICE = [{"days": "everyDay", "from": "09:00", "to": "17:00"}]
CONDITIONS = [
    {"isOnline": False}, {"isOnline": True}, {"isPoweredOn": False}, {"isPoweredOn": True}, {"isPoweredOn": True},
    {"isLocked": False, "isScreenOn": True}, {"isLocked": True, "isScreenOn": False}, {"ringSwitch": "silent"},
    {"locale": "ja_JP"}, {"timeZone": "Asia/Tokyo"}, {"showPreviews": "never"},
    {"focus": {"modes": [{"id": "work", "schedule": OFFICE}, {"id": "sleep"}]}}, {"focus": {"active": None}},
    {"focus": {"modes": [{"id": "work"}], "active": "work"}}, {"summary": {"isEnabled": True, "times": ["08:00", "18:00"]}},
    {"summary": None}, {"apps": {CHAT: {"scheduledDelivery": "enabled"}}}, {"apps": {CHAT: {"sound": "disabled"}}},
    {"apps": {CHAT: {"authorizationStatus": "provisional"}}}, {"apps": {CHAT: None}}, {"apps": {MAIL: {"badge": "disabled"}}},
]
ACTS = [
    {"action": "lock"}, {"action": "unlock"}, {"action": "wake"}, {"action": "restart"}, {"action": "open", "app": MAIL},
    {"action": "terminate", "app": CHAT}, {"action": "uninstall", "app": MAIL}, {"action": "clear", "app": CHAT},
    {"action": "switchFocus", "focus": "work"}, {"action": "switchFocus"}, {"action": "setBadge", "app": CHAT, "count": 4},
    {"action": "setBadge", "app": CHAT, "count": 0}, {"action": "answer", "app": CHAT, "choice": "leaveOn"},
    {"action": "answer", "app": CHAT, "choice": "keep"}, {"action": "removeDelivered", "app": CHAT, "identifiers": ["a"]},
]


def set_up(gateway):
    gateway.api("POST", "/reset")
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    gateway.api("POST", "/clock/advance", json={"by": "1h"})
    gateway.api("PUT", f"/apps/{CHAT}", json={
        "displayName": "Chat", "entitlements": ["com.apple.developer.usernotifications.time-sensitive"],
        "categories": [{"identifier": "M", "actions": [{"identifier": "LIKE", "title": "Like"}]}],
        "localizations": {"ja": {"HELLO": "こんにちは"}}})
    registrations = [{"topic": topic} for topic in (CHAT, MAIL, CHAT + ".voip")]
    gateway.api("PUT", "/devices/phone", json={"registrations": registrations})


def push(gateway, provider, chance):
    """Sends a push of any kind, to an app that may first have to be reinstalled."""
    topic, push_type = chance.choice([(CHAT, "alert")] * 6 + [(MAIL, "alert")] * 3 + [(CHAT, "background"), (CHAT + ".voip", "voip")])
    aps = {"content-available": 1} if push_type == "background" else {
        "alert": chance.choice(["One", {"title": "T", "loc-key": "HELLO"}]),
        "interruption-level": chance.choice(["passive", "active", "time-sensitive", "critical"])}
    if chance.random() < 0.5:
        aps |= {"sound": "default", "badge": chance.randrange(3), "category": "M", "relevance-score": 0.5, "mutable-content": 1}
    headers = {"apns-topic": topic, "apns-push-type": push_type, "apns-priority": "5" if push_type == "background" else "10"}
    if chance.random() < 0.3:
        headers["apns-collapse-id"] = chance.choice("ab")
    if chance.random() < 0.2:
        headers["apns-expiration"] = "0"
    token = gateway.api("POST", "/devices/phone/registrations", json={"topic": topic})["token"]
    assert provider.push(token, json.dumps({"aps": aps}).encode(), **headers).status == 200


def live(gateway, provider, seed, steps=40):
    """Performs random steps from the seed; impossible ones are rejected."""
    chance = random.Random(seed)
    for _ in range(steps):
        kind = chance.random()
        if kind < 0.5:
            push(gateway, provider, chance)
        elif kind < 0.7:
            gateway.admin.patch("/api/v1/devices/phone", json=chance.choice(CONDITIONS))
        elif kind < 0.85:
            gateway.admin.post("/api/v1/devices/phone/actions", json=chance.choice(ACTS))
        elif kind < 0.93:
            shown = gateway.notifications(device="phone", state="delivered")
            number = shown[-1]["id"] if shown else 1
            act = chance.choice([{"action": "tap"}, {"action": "dismiss"}, {"action": "perform", "actionIdentifier": "LIKE"}])
            gateway.admin.post("/api/v1/devices/phone/actions", json=act | {"notification": number})
        else:
            gateway.api("POST", "/clock/advance", json={"by": chance.choice(["1s", "10m", "3h", "26h"])})


def answers(gateway):
    """The answer of every GET about devices, apps and notifications, byte for byte."""
    device = "/devices/phone"
    paths = ["/state", "/devices", device, device + "/registrations", device + "/events?limit=1000", device + "/screen",
             "/notifications?limit=1000", "/notifications?device=phone&state=delivered", "/apps", f"/apps/{CHAT}", "/clock"]
    paths += [f"{device}/delivered?app={app}" for app in (CHAT, MAIL)]
    paths += [f"{device}/registrations/{one['token']}" for one in gateway.api("GET", device + "/registrations")["registrations"]]
    for one in gateway.api("GET", "/notifications", params={"limit": 1000})["notifications"]:
        paths += [f"/notifications/{one['id']}", f"/notifications/{one['id']}/explanation",
                  f"{device}/events?notification={one['id']}"]
    found = {path: gateway.admin.get("/api/v1" + path) for path in paths}
    assert {answer.status_code for answer in found.values()} == {200}
    return {path: answer.content for path, answer in found.items()}


@pytest.fixture(scope="module")
def pair(tmp_path_factory, certificates, bearer):
    """A gateway on which the steps are performed, and one that only loads the state."""
    from conftest import _started

    gateways = [_started(tmp_path_factory.mktemp(name), certificates, bearer, "auth.mode=off") for name in ("lived", "loaded")]
    yield gateways
    try:
        for gateway in gateways:
            gateway.stop()
    finally:
        for gateway in gateways:
            gateway.kill()


@pytest.mark.parametrize("seed", range(3))
def test_a_loaded_state_answers_as_before_the_save(pair, connect, seed):
    lived, loaded = pair
    set_up(lived)
    live(lived, connect(lived), seed)
    before = answers(lived)
    saved = before["/state"]
    loaded.api("POST", "/reset")
    loaded.api("PUT", "/clock", json={"mode": "manual", "now": lived.api("GET", "/clock")["now"]})
    for gateway in (loaded, loaded, lived):
        gateway.api("PUT", "/state", content=saved)
        after = answers(gateway)
        for path in before:
            assert after[path] == before[path], path
    # Both gateways also behave alike afterwards.
    for gateway in pair:
        gateway.admin.patch("/api/v1/devices/phone", json={"isPoweredOn": True, "isOnline": True, "focus": {"active": None}})
        gateway.api("POST", "/clock/advance", json={"by": "20h"})
    assert answers(loaded) == answers(lived)


def test_only_the_owner_reads_a_saved_state(gateway, tmp_path):
    (tmp_path / "state.json").touch(mode=0o644)
    admin = "http://%s:%d" % gateway.admin_address
    assert pushcote("state", "save", "state.json", "--admin", admin, cwd=tmp_path).returncode == 0
    assert (tmp_path / "state.json").stat().st_mode & 0o777 == 0o600


def test_a_cursor_of_events_misses_nothing_after_a_state_is_loaded(start_gateway):
    gateway = start_gateway()

    def events(since, **more):
        return gateway.api("GET", "/devices/phone/events", params={"since": since, **more})

    def flip(*values):
        for value in values:
            gateway.api("PATCH", "/devices/phone", json={"isOnline": value})

    gateway.api("PUT", "/devices/phone", json={"registrations": [{"topic": CHAT}]})
    saved = gateway.api("GET", "/state")
    flip(*[False, True] * 5)
    newest = events(0)["next"]
    assert events(newest)["hasGap"] is False
    gateway.api("PUT", "/state", json=saved)
    lost = events(newest)
    assert (lost["events"], lost["hasGap"]) == ([], True) and int(lost["next"]) < int(newest)
    flip(False)
    found = events(lost["next"], wait="10s", count=1)
    assert [one["event"] for one in found["events"]][:1] == ["conditionsChanged"] and found["hasGap"] is False
    gateway.api("DELETE", "/devices/phone")
    gateway.api("PUT", "/devices/phone", json={"registrations": [{"topic": CHAT}]})
    assert events(newest)["hasGap"] is True
