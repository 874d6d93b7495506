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


def test_a_badge_of_0_removes_the_apps_notifications(gateway, provider):
    device, token = gateway.device()
    for number in range(3):
        pushed(gateway, provider, device, token, payload(f"Number {number}", badge=number + 1))
    assert gateway.api("GET", f"/devices/{device}/screen")["badges"] == {TOPIC: 3}
    pushed(gateway, provider, device, token, payload(None, badge=0))
    screen = gateway.api("GET", f"/devices/{device}/screen")
    assert screen["badges"] == {} and screen["lockScreen"] == [] and screen["notificationCenter"] == []
    assert [event["details"]["reason"] for event in events(gateway, device, "removed")] == ["badgeCleared"] * 3


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


def test_a_push_is_stored_until_its_expiration(own):
    gateway, provider = own
    device, token = gateway.device()
    gateway.api("PATCH", f"/devices/{device}", json={"isOnline": False})
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    stored = pushed(gateway, provider, device, token, payload("Soon stale"))
    assert gateway.detail(stored)["state"] == "stored"
    gateway.api("POST", "/clock/advance", json={"by": "P29D"})
    assert gateway.detail(stored)["state"] == "stored"
    gateway.api("POST", "/clock/advance", json={"by": "P2D"})
    assert gateway.detail(stored)["discardReason"] == "expired"
    assert "nextDue" not in gateway.api("GET", "/clock")


@pytest.mark.parametrize(
    "push_type, suffix, event",
    [
        ("background", "", "backgroundPush"), ("voip", ".voip", "call"), ("complication", ".complication", "complication"),
        ("fileprovider", ".pushkit.fileprovider", "fileProvider"), ("pushtotalk", ".voip-ptt", "pushToTalk"),
        ("location", ".location-query", "locationQuery"), ("widgets", ".push-type.widgets", "widgets"),
        ("controls", ".push-type.controls", "controls"),
    ])
def test_each_push_type_produces_its_own_event(gateway, connect, push_type, suffix, event):
    device, token = gateway.device(topic=TOPIC + suffix)
    with connect(gateway, topic=TOPIC + suffix) as provider:
        alert = None if push_type == "background" else "No alert"
        one = pushed(
            gateway, provider, device, token, payload(alert, **{"content-available": 1}), apns_push_type=push_type,
            apns_priority="5" if push_type == "background" else None)
    assert one["state"] == "delivered"
    kinds = [each["event"] for each in events(gateway, device)]
    assert event in kinds
    assert not {"banner", "lockScreen", "notificationCenter", "sound", "contentDelivered"} & set(kinds)


def test_an_impossible_state_changes_nothing(gateway):
    device, _ = gateway.device()
    before = gateway.api("GET", f"/devices/{device}")
    for body, words in [
        ({"focus": {"active": "work"}}, "focus.active"), ({"timeZone": "Mars/Olympus"}, "timeZone"),
        ({"isLocked": False, "ringSwitch": "loud"}, "ring or silent"), ({"isLockd": False}, "did you mean isLocked?"),
        ({"summary": {"times": []}}, "summary.times"), ({"apps": {TOPIC: {"sound": "loud"}}}, "enabled, disabled"),
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


def test_an_unanswered_call_ends(own):
    gateway, provider = own
    gateway.api("PUT", f"/apps/{TOPIC}", json={"pushkit": {"voip": True}})
    device, _ = gateway.device()
    voip = gateway.api("POST", f"/devices/{device}/registrations", json={"topic": TOPIC + ".voip"})["token"]
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    assert provider.push(voip, **{"apns-topic": TOPIC + ".voip", "apns-push-type": "voip"}).status == 200
    gateway.api("POST", "/clock/advance", json={"by": "59s"})
    assert not events(gateway, device, "settingsChanged")
    gateway.api("POST", "/clock/advance", json={"by": "1s"})
    [change] = events(gateway, device, "settingsChanged")
    assert change["details"] == {"services": ["call"], "cause": "unanswered"}


def test_deleting_the_last_registration_uninstalls_the_app(own):
    gateway, provider = own
    device, token = gateway.device()
    voip = gateway.api("POST", f"/devices/{device}/registrations", json={"topic": TOPIC + ".voip"})["token"]
    pushed(gateway, provider, device, token, payload(badge=1))
    gateway.api("DELETE", f"/devices/{device}/registrations/{voip}")
    assert provider.push(voip, **{"apns-topic": TOPIC + ".voip", "apns-push-type": "voip"}).status == 410
    assert len(gateway.api("GET", f"/devices/{device}/screen")["lockScreen"]) == 1
    gateway.api("DELETE", f"/devices/{device}/registrations/{token}")
    assert provider.push(token).reason == "Unregistered"
    assert gateway.api("GET", f"/devices/{device}/screen")["lockScreen"] == []


def test_a_device_that_was_off_starts_locked(own):
    gateway, _ = own
    device, _ = gateway.device()
    path = f"/devices/{device}"
    used = {"isLocked": False, "isScreenOn": True, "foregroundApp": TOPIC}
    gateway.api("PATCH", path, json=used)
    gateway.api("PATCH", path, json={"isPoweredOn": False})
    gateway.api("PATCH", path, json={"isScreenOn": True})
    screen = gateway.api("GET", f"{path}/screen")
    assert (screen["isPoweredOn"], screen["isLocked"], screen["isScreenOn"]) == (False, True, False)
    assert "foregroundApp" not in screen
    gateway.api("PATCH", path, json={"isPoweredOn": True})
    state = gateway.api("GET", path)
    assert state["isLocked"] and not state["isUnlockedSinceBoot"] and state.get("foregroundApp") is None
    pushed = gateway.api("POST", f"{path}/push?topic={TOPIC}", content=payload())
    assert gateway.detail(pushed)["timing"] == "now"
    gateway.api("PATCH", path, json={"isLocked": False})
    assert gateway.api("GET", path)["isUnlockedSinceBoot"]


def test_a_device_that_is_off_does_nothing(own):
    gateway, provider = own
    device, token = gateway.device()
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    gateway.api("PATCH", f"/devices/{device}", json={
        "summary": {"isEnabled": True, "times": ["08:00"]}, "apps": {TOPIC: {"scheduledDelivery": "enabled"}}})
    waiting = gateway.api("POST", f"/devices/{device}/push?topic={TOPIC}", content=payload())
    gateway.api("PATCH", f"/devices/{device}", json={"isPoweredOn": False})
    before = events(gateway, device)
    for act in ({"action": "wake"}, {"action": "unlock"}, {"action": "open"}, {"action": "tap", "notification": waiting["id"]}):
        refused = gateway.admin.post(f"/api/v1/devices/{device}/actions", json=act)
        assert refused.status_code == 409 and "is switched off" in refused.json()["error"]
    gateway.api("POST", "/clock/advance", json={"by": "24h"})
    assert events(gateway, device) == before
    gateway.api("PATCH", f"/devices/{device}", json={"isPoweredOn": True})
    assert [event["event"] for event in events(gateway, device)[len(before):]] == [
        "conditionsChanged", "summaryDelivered", "screenLit"]
    assert len(gateway.api("GET", f"/devices/{device}/screen")["lockScreen"]) == 1
