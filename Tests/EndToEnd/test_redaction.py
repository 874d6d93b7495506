"""Redaction: fields named in the settings appear in no answer, stream, log line or saved state."""

import json
import re

import httpx
import pytest

import contract
import tokens
from event_stream import EventStream
from gateway import device_token, pushcote
from provider import Provider

SECRET = "Rosebud"
# So long that no token, UUID or port contains it by chance.
SECRET_NUMBER = 973155031975
PAYLOAD = json.dumps({
    "aps": {"alert": {"title": "Order 7", "body": SECRET}, "mutable-content": 1, "badge": 3},
    "customer": {"name": SECRET, "cards": [{"number": SECRET, "limit": SECRET_NUMBER}, {"number": SECRET_NUMBER}], "vip": True},
    "order": 7,
}).encode()
MEMBERS = "redact.payload=aps.alert.body,customer"


def answers(gateway):
    """The answer to every admin API GET whose parameters can be filled from existing data."""
    document = contract.of(gateway.description).document
    notification = str(gateway.notifications()[-1]["id"])
    names = {"name": "phone", "bundleId": "com.example.app", "id": notification, "number": "1", "token": "none"}
    for path, item in document["paths"].items():
        if "get" in item and "stream" not in path:
            path = re.sub(r"\{(\w+)\}", lambda match: names.get(match[1], "none"), path)
            yield path, httpx.get("http://%s:%d%s" % (*gateway.admin_address, path), trust_env=False).text


def fill(gateway, token):
    """Sends pushes that are accepted, rejected, direct, and logged by a fault, and acts on them."""
    with Provider.to(gateway) as provider:
        assert provider.push(token, PAYLOAD).status == 200
        assert provider.push(token, PAYLOAD, apns_priority="11").status == 400
        assert provider.push(token, b"{" + PAYLOAD).status == 200
        gateway.api("POST", "/faults", json={"name": "busy", "match": {"token": token}, "effect": {"answer": {"status": 503}}})
        assert provider.push(token, PAYLOAD).status == 503
        gateway.api("DELETE", "/faults/busy")
        assert provider.push(token, PAYLOAD).status == 200
    gateway.api("POST", "/devices/phone/push", params={"topic": "com.example.app"}, json=json.loads(PAYLOAD))


def test_payload_members_appear_in_no_answer_and_no_log(start_gateway):
    gateway = start_gateway(MEMBERS, "log.level=trace")
    _, token = gateway.device("phone")
    fill(gateway, token)
    seen = dict(answers(gateway))
    assert len(seen) > 40 and "Order 7" in seen["/api/v1/devices/phone/screen.svg"]
    for path, text in seen.items():
        assert SECRET not in text and str(SECRET_NUMBER) not in text, path
    pushed = json.loads(gateway.admin.get("/api/v1/notifications/1/payload").content)
    assert pushed["aps"] == {"alert": {"title": "Order 7", "body": "[redacted]"}, "mutable-content": 1, "badge": 3}
    assert pushed["customer"] == {
        "name": "[redacted]", "cards": [{"number": "[redacted]", "limit": 0}, {"number": 0}], "vip": False}
    assert gateway.api("GET", "/requests/1")["payloadByteCount"] > 0
    with EventStream(gateway) as stream:
        gateway.api("POST", "/devices/phone/push", params={"topic": "com.example.app"}, json=json.loads(PAYLOAD))
        assert SECRET not in json.dumps(stream.until("notifications").data)
    assert SECRET not in gateway.stderr
    state = gateway.admin.get("/api/v1/state")
    assert gateway.admin.put("/api/v1/state", content=state.content).status_code == 200


def test_sizes_are_of_the_original_payload(start_gateway):
    gateway = start_gateway("redact.payload=text")
    _, token = gateway.device("phone")
    with Provider.to(gateway) as provider:
        large = json.dumps({"aps": {"alert": "Hi"}, "text": "x" * 4096}).encode()
        assert provider.push(token, large).reason == "PayloadTooLarge"
        assert provider.push(token, b"").reason == "PayloadEmpty"
        plain = b'{ "aps": {"alert":"Hi"} }'
        assert provider.push(token, plain).status == 200
    assert gateway.admin.get("/api/v1/notifications/1/payload").content == plain


def test_tokens_appear_in_no_answer(start_gateway):
    gateway = start_gateway("redact.deviceTokens=true", "log.level=trace")
    token, short, unknown = device_token(), "0badcafe07", device_token(80)
    gateway.device("phone", token=token)
    gateway.device("watch", token=short)
    fill(gateway, token)
    with Provider.to(gateway) as provider:
        assert provider.push(short).status == 200
        assert provider.push(unknown.upper()).status == 200
        assert provider.push(unknown + "zz").status == 400
        assert provider.push(token, topic="x", apns_topic="com.example.other").status == 400
    gateway.admin.post("/mock/error-tokens", json={"device_token": token, "status": 410, "reason": "Unregistered"})
    seen = dict(answers(gateway))
    for path, text in seen.items():
        assert not any(secret in text.lower() for secret in (token, short, unknown)), path
    [pseudonym] = {one["token"] for one in gateway.notifications(device="phone")}
    assert len(pseudonym) == 64 and pseudonym.startswith(token[:8])
    assert [one["token"] for one in gateway.api("GET", "/devices/phone/registrations")["registrations"]] == [pseudonym]
    with EventStream(gateway) as stream:
        with Provider.to(gateway) as provider:
            assert provider.push(short).status == 200
        assert short not in json.dumps(stream.until("notifications").data)
    assert not any(secret in gateway.stderr.lower() for secret in (token, short, unknown))
    saved = gateway.admin.get("/api/v1/state").content
    gateway.api("POST", "/reset")
    assert gateway.admin.put("/api/v1/state", content=saved).status_code == 200
    assert gateway.notifications(device="phone")


def test_key_ids_appear_in_no_answer(start_gateway):
    gateway = start_gateway("redact.keyIds=true")
    _, token = gateway.device("phone")
    key = tokens.load(gateway.admin.post("/api/v1/keys", json={"keyId": "SECRET0001"}).json()["privateKey"])
    with Provider.to(gateway, bearer=tokens.provider_token(key, "SECRET0001", "PUSHCOTEAM")) as provider:
        assert provider.push(token).status == 200
        provider.push(token, authorization=f"bearer {tokens.provider_token(key, 'SECRET0009', 'PUSHCOTEAM')}")
    with Provider.to(gateway) as provider:
        assert provider.push(token).status == 200
    for path, text in answers(gateway):
        assert "SECRET" not in text, path
    [first, second] = [gateway.api("GET", f"/connections/{number}")["tokens"][0]["keyId"] for number in (1, 2)]
    assert re.fullmatch("[0-9A-F]{10}", first) and second == "PUSHCOTE01"
    assert first in {key["keyId"] for key in gateway.api("GET", "/keys")["keys"]}


@pytest.mark.parametrize("value", ["aps..alert", ".", "aps."])
def test_an_invalid_path_stops_start_up(tmp_path, value):
    ended = pushcote("config", "--set", f"redact.payload={value}", cwd=tmp_path)
    assert ended.returncode == 2 and "redact.payload" in ended.stderr


def test_the_file_of_exec_has_pseudonyms(tmp_path):
    command = """curl -s -X PUT $PUSHCOTE_ADMIN/api/v1/devices/phone -d '{"registrations":[{"topic":"com.example.app"}]}' """
    ended = pushcote(
        "exec", "--record", "run.json", "--set", "redact.deviceTokens=true", "--", "sh", "-c", command, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    [shown] = set(re.findall(r"[0-9a-f]{64}", ended.stdout))
    file = (tmp_path / "run.json").read_text()
    whole = pushcote("exec", "--record", "whole.json", "--", "sh", "-c", command, cwd=tmp_path)
    [token] = set(re.findall(r"[0-9a-f]{64}", whole.stdout))
    assert token[:8] == shown[:8] and token[:8] in file and token not in file
    assert token in (tmp_path / "whole.json").read_text()


def test_a_line_of_the_log_has_no_whole_token(start_gateway, connect):
    gateway = start_gateway("log.level=info")
    _, token = gateway.device()
    gateway.admin.post("/mock/error-tokens", json={"device_token": token, "status": 410, "reason": "Unregistered"})
    assert connect(gateway).push(token).status == 410
    gateway.wait_for_log(f"by fault rule 'mock/error-tokens/{token[:8]}…'")
    assert token not in gateway.stderr
