"""Injected faults on the wire: every effect, and every scenario by name."""

import json
import socket
import ssl
import time

import httpx
import pytest

from faulty import clear, connection, expect_close_on_connect, faulty, recorded, rule, traced
from gateway import device_token
from provider import Provider


SHUTDOWN = b'{"reason":"Shutdown"}'


def test_any_status_and_reason(faulty):
    rule(faulty, {"answer": {"status": 418, "reason": "Teapot"}}, name="tea")
    token = device_token()
    with Provider.to(faulty) as provider:
        answer = provider.push(token)
    assert (answer.status, answer.body, answer.data_frames) == (418, b'{"reason":"Teapot"}', 1)
    (record,) = recorded(faulty, token)
    assert (record["status"], record["reason"], record["fault"]) == (418, "Teapot", "tea")
    assert record["apnsId"] == answer.apns_id and "notification" not in record


@pytest.mark.parametrize("reason, status", [("BadDeviceToken", 400), ("Unregistered", 410)])
def test_without_a_status_a_reason_has_its_own(faulty, reason, status):
    rule(faulty, {"answer": {"reason": reason}})
    token = device_token()
    with Provider.to(faulty) as provider:
        answer = provider.push(token)
    assert answer.status == status and json.loads(answer.body)["reason"] == reason
    assert ("timestamp" in json.loads(answer.body)) == (status == 410)
    (record,) = recorded(faulty, token)
    assert "notification" not in record


@pytest.mark.parametrize("answer, words", [
    ({"reason": "Unregisterd"}, "did you mean Unregistered?"), ({"reason": "Teapot"}, "any with its status"),
    ({"status": 200, "reason": "Nope"}, "a status from 300 up")])
def test_a_reason_belongs_to_a_status(faulty, answer, words):
    refused = faulty.api("POST", "/faults", 400, json={"effect": {"answer": answer}})
    assert words in refused["error"]


def test_a_rule_without_a_name_gets_one_that_nobody_has(faulty):
    names = [faulty.api("POST", "/faults", json={"effect": {"delay": "1s"}})["faults"][0]["name"] for _ in range(3)]
    assert len(set(names)) == 3 and all(name.startswith("fault-") for name in names)
    faulty.api("DELETE", f"/faults/{names[2]}")
    assert faulty.api("POST", "/faults", json={"effect": {"delay": "1s"}})["faults"][0]["name"] not in names


def test_a_scenario_has_an_instance_for_each_match(faulty):
    def apply(**match):
        return [one["name"] for one in faulty.api("POST", "/faults", json={"scenario": "G5", "match": match})["faults"]]

    assert apply(device="a") == apply(device="a") == ["never-answered"]
    assert apply(device="b") == apply(device="b") == ["never-answered@2"]
    kept = {one["name"]: one["match"]["device"] for one in faulty.api("GET", "/faults")["faults"]}
    assert kept == {"never-answered": "a", "never-answered@2": "b"}


def test_requests_can_be_filtered_by_their_answer(faulty):
    device, token = faulty.device()
    rule(faulty, {"answer": {"status": 418, "reason": "Samovar"}}, {"token": token}, count=1)
    with Provider.to(faulty) as provider:
        assert provider.push(token).status == 418
        assert provider.push(token).status == 200
    faulty.api("DELETE", "/faults")
    assert [one["token"] for one in faulty.api("GET", "/requests", params={"reason": "Samovar"})["requests"]] == [token]
    assert "'reason'" in faulty.api("GET", "/requests", 400, params={"reason": "Kettle"})["error"]
    faulty.api("DELETE", f"/devices/{device}")
    accepted = faulty.api("GET", "/requests", params={"device": device, "status": 200})["requests"]
    assert [one["token"] for one in accepted] == [token], "its device is gone"


def test_an_answer_without_apns_id(faulty):
    rule(faulty, {"answer": {"status": 200, "omits": ["apnsId"]}})
    _, token = faulty.device()
    with Provider.to(faulty) as provider:
        assert "apns-id" not in provider.push(token).headers
    (record,) = recorded(faulty, token)
    assert record["notification"]


def test_a_delay_does_not_delay_pings(faulty):
    rule(faulty, {"delay": "3s", "jitter": "100ms"})
    with connection(faulty) as provider:
        begin = time.monotonic()
        stream = provider.send(device_token())
        provider.http.ping(b"12345678")
        provider.flush()
        provider.until(lambda: provider.pongs, "a PING's answer")
        assert not provider.answers[stream].ended
        assert provider.answer(stream).status == 200
        assert 3 <= time.monotonic() - begin


def test_a_trickling_body_is_sent_byte_by_byte(faulty):
    rule(faulty, {"trickle": "5ms", "answer": {"status": 400, "reason": "BadTopic"}})
    with connection(faulty) as provider:
        answer = provider.push(device_token())
        assert (answer.body, answer.data_frames) == (b'{"reason":"BadTopic"}', 21)
        faulty.api("DELETE", "/faults")
        rule(faulty, {"trickle": "5ms"})
        answer = provider.push(device_token())
        assert (answer.status, answer.body, answer.data_frames) == (200, b"", 1)


def test_a_connection_ends_after_a_trickling_body(faulty):
    rule(faulty, {
        "trickle": "5ms", "answer": {"status": 400, "reason": "BadTopic"}, "connection": {"how": "close", "when": "after"}})
    with connection(faulty) as provider:
        assert provider.push(device_token()).body == b'{"reason":"BadTopic"}'
        provider.until_closed()


def test_goaway_twice_with_another_last_stream(faulty):
    rule(faulty, {"goAway": {"reason": "Shutdown", "times": 2, "lastStream": 0, "code": "INTERNAL_ERROR"}})
    token = device_token()
    with connection(faulty) as provider:
        stream = provider.send(token)
        provider.until_closed()
        assert provider.goaways == [(0, 2, SHUTDOWN), (0, 2, b"")]
        assert not provider.answers[stream].ended
    (record,) = recorded(faulty, token)
    assert "status" not in record and "notification" not in record


def test_a_client_that_waits_for_a_free_stream_loses_nothing(faulty):
    rule(faulty, {"delay": "300ms"}, stage="accept", count=1)
    with httpx.Client(timeout=20, trust_env=False) as client:
        answer = client.post(
            "http://%s:%d/3/device/%s" % (*faulty.clear_text, device_token()), content=b"x" * 300_000,
            headers={"authorization": f"bearer {faulty.bearer}", "apns-topic": "com.example.app"})
    assert (answer.status_code, answer.json()) == (413, {"reason": "PayloadTooLarge"})


def test_a_connection_is_closed_on_connect(faulty):
    rule(faulty, {"connection": {"how": "close"}}, stage="accept", count=1)
    expect_close_on_connect(faulty)


def test_a_silent_listener(faulty):
    rule(faulty, {"connection": {"how": "silence"}}, stage="accept", count=1)
    with socket.create_connection(faulty.provider, 15) as plain:
        plain.sendall(b"\x16\x03\x01\x00\x05hello")
        plain.settimeout(0.3)
        with pytest.raises((TimeoutError, socket.timeout)):
            plain.recv(1)


def test_a_proxy_accepts_connect_and_fails_tls(faulty):
    rule(faulty, {"failsTLS": True}, stage="accept", count=1, name="behind-proxy")
    with socket.create_connection(faulty.proxy, 15) as plain:
        plain.sendall(b"CONNECT api.push.apple.com:443 HTTP/1.1\r\nhost: api.push.apple.com:443\r\n\r\n")
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += plain.recv(1)
        assert head.startswith(b"HTTP/1.1 200")
        from provider import trust

        with pytest.raises(ssl.SSLError, match="(?i)handshake.failure"):
            trust(faulty.ca).wrap_socket(plain, server_hostname="api.push.apple.com")
    found = traced(faulty, "behind-proxy")
    assert (found["traffic"], found["connectTarget"], found["ending"]) == ("proxy", "api.push.apple.com", "alert")
