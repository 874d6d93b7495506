"""How a device handles pushes received over APNs: the README's scenario and the related rules."""

import concurrent.futures
import json

import pytest

TOPIC = "com.example.app"
TIME_SENSITIVE = "com.apple.developer.usernotifications.time-sensitive"


def payload(alert="Your code is 1234", **aps):
    return json.dumps({"aps": {"alert": alert, **aps} if alert else aps}).encode()


def events(gateway, device, *kinds):
    query = {"kind": ",".join(kinds), "limit": 1000} if kinds else {"limit": 1000}
    return gateway.api("GET", f"/devices/{device}/events", params=query)["events"]


def pushed(gateway, provider, device, token, *arguments, **headers):
    """Pushes, expects 200, and returns the notification."""
    answer = provider.push(token, *arguments, **headers)
    assert answer.status == 200
    return gateway.api("GET", "/notifications", params={"device": device, "apnsId": answer.apns_id})["notifications"][0]


@pytest.fixture
def own(start_gateway, connect):
    """A gateway whose clock the test may advance, and a provider's connection to it."""
    gateway = start_gateway()
    return gateway, connect(gateway)


def test_a_focus_withholds_until_the_app_is_entitled(own):
    gateway, provider = own
    device, token = gateway.device()
    gateway.api("PATCH", f"/devices/{device}", json={"focus": {"modes": [{"id": "work"}], "active": "work"}})
    urgent = payload(**{"interruption-level": "time-sensitive"})
    first = pushed(gateway, provider, device, token, urgent)
    assert (first["timing"], first["places"]) == ("silencedByFocus", ["notificationCenter"])
    trace = {step["rule"]: step["answer"] for step in gateway.detail(first)["trace"] if step.get("answer")}
    assert {"level.timeSensitive.noEntitlement", "F8"} <= trace.keys()

    gateway.api("PUT", f"/apps/{TOPIC}", json={"entitlements": [TIME_SENSITIVE]})
    second = pushed(gateway, provider, device, token, urgent)
    assert (second["timing"], second["level"]) == ("now", "time-sensitive")
    assert "F7" in [step["rule"] for step in gateway.detail(second)["trace"] if step.get("answer")]
    # The explanation of an earlier decision does not change.
    assert "F8" in [step["rule"] for step in gateway.detail(first)["trace"] if step.get("answer")]

    gateway.api("PATCH", f"/devices/{device}", json={"focus": {"active": None}})
    released = events(gateway, device, "focusEnded", "released")
    assert [event["event"] for event in released] == ["focusEnded", "released"]
    assert released[1]["notification"] == first["id"]


def test_a_summary_appears_at_its_scheduled_time(own):
    gateway, provider = own
    device, token = gateway.device()
    gateway.api("PUT", "/clock", json={"mode": "manual", "now": "2031-01-07T09:00:00Z"})
    gateway.api(
        "PATCH", f"/devices/{device}",
        json={"summary": {"isEnabled": True, "times": ["08:00", "18:00"]}, "apps": {TOPIC: {"scheduledDelivery": "enabled"}}})
    # The device push needs no provider token; the provider's own expired when the clock was advanced.
    gateway.api("PUT", f"/apps/{TOPIC}", json={})
    made = gateway.api("POST", f"/devices/{device}/push", params={"topic": TOPIC}, content=payload("New recipes"))
    waiting = gateway.api("GET", f"/notifications/{made['id']}")
    assert (waiting["timing"], waiting["places"]) == ("deferredToSummary", ["nextSummary"])
    assert gateway.api("GET", f"/devices/{device}/screen")["lockScreen"] == []

    with concurrent.futures.ThreadPoolExecutor() as pool:
        # One client waits while another advances the clock, so no test sleeps.
        waited = pool.submit(
            gateway.api, "GET", f"/devices/{device}/events",
            params={"kind": "summaryDelivered", "wait": "15s", "count": 1})
        gateway.api("POST", "/clock/advance", json={"to": "2031-01-07T17:59:59Z"})
        assert events(gateway, device, "summaryDelivered") == []
        gateway.api("POST", "/clock/advance", json={"by": "PT1S"})
        card = waited.result()["events"][0]
    assert card["at"] == "2031-01-07T18:00:00.000Z"
    assert card["details"]["notifications"] == [made["id"]]
    shown = gateway.api("GET", f"/devices/{device}/screen")["lockScreen"]
    assert [one["notification"] for stack in shown for one in stack["notifications"]] == [made["id"]]


def test_a_device_gets_stored_pushes_on_reconnecting(gateway, provider):
    device, token = gateway.device()
    gateway.api("PATCH", f"/devices/{device}", json={"isOnline": False})
    lost = pushed(gateway, provider, device, token, payload("Now or never"), apns_expiration="0")
    assert (lost["state"], lost["discardReason"]) == ("discarded", "notStored")
    first = pushed(gateway, provider, device, token, payload("First"))
    assert (first["state"], first["holdReason"]) == ("stored", "offline")
    second = pushed(gateway, provider, device, token, payload("Second"))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        waited = pool.submit(gateway.wait, device=device, state="delivered")
        gateway.api("PATCH", f"/devices/{device}", json={"isOnline": True})
        assert [one["id"] for one in waited.result()] == [second["id"]]
    log = [entry["text"] for entry in gateway.detail(first)["deliveryLog"]]
    assert log == ["Accepted", "Stored – Device Offline", "Discarded – Superseded"]
    found = gateway.api("GET", "/notifications", params={"apnsUniqueId": second["apnsUniqueId"]})["notifications"]
    assert [one["id"] for one in found] == [second["id"]]


def test_an_impossible_state_changes_nothing(gateway):
    device, _ = gateway.device()
    before = gateway.api("GET", f"/devices/{device}")
    for body, words in [
        ({"focus": {"active": "work"}}, "focus.active"), ({"isLocked": False, "ringSwitch": "loud"}, "ring or silent"),
        ({"isLockd": False}, "did you mean isLocked?"), ({"apps": {TOPIC: {"sound": "loud"}}}, "enabled, disabled"),
    ]:
        answer = gateway.api("PATCH", f"/devices/{device}", json=body, expect=400)
        assert words in answer["error"], answer
    for body, status, words in [
        ({"action": "tap", "notification": 10**9}, (400, 404, 409), "no notification"),
        ({"action": "switchFocus", "focus": "work"}, (400, 409), "no Focus"),
        ({"action": "setBadge", "app": TOPIC, "count": -1}, (400, 409), "0 or more"),
        ({"action": "jump"}, 400, "jump"),
    ]:
        answer = gateway.api("POST", f"/devices/{device}/actions", json=body, expect=status)
        assert words in answer["error"], answer
    assert gateway.api("GET", f"/devices/{device}") == before


def test_uninstalling_removes_everything_and_unregisters_the_tokens(own):
    gateway, provider = own
    device, token = gateway.device()
    voip = gateway.api("POST", f"/devices/{device}/registrations", json={"topic": TOPIC + ".voip"})["token"]
    pushed(gateway, provider, device, token, payload(badge=3, sound="default"))
    gateway.api("PATCH", f"/devices/{device}", json={"isOnline": False})
    stored = pushed(gateway, provider, device, token, payload("Stored", sound="default"))
    assert stored["state"] == "stored"
    done = gateway.api("POST", f"/devices/{device}/actions", json={"action": "uninstall", "app": TOPIC})["events"]
    assert [event["event"] for event in done] == ["act", "discarded", "removed", "badge"]
    answer = provider.push(token)
    assert (answer.status, answer.reason) == (410, "Unregistered")
    assert "timestamp" in json.loads(answer.body)
    assert provider.push(voip, **{"apns-topic": TOPIC + ".voip", "apns-push-type": "voip"}).status == 410
    gateway.api("PATCH", f"/devices/{device}", json={"isOnline": True})
    screen = gateway.api("GET", f"/devices/{device}/screen")
    assert (screen["lockScreen"], screen["notificationCenter"], screen["badges"]) == ([], [], {})
    assert gateway.detail(stored)["discardReason"] == "uninstalled"
    assert len(events(gateway, device, "sound")) == 1
    # It does nothing any more.
    assert not gateway.api("GET", f"/devices/{device}").get("foregroundApp")
    for method, path, body in (
            ("POST", "/donations", {"app": TOPIC, "interaction": {"intent": {"class": "O"}}}),
            ("POST", "/local-notifications", {"app": TOPIC, "identifier": "a", "content": {"body": "x"}}),
            ("POST", "/activities", {"app": TOPIC, "type": "R", "isIntent": True}),
            ("PATCH", "", {"foregroundApp": TOPIC}),
            ("PATCH", f"/apps/{TOPIC}/services", {"call": "ringing"})):
        refused = gateway.api(method, f"/devices/{device}{path}", json=body, expect=(409,))
        assert f'has no app' in refused["error"], path
    # Reinstalling the app gives it a new token.
    again = gateway.api("POST", f"/devices/{device}/registrations", json={"topic": TOPIC})["token"]
    assert again != token and provider.push(again).status == 200
    gateway.api("POST", f"/devices/{device}/actions", json={"action": "uninstall", "app": TOPIC})
    gateway.api("PUT", f"/devices/{device}", json={
        "registrations": [{"topic": TOPIC}], "isLocked": False, "foregroundApp": TOPIC})
