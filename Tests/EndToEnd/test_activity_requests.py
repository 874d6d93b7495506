"""Requests about Live Activities: as client libraries make them, and with mistakes that APNs rejects."""

import json

from activities import APP, T0, TOPIC, findings, phone, state
from admin import own
from channels import request


def test_L5_3_a_refused_push_names_the_header_that_is_wrong(phone):
    token = phone.started()["push"]["token"]
    alert = json.dumps({"aps": {"alert": "Hello"}}).encode()
    for topic, kind, reason, found in [
            (TOPIC, "alert", "InvalidPushType", ["la.pushType"]),
            (APP, "alert", "DeviceTokenNotForTopic", ["la.topic.suffix", "la.pushType"]),
            (APP, "liveactivity", "DeviceTokenNotForTopic", ["la.topic.suffix"])]:
        answer = phone.provider.push(token, alert, apns_topic=topic, apns_push_type=kind)
        assert (answer.status, answer.reason) == (400, reason)
        assert findings(phone) == found
    phone.gateway.api("POST", phone.path + "/registrations", json={"topic": APP})
    [plain] = [one["token"] for one in phone.gateway.api("GET", phone.path + "/registrations")["registrations"]
               if one["topic"] == APP]
    answer = phone.push(plain, "update", T0, topic=APP, content_state=state(2))
    assert (answer.status, answer.reason) == (400, "InvalidPushType")
    assert findings(phone) == ["la.topic.suffix"]


# MARK: - Clients, as their sources make requests


def life(phone, headers, start, more):
    """Starts, updates and ends an activity with a client's headers; each event has further members of `aps`."""
    def push(token, event, at, **members):
        aps = {"timestamp": T0 + at, "event": event, "content-state": state(at + 1)} | more.get(event, {}) | members
        answer = request(
            phone.provider, "POST", f"/3/device/{token}", json.dumps({"aps": aps}).encode(), **{"apns-topic": TOPIC} | headers)
        assert (answer.status, answer.body, bool(answer.headers["apns-id"])) == (200, b"", True)

    push(phone.start_token, "start", 0, **{"attributes-type": "Delivery", "attributes": {"orderId": "7"}} | start)
    activity = phone.activity()
    assert (activity["state"], activity["content"]["step"]) == ("active", 1)
    push(activity["push"]["token"], "update", 1)
    assert phone.activity()["content"]["step"] == 2
    push(activity["push"]["token"], "end", 2)
    assert (phone.activity()["state"], phone.activity()["content"]["step"]) == ("dismissed", 3)
    assert phone.events("activityPushDropped") == []


def test_node_apn(phone):
    """It omits priority 10 and an expiration that is not set, and passes every member of `aps` on."""
    alert = {"title": "On its way", "body": "Your order has left.", "sound": "default"}
    life(phone, {"apns-push-type": "liveactivity"}, {"alert": alert, "input-push-token": 1}, {
        "update": {"stale-date": T0 + 900, "relevance-score": 50}, "end": {"dismissal-date": T0}})


def test_apnswift(phone):
    """It names no input for pushes, spells texts like those of an alert, and sends 0 to dismiss at once."""
    headers = {
        "content-type": "application/json", "user-agent": "APNS/swift-nio", "apns-push-type": "liveactivity",
        "apns-expiration": 0, "apns-priority": 10}
    alert = {"title-loc-key": "ON_ITS_WAY", "body": "Your order has left."}
    life(phone, headers, {"alert": alert}, {"end": {"dismissal-date": 0}})
