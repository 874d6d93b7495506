"""Device tokens that produce a given reason, pushes to unknown unregistered tokens, and retention."""

import json
import time

import pytest

from gateway import device_token

TOPIC = "com.example.app"
MAGIC = [
    ("badd0400", 400, "BadDeviceToken"), ("badd1400", 400, "DeviceTokenNotForTopic"), ("badd0410", 410, "Unregistered"),
    ("badd1410", 410, "ExpiredToken"), ("badd0429", 429, "TooManyRequests"), ("badd0500", 500, "InternalServerError"),
    ("badd0503", 503, "ServiceUnavailable"), ("badd1503", 503, "Shutdown")]


@pytest.fixture(scope="module")
def lenient(make_gateway):
    return make_gateway("profile=lenient")


@pytest.mark.parametrize("suffix, status, reason", MAGIC)
def test_a_magic_token_answers_its_reason(lenient, connect, suffix, status, reason):
    answer = connect(lenient).push(device_token(28) + suffix.upper())
    assert (answer.status, json.loads(answer.body)["reason"]) == (status, reason)
    assert ("timestamp" in json.loads(answer.body)) == (status == 410)
    record = lenient.request(answer.apns_id)
    assert f"ends with {suffix}, a magic token for {reason}" in record["diagnosis"]["message"]
    assert lenient.api("GET", "/devices")["total"] == 0, "it is not registered"


def test_a_registered_token_is_not_magic(lenient, connect):
    name, token = lenient.device(token=device_token(28) + "badd0410")
    assert connect(lenient).push(token).status == 200
    lenient.api("DELETE", f"/devices/{name}")


def test_magic_tokens_are_off_unless_the_profile_is_lenient(gateway, provider):
    assert provider.push(device_token(28) + "badd0410").status == 200


def test_a_removed_apps_token_answers_410_after_a_delay(start_gateway, connect):
    gateway = start_gateway("assumptions.unregisteredDelay=10m")
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    name, token = gateway.device()
    removed_at = gateway.api("DELETE", f"/devices/{name}/registrations/{token}")["since"]
    provider = connect(gateway)
    assert provider.push(token).status == 200
    [notification] = gateway.notifications(device=name)
    assert (notification["state"], notification["discardReason"]) == ("discarded", "unregistered")
    [event] = gateway.api("GET", f"/devices/{name}/events", params={"kind": "discarded"})["events"]
    assert event["details"]["reason"] == "unregistered"
    log = gateway.detail(notification)["deliveryLog"]
    assert log[-1]["text"] == "Discarded – Unregistered, not known to APNs yet"
    gateway.api("POST", "/clock/advance", json={"by": "10m"})
    answer = connect(gateway).push(token)
    assert (answer.status, json.loads(answer.body)["reason"]) == (410, "Unregistered")
    assert time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(json.loads(answer.body)["timestamp"] / 1000)) == removed_at[:19]


def test_notifications_older_than_the_retention_are_evicted(start_gateway, connect):
    gateway = start_gateway("inbox.retention=1h")
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    name, token = gateway.device()
    provider = connect(gateway)
    for _ in range(3):
        assert provider.push(token).status == 200
    gateway.api("POST", "/clock/advance", json={"by": "30m"})
    assert provider.push(token).status == 200
    assert len(gateway.notifications()) == 4
    gateway.api("POST", "/clock/advance", json={"by": "31m"})
    page = gateway.api("GET", "/notifications", params={"since": 1})
    assert [entry["id"] for entry in page["notifications"]] == [4]
    assert (page["dropped"], page["hasGap"]) == (3, True)
    assert gateway.api("GET", f"/devices/{name}")["droppedCount"] == 3
    requests = gateway.api("GET", "/requests")
    assert [entry["number"] for entry in requests["requests"]] == [4] and requests["isTruncated"]
    assert gateway.api("GET", "/requests/1", expect=404)["status"] == 404
