"""The clock goes back, after a gateway was ahead of real time: what a device counts goes on with the time left."""

import json
import time

import pytest

from channels import broadcast, quoted, sender

TOPIC = "com.example.app"
NOON = "2030-01-07T12:00:00Z"
BACKGROUND = {"aps": {"content-available": 1}}


@pytest.fixture
def own(start_gateway):
    gateway = start_gateway("auth.mode=off", "assumptions.widgetBudget=1")
    stop(gateway)
    gateway.api("PUT", f"/apps/{TOPIC}", json={
        "backgroundModes": ["remote-notification"], "liveActivities": {"types": []},
        "widgets": [{"kind": "steps", "push": True}]})
    return gateway


def stop(gateway, **at):
    gateway.api("PUT", "/clock", json={"mode": "manual", **at})


def advance(gateway, by):
    gateway.api("POST", "/clock/advance", json={"by": by})


def go_back(gateway):
    gateway.api("POST", "/clock/reset")
    stop(gateway)


def device(gateway, name="phone", **members):
    gateway.api("PUT", f"/devices/{name}", json={"registrations": [{"topic": TOPIC}], **members})


def push(gateway, body=None, name="phone", **query):
    body = body or {"aps": {"alert": {"title": "Parcel", "body": "It is here."}}}
    number = gateway.api("POST", f"/devices/{name}/push", params={"topic": TOPIC, **query}, json=body)["id"]
    return gateway.api("GET", f"/notifications/{number}")


def background(gateway):
    return push(gateway, BACKGROUND, pushType="background", priority=5)


def test_a_live_activity_has_eight_hours_in_all(own):
    device(own)
    own.api("PATCH", f"/devices/phone/apps/{TOPIC}/live-activities", json={"setting": "always"})
    own.api("POST", "/devices/phone/activities", json={"app": TOPIC, "type": "Delivery", "content": {}, "isIntent": True})

    def state():
        return own.api("GET", "/devices/phone/activities")["activities"][0]["state"]

    advance(own, "6h")
    go_back(own)
    advance(own, "119m")
    assert state() == "active"
    advance(own, "2m")
    assert state() == "ended"


def test_a_budget_for_background_pushes_has_its_hour(own):
    device(own)
    for _ in range(3):
        background(own)
    advance(own, "50m")
    go_back(own)
    held = background(own)
    assert held["holdReason"] == "backgroundBudget"
    advance(own, "11m")
    assert own.api("GET", f"/notifications/{held['id']}")["state"] == "delivered"


def test_a_budget_for_widgets_has_its_day(own):
    device(own)
    own.api("PATCH", f"/devices/phone/apps/{TOPIC}/services", json={"widgets": [{"id": "w", "kind": "steps"}]})

    def reload():
        body = {"aps": {"content-changed": True}}
        return push(own, body, topic=f"{TOPIC}.push-type.widgets", pushType="widgets")["why"]

    reloaded = reload()
    assert reload() != reloaded
    advance(own, "20h")
    go_back(own)
    advance(own, "3h")
    assert reload() != reloaded
    advance(own, "2h")
    assert reload() == reloaded


@pytest.mark.parametrize("resets", [0, 1, 2])
def test_a_stored_broadcast_has_eight_hours_in_all(own, resets):
    """B7 for every subscriber"""
    own.api("PATCH", f"/apps/{TOPIC}", json={"isBroadcastEnabled": True})
    channel = own.api("POST", "/channels", json={"app": TOPIC, "messageStoragePolicy": 1})["id"]

    def start(name):
        own.api("PATCH", f"/devices/{name}/apps/{TOPIC}/live-activities", json={"setting": "always"})
        own.api("POST", f"/devices/{name}/activities", json={
            "app": TOPIC, "type": "Delivery", "content": {}, "isIntent": True, "push": f"channel:{channel}"})

    def stored():
        rows = own.api("GET", f"/channels/{quoted(channel)}/subscriptions")["subscriptions"]
        return [row["device"] for row in rows if "stored" in row]

    for name in "ab":
        device(own, name)
        start(name)
        own.api("PATCH", f"/devices/{name}", json={"isOnline": False})
    body = {"aps": {"timestamp": int(time.time()), "event": "update", "content-state": {}}}
    with sender(own) as connection:
        answer = broadcast(connection, channel, json.dumps(body).encode(), TOPIC, apns_expiration=int(time.time()) + 86400 * 3)
    assert answer.status == 200
    advance(own, "6h")
    for name in "ab":
        # The first one ends before the broadcast.
        start(name)
    for _ in range(resets):
        go_back(own)
    advance(own, "119m")
    assert stored() == ["a", "b"]
    advance(own, "2m")
    assert stored() == []


def test_findings_about_recent_pushes_count_none_of_the_future(own):
    stop(own, now=NOON)
    device(own)
    for _ in range(3):
        background(own)
    number = push(own)["id"]
    own.api("POST", "/devices/phone/actions", json={"action": "dismiss", "notification": number})
    go_back(own)
    advance(own, "48h")
    findings = {finding["id"] for found in (background(own), push(own)) for finding in found["findings"]}
    assert not {"bg.rate", "content.duplicate"} & findings


def reservation(day, status="Confirmed"):
    return json.dumps({
        "@context": "http://schema.org", "@type": "FoodEstablishmentReservation", "reservationId": "R1",
        "reservationStatus": f"http://schema.org/Reservation{status}", "startTime": f"2030-01-{day}T19:00:00+00:00",
        "partySize": 2, "reservationFor": {"@type": "FoodEstablishment", "name": "G", "address": "1-1"}})


def test_the_later_change_of_a_reservation_wins_in_a_state_from_the_future(own, start_gateway):
    """G.7 although one device has lived longer than the other"""
    stop(own, now=NOON)
    for name in "ab":
        device(own, name, person="maria")

    def mail(name, text):
        own.api("POST", f"/devices/{name}/markup", params={"source": "mail"}, content=text)

    mail("a", reservation(20))
    own.api("PATCH", "/devices/a", json={"isOnline": False})
    advance(own, "10m")
    mail("b", reservation(22))
    advance(own, "10m")
    mail("a", reservation(22, "Cancelled"))
    advance(own, "3h")
    own.api("PATCH", "/devices/a", json={"isLocked": False})
    other = start_gateway("auth.mode=off")
    other.api("PUT", "/state", json=own.api("GET", "/state"))
    for gateway in (own, other):
        gateway.api("PATCH", "/devices/a", json={"isOnline": True})
        for name in "ab":
            states = [event["state"] for event in gateway.api("GET", f"/devices/{name}/calendar")["events"]]
            assert states == ["cancelled"], (gateway is own, name)
