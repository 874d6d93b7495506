"""What an app on a device loses when it is uninstalled or not allowed, over APNs and the admin API."""

import json

TOPIC = "com.example.app"


def pushed(gateway, provider, device, token, alert, **aps):
    """Pushes, expects 200, and returns the notification."""
    answer = provider.push(token, json.dumps({"aps": {"alert": alert, **aps}}).encode())
    assert answer.status == 200
    return gateway.api("GET", "/notifications", params={"device": device, "apnsId": answer.apns_id})["notifications"][0]


def test_uninstalling_removes_everything_and_unregisters_the_tokens(gateway, provider):
    device, token = gateway.device()
    voip = gateway.api("POST", f"/devices/{device}/registrations", json={"topic": TOPIC + ".voip"})["token"]
    pushed(gateway, provider, device, token, "Your code is 1234", badge=3, sound="default")
    gateway.api("PATCH", f"/devices/{device}", json={"isOnline": False})
    stored = pushed(gateway, provider, device, token, "Stored", sound="default")
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
    assert len(gateway.api("GET", f"/devices/{device}/events", params={"kind": "sound"})["events"]) == 1
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
    # It has no settings, but the device's answer can be sent back.
    settings = {"apps": {TOPIC: {"sound": "disabled"}}}
    refused = gateway.api("PATCH", f"/devices/{device}", json={"locale": "ja_JP", **settings}, expect=409)
    assert refused["error"].startswith(f"'apps.{TOPIC}': the app was uninstalled")
    assert gateway.api("GET", f"/devices/{device}")["locale"] == "en_US"
    gateway.api("PUT", f"/devices/{device}", json=gateway.api("GET", f"/devices/{device}"))
    # Reinstalling the app gives it a new token.
    again = gateway.api("POST", f"/devices/{device}/registrations", json={"topic": TOPIC})["token"]
    assert again != token and provider.push(again).status == 200
    gateway.api("POST", f"/devices/{device}/actions", json={"action": "uninstall", "app": TOPIC})
    gateway.api("PUT", f"/devices/{device}", json={
        "registrations": [{"topic": TOPIC}], "isLocked": False, "foregroundApp": TOPIC})
    gateway.api("POST", f"/devices/{device}/actions", json={"action": "uninstall", "app": TOPIC})
    there = gateway.api("PATCH", f"/devices/{device}", json={"registrations": [{"topic": TOPIC}], **settings})
    assert there["apps"][TOPIC]["sound"] == "disabled"


def test_an_app_that_has_unregistered_is_still_installed(gateway, provider):
    device, token = gateway.device()
    gateway.api("PATCH", f"/devices/{device}/registrations/{token}", json={"status": "unregistered"})
    assert provider.push(token).status == 410
    gateway.api("POST", f"/devices/{device}/actions", json={"action": "open", "app": TOPIC})
    assert gateway.api("GET", f"/devices/{device}")["foregroundApp"] == TOPIC


def test_an_app_whose_own_settings_deny_notifications_has_none_on_the_screen(gateway):
    topic = "com.example.denied"
    device, _ = gateway.device(topic=topic)
    gateway.api("POST", f"/devices/{device}/push", params={"topic": topic}, json={"aps": {"alert": "Hi"}})
    gateway.api("PUT", f"/apps/{topic}", json={"settings": {"authorizationStatus": "denied"}})
    assert gateway.api("GET", f"/devices/{device}/screen")["lockScreen"] == []
    events = gateway.api("GET", f"/devices/{device}/events", params={"kind": "removed"})["events"]
    assert [event["details"]["reason"] for event in events] == ["turnedOff"]
