"""Fleets: many devices in one request, with tokens that a client can derive."""

import hashlib

import pytest

from admin import own
from gateway import pushcote

TOPIC = "com.example.app"


def derived(device, topic=TOPIC, environment="sandbox", kind="app", generation=0):
    """The derivation documented in docs/admin-api.md."""
    words = ["pushcote-token-1", device, topic, environment, kind, str(generation)]
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def names(gateway, **query):
    found, cursor = [], None
    while True:
        page = gateway.api("GET", "/devices", params=query | {"limit": 1000} | ({"cursor": cursor} if cursor else {}))
        found += [device["name"] for device in page["devices"]]
        if not (cursor := page.get("next")):
            return found


def test_tokens_are_derived_offline_and_accept_pushes(own, connect):
    made = own.api("POST", "/devices/generate", json={"count": 3, "apps": [TOPIC, TOPIC + ".voip"]})
    assert (made["count"], made["first"], made["last"]) == (3, "fleet-000001", "fleet-000003")
    for device in own.api("GET", "/devices")["devices"]:
        app, voip = device["registrations"]
        assert app["token"] == derived(device["name"])
        assert voip["token"] == derived(device["name"], topic=TOPIC + ".voip", kind="voip")
    assert connect(own).push(derived("fleet-000002")).status == 200
    [notification] = own.wait(device="fleet-000002")
    assert notification["state"] == "delivered"


def test_parts_have_their_shares_and_the_seed_reproduces_them(own):
    def offline(prefix, seed):
        made = own.api("POST", "/devices/generate", json={
            "count": 1000, "prefix": prefix, "seed": seed, "conditions": [
                {"share": 0.1, "isOnline": False, "focus": {"modes": [{"id": "w", "name": "W"}], "active": "w"}},
                {"share": 0.25, "isLocked": False, "apps": {TOPIC: {"authorizationStatus": "denied"}}}]})
        assert [part["count"] for part in made["conditions"]] == [100, 250]
        assert made["seed"] == seed
        devices = [own.api("GET", f"/devices/{name}") for name in names(own, prefix=prefix)[:100]]
        assert any(device.get("focus", {}).get("active") == "w" for device in devices)
        for device in devices:
            assert device["isOnline"] or device["focus"]["active"] == "w"
            denied = device["apps"].get(TOPIC, {}).get("authorizationStatus") == "denied"
            assert denied == (not device["isLocked"])
        return [device["isOnline"] for device in devices]

    first = offline("a", 7)
    assert 0 < first.count(False) < 30, "spread over the fleet"
    assert offline("b", 7) == first
    assert offline("c", 8) != first


def test_an_existing_device_rejects_the_fleet_and_nothing_is_created(own):
    own.device("fleet-000150")
    answer = own.api("POST", "/devices/generate", expect=409, json={"count": 200})
    assert "'fleet-000150' exists" in answer["error"]
    assert names(own) == ["fleet-000150"]


def test_the_number_of_devices_is_bounded(start_gateway):
    gateway = start_gateway("inbox.devices=5")
    gateway.device("one")
    answer = gateway.api("POST", "/devices/generate", expect=409, json={"count": 5})
    assert answer["error"] == "There is room for 4 more devices, not for 5; inbox.devices allows 5."
    assert gateway.api("POST", "/devices/generate", json={"count": 4})["last"] == "fleet-000004"


@pytest.fixture(scope="module")
def empty(make_gateway):
    return make_gateway()


@pytest.mark.parametrize("body, words", [
    ({}, "'count' is missing"),
    ({"count": 0}, "'count' is 0"),
    ({"count": 1, "prefix": "a/b"}, "'prefix' does not fit into a name"),
    ({"count": 1, "apps": ["a.b", "a.b"]}, "'apps[1]' repeats a.b"),
    ({"count": 1, "conditions": [{"isOnline": False}]}, "'conditions[0].share' is missing"),
    ({"count": 1, "conditions": [{"share": 0.5}, {"share": 0.1, "isOnlin": False}]}, "'conditions[1].isOnlin'"),
    ({"count": 1, "conditions": [{"share": 0.5, "apps": {"a.b": {"alert": "of"}}}]}, "'conditions[0].apps.a.b.alert'"),
    ({"count": 1, "conditions": [{"share": 0.5}, {"share": 0.6}]}, "'conditions' has shares with the sum 1.1"),
])
def test_errors_name_their_place(empty, body, words):
    assert words in empty.api("POST", "/devices/generate", expect=400, json=body)["error"]
    assert names(empty) == []


def test_a_fleet_is_deleted_by_its_prefix(own):
    own.api("POST", "/devices/generate", json={"count": 300})
    own.device("flee")
    assert own.api("DELETE", "/devices", params={"prefix": "fleet-"}) == {"removed": 300}
    assert names(own) == ["flee"]
    assert "'prefix' is missing" in own.api("DELETE", "/devices", expect=400)["error"]


def test_a_device_may_be_called_generate(own):
    own.device("generate")
    assert own.api("GET", "/devices/generate")["name"] == "generate"
    assert own.api("DELETE", "/devices/generate") == {"removed": 1}


def test_the_command(own):
    def run(*arguments):
        return pushcote("devices", *arguments, "--admin", "http://%s:%d" % own.admin_address)

    made = run("generate", 10, "--app", TOPIC, "--part", "0.3 isOnline=false ringSwitch=silent")
    assert made.stdout == (
        "10 devices created: fleet-000001 to fleet-000010\n3 of them: 0.3 isOnline=false ringSwitch=silent\n")
    assert "has no share" in run("generate", 10, "--part", "isOnline=false").stderr
    assert run("delete", "--prefix", "fleet-").stdout == "10 devices removed\n"
