"""Fault rules that act on the device: an accepted push finds it offline, without permission, or with a failing
extension."""

import pytest

from faulty import rule

TOPIC = "com.example.app"
ALERT = b'{"aps":{"alert":"Tea","mutable-content":1}}'


@pytest.fixture
def phone(start_gateway, connect):
    gateway = start_gateway()
    gateway.api("PUT", "/clock", json={"mode": "manual"})
    name, token = gateway.device()
    provider = connect(gateway)

    def push(**wanted):
        answer = provider.push(token, ALERT)
        assert answer.status == 200
        [found] = gateway.wait(device=name, apnsId=answer.apns_id, **wanted)
        return gateway.detail(found)

    return gateway, name, push


def test_a_fault_crashes_or_slows_an_extension(phone):
    gateway, name, push = phone
    gateway.api("PUT", f"/apps/{TOPIC}", json={"extension": {"kind": "process", "command": ["/bin/false"]}})
    rule(gateway, {"device": {"extension": "crashes"}}, {"device": name}, "crash", count=1)
    rule(gateway, {"device": {"extension": "slow"}}, {"device": name}, "slow", count=1)
    runs = [push(state="delivered")["extension"]["run"] for _ in range(3)]
    assert [(one["end"], one.get("detail")) for one in runs[:2]] == [
        ("crashed", "fault rule crash"), ("expired", "fault rule slow")]
    assert runs[2]["end"] == "exited"
    assert [one.get("fault") for one in gateway.api("GET", "/requests")["requests"]] == ["crash", "slow", None]


def test_device_faults_require_an_accepted_push(phone):
    gateway, name, _ = phone
    answer = gateway.api("POST", "/faults", 400, json={
        "name": "both", "effect": {"device": {"permission": "denied"}, "answer": {"status": 410}}})
    assert "effect.device" in answer["error"] and "without parts that refuse" in answer["error"]
    answer = gateway.api(
        "PATCH", f"/devices/{name}", expect=(400,), json={"offlineUntil": "2027-01-15T09:00:00Z"})
    assert "offlineUntil" in answer["error"] and "isOnline" in answer["error"]


def test_a_refused_push_uses_up_no_rule_about_a_device(start_gateway, connect):
    gateway = start_gateway()
    name, token = gateway.device()
    rule(gateway, {"device": {"offlineFor": "10m"}}, {"topic": TOPIC}, "off", count=1)
    provider = connect(gateway)
    assert provider.push(token, ALERT, apns_priority="7").status == 400
    assert [one["matched"] for one in gateway.api("GET", "/faults")["faults"]] == [0]
    assert provider.push(token, ALERT).status == 200
    assert [one.get("fault") for one in gateway.api("GET", "/requests")["requests"]] == [None, "off"]
    assert not gateway.api("GET", f"/devices/{name}")["isOnline"]
