"""The control paths of another mock, as its tests call them."""

import httpx
import pytest

from admin import own
from gateway import device_token


def test_a_token_answers_its_error_until_the_reset(own, connect):
    bad, good = device_token(), device_token()
    provider = connect(own)
    set_it = [{"device_token": bad.upper(), "status": 410, "reason": "Unregistered"}]
    answer = own.admin.post("/mock/error-tokens", json=set_it)
    assert (answer.status_code, answer.content) == (200, b"")
    assert own.admin.get("/mock/error-tokens").json() == {bad: {"status": 410, "reason": "Unregistered"}}
    for _ in range(2):
        refused = provider.push(bad)
        assert (refused.status, refused.reason) == (410, "Unregistered")
    assert provider.push(good).status == 200
    assert [one["token"] for one in own.notifications()] == [good]

    newest, *others = own.admin.get("/mock/activity").json()
    assert (newest["device_token"], newest["status"], newest["response_data"]) == (good, 200, {})
    assert newest["request_headers"]["apns-topic"] == "com.example.app"
    assert newest["request_data"]["aps"]["alert"]["title"] == "Tea"
    assert [(one["device_token"], one["status"], one["response_data"]) for one in others] == [
        (bad, 410, {"reason": "Unregistered"})] * 2

    assert own.admin.post("/mock/reset").content == b""
    assert own.admin.get("/mock/error-tokens").json() == {}
    assert own.admin.get("/mock/activity").json() == []
    assert provider.push(bad).status == 200


def test_repeating_a_token_replaces_its_error_and_keeps_other_rules(own, connect):
    token = device_token()
    own.api("POST", "/faults", json={"name": "mine", "match": {"topic": "other"}, "effect": {"delay": "1s"}})
    for status, reason in ((400, "BadDeviceToken"), (429, "TooManyRequests")):
        one = {"device_token": token, "status": status, "reason": reason}
        assert own.admin.put("/mock/error-tokens", json=one).status_code == 200
    twice = [{"device_token": token, "status": 500, "reason": "First"}, {"device_token": token, "status": 503, "reason": "Shutdown"}]
    assert own.admin.put("/mock/error-tokens", json=twice).status_code == 200
    assert connect(own).push(token).reason == "Shutdown"
    assert own.admin.put("/mock/reset").status_code == 200
    assert [fault["name"] for fault in own.api("GET", "/faults")["faults"]] == ["mine"]


@pytest.mark.parametrize("body, words", [
    ([{"device_token": "not hex", "status": 410, "reason": "x"}], "'tokens[0].device_token'"),
    ([{"device_token": "aabb", "reason": "x"}], "status"), ([{"device_token": "aabb", "status": 99, "reason": "x"}], "99"),
    ({"device_token": "aabb", "status": 410}, "reason"), ("text", "object"), ([7], "'tokens[0]'"),
])
def test_invalid_aliases_are_named(gateway, body, words):
    answer = gateway.admin.post("/mock/error-tokens", json=body)
    assert answer.status_code == 400 and words in answer.json()["error"], answer.text


def test_the_limit_is_that_of_fault_rules(own):
    tokens = [{"device_token": f"{number:064x}", "status": 410, "reason": "Unregistered"} for number in range(101)]
    assert own.admin.post("/mock/error-tokens", json=tokens).status_code == 409
    assert own.admin.post("/mock/error-tokens", json=tokens[:100]).status_code == 200


def test_aliases_require_the_token_and_are_served_on_the_admin_port_only(start_gateway):
    gateway = start_gateway("admin.token=secret")
    assert gateway.admin.post("/mock/reset", headers={"authorization": "Bearer secret"}).status_code == 200
    with httpx.Client(base_url="http://%s:%d" % gateway.admin_address, trust_env=False) as stranger:
        assert stranger.post("/mock/reset").status_code == 401
    with httpx.Client(base_url="http://%s:%d" % gateway.clear_text, trust_env=False) as provider:
        assert provider.post("/mock/reset").status_code == 404
