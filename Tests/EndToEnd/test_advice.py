"""Advice for what people really send: keys and headers in the wrong form, tokens of other services."""

import json
import re
import socket
import time

import pytest

import tokens
from activities import T0, phone, state
from admin import own


def pushed(gateway, provider, payload, **headers):
    """The ids and messages of the findings about a push to a new device, of request and notification."""
    _, token = gateway.device()
    assert provider.push(token, json.dumps(payload).encode(), **headers).status == 200
    request = gateway.api("GET", "/requests/latest")
    of_request = gateway.api("GET", f"/requests/{request['number']}")["findings"]
    of_notification = gateway.api("GET", f"/notifications/{request['notification']}")["findings"]
    return [{finding["id"]: finding["message"] for finding in found} for found in (of_request, of_notification)]


def test_a_misspelt_key_is_named(own, connect):
    for found in pushed(own, connect(own), {"aps": {"alert": "Hi", "content_available": 1}}):
        assert found["payload.key.misspelt"] == "ignored: did you mean `content-available`?"
        assert "aps.unknownKey" not in found


def test_an_expiration_that_is_no_date(own, connect):
    provider = connect(own)
    for expiration, rule in [
            ("3600", "expiration.ttl"), ("1926403200000", "expiration.milliseconds"), ("1926403200", None), ("0", None)]:
        for found in pushed(own, provider, {"aps": {"alert": "Hi"}}, apns_expiration=expiration):
            assert [name for name in found if name in ("expiration.ttl", "expiration.milliseconds")] == ([rule] if rule else [])


def diagnosis(gateway):
    return gateway.api("GET", "/requests/latest")["diagnosis"]["message"]


def test_a_body_that_is_not_read_has_the_length_it_announced(own, connect):
    _, token = own.device()
    provider = connect(own)
    payload = b'{"aps":{"alert":"' + b"x" * 100_002 + b'"}}'
    answer = provider.push(token, payload, content_length=str(len(payload)))
    assert answer.status == 413
    assert f" {len(payload)} bytes" in diagnosis(own)


def test_many_mistakes_in_a_payload_are_counted(own, connect):
    payload = {"aps": {"alert": "Hi", **{"k%03d" % number: 1 for number in range(300)}}}
    start = time.monotonic()
    provider = connect(own)
    _, token = own.device()
    for _ in range(20):
        assert provider.push(token, json.dumps(payload).encode()).status == 200
    page = own.api("GET", "/notifications", params={"limit": 20})["notifications"]
    assert len(page) == 20 and all(one["findingCount"] < 60 for one in page)
    findings = own.api("GET", f"/notifications/{page[0]['id']}")["findings"]
    assert "250 more findings of the same kind are not listed" in [one["message"] for one in findings]
    assert time.monotonic() - start < 20


def over_http1(gateway, target, body=b"", **headers):
    """The status line of the answer to a request in clear text."""
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in {"host": "localhost", **headers}.items())
    with socket.create_connection(gateway.clear_text, 15) as client:
        client.sendall(f"POST {target} HTTP/1.1\r\n{head}\r\n".encode() + body)
        return client.makefile("rb").readline().decode()


@pytest.mark.parametrize("length, words", [
    ({"content_length": 100_021}, r" 100021 bytes, at least 95925 more"),
    ({"transfer_encoding": "chunked"}, r"at least (\d+) bytes, at least (\d+) more")])
def test_a_body_over_http1_has_the_length_it_announced(own, length, words):
    """The answer precedes the body's end."""
    _, token = own.device()
    begin = b"" if "content_length" in length else b"186b5\r\n"
    head = {"authorization": "bearer " + own.bearer.removeprefix("bearer "), "apns_topic": "com.example.app", **length}
    assert " 413 " in over_http1(own, "/3/device/" + token, begin + b"x" * 80_000, **head)
    assert re.search(words, diagnosis(own)), diagnosis(own)


def test_the_410_of_a_live_activity_names_it(phone):
    activity = phone.started()
    token = activity["push"]["token"]
    assert phone.push(token, "end", T0 + 1, content_state=state(2)).status == 200
    gone = phone.push(token, "update", T0 + 2, content_state=state(3))
    assert gone.status == 410
    message = diagnosis(phone.gateway)
    assert activity["id"] in message and " ended at 2031-" in message and " by the push " in message


def test_a_key_that_cannot_be_used_is_refused_with_a_remedy(own):
    key = tokens.new_key()
    public = tokens.public_pem(key).decode()
    for member, text, words in [
            ("privateKey", public, "this is a public key, which cannot sign"),
            ("publicKey", "hello", "no '-----BEGIN PUBLIC KEY-----' in it"),
            ("publicKey", public.replace("\n", "\\n"), "replace each with a line break"),
            ("publicKey", public.replace("\n", ""), "BEGIN and END need lines of their own")]:
        error = own.api("POST", "/keys", json={member: text}, expect=400)["error"]
        assert error.startswith(f"'{member}' cannot be used: ") and words in error
