"""The admin API: devices, tokens, manual pushes, keys, apps and the request log."""

import json
import re
import time

from cryptography.hazmat.primitives import serialization
import pytest

from admin import ISO8601, own
from gateway import device_token, pushcote
from provider import PAYLOAD
import tokens


TOPIC = "com.example.app"


def test_a_device_is_one_call(gateway):
    made = gateway.admin.put("/api/v1/devices/alice", json={"registrations": [{"topic": TOPIC}]})
    assert made.status_code == 201
    [registration] = made.json()["registrations"]
    assert registration["device"] == "alice" and registration["status"] == "active"
    assert (registration["topic"], registration["environment"], registration["kind"]) == (TOPIC, "sandbox", "app")
    again = gateway.admin.put("/api/v1/devices/alice", json={"registrations": [{"topic": TOPIC}]})
    assert again.status_code == 200
    assert again.json()["registrations"][0]["token"] == registration["token"], "idempotent"


def test_each_device_topic_and_environment_has_a_token_of_its_own(own):
    made = {
        own.device(device, topic=topic, environment=name)[1]
        for device in ("a", "b") for topic in (TOPIC, TOPIC + ".voip") for name in ("sandbox", "production")}
    assert len(made) == 8
    assert all(re.fullmatch(r"[0-9a-f]{64}", token) for token in made)


def test_a_token_can_be_chosen(gateway):
    token = device_token(80)
    assert gateway.device(token=token.upper())[1] == token


def test_a_token_is_unregistered_expired_and_reactivated(gateway, provider):
    name, token = gateway.device()
    path = f"/devices/{name}/registrations/{token}"
    assert provider.push(token).status == 200

    gone = gateway.api("DELETE", path)
    assert gone["status"] == "unregistered" and ISO8601.fullmatch(gone["since"])
    answer = provider.push(token)
    assert (answer.status, answer.reason) == (410, "Unregistered")
    milliseconds = json.loads(answer.body)["timestamp"]
    assert time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(milliseconds // 1000)) + ".%03dZ" % (milliseconds % 1000) == gone["since"]
    assert gateway.api("DELETE", path)["since"] == gone["since"], "saying it twice does not move it"

    assert gateway.api("PATCH", path, json={"status": "expired"})["status"] == "expired"
    assert provider.push(token).reason == "ExpiredToken"
    assert gateway.api("PATCH", path, json={"status": "active"})["status"] == "active"
    assert provider.push(token).status == 200
    assert [one["status"] for one in gateway.api("GET", f"/devices/{name}/registrations")["registrations"]] == ["active"]


@pytest.mark.parametrize("name", ["Anna's iPhone", "電話", "a%2", "x.y-z_1", "…", "a" * 128])
def test_device_names(gateway, name):
    path = "/api/v1/devices/" + "".join(f"%{byte:02X}" for byte in name.encode())
    assert gateway.admin.put(path, json={}).status_code == 201
    assert gateway.admin.get(path).json()["name"] == name
    assert gateway.admin.delete(path).json() == {"removed": 1}


def test_simctls_arguments(gateway, tmp_path):
    name, _ = gateway.device()
    (tmp_path / "payload.json").write_bytes(PAYLOAD)
    admin = "http://%s:%d" % gateway.admin_address
    sent = pushcote("send", name, TOPIC, "payload.json", "--admin", admin, cwd=tmp_path)
    assert sent.returncode == 0, sent.stderr
    (tmp_path / "file.apns").write_text(json.dumps({"Simulator Target Bundle": TOPIC, "aps": {"alert": "two"}}))
    sent = pushcote("send", name, "file.apns", "--admin", admin, cwd=tmp_path)
    assert sent.returncode == 0, sent.stderr
    assert [one["body"] for one in gateway.wait(device=name, count=2)] == ["It is ready.", "two"]
    shown = pushcote("inbox", name, "--admin", admin, cwd=tmp_path)
    assert "Tea" in shown.stdout and "two" in shown.stdout
    listed = json.loads(pushcote("inbox", name, "--json", "--admin", admin, cwd=tmp_path).stdout)
    assert len(listed["notifications"]) == 2


def test_keys_are_generated_registered_and_removed(gateway, connect):
    minted = gateway.api("POST", "/keys", json={})
    assert re.fullmatch(r"[A-Z0-9]{10}", minted["keyId"]) and minted["teamId"] == "PUSHCOTEAM"
    assert "BEGIN PRIVATE KEY" in minted["privateKey"]
    kept = gateway.api("GET", f"/keys/{minted['keyId']}")
    assert "privateKey" not in kept and sorted(kept["environments"]) == ["production", "sandbox"]

    own = tokens.new_key()
    public = own.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
    gateway.api("POST", "/keys", json={"keyId": "MYOWNKEY01", "teamId": "MYOWNTEAM1", "publicKey": public})
    bearer = tokens.provider_token(own, "MYOWNKEY01", "MYOWNTEAM1")
    answer = connect(gateway, bearer=bearer).push(device_token())
    assert answer.status == 200
    assert gateway.request(answer.apns_id)["authentication"] == "verifiedToken"
    assert gateway.api("DELETE", "/keys/MYOWNKEY01") == {"removed": 1}
    gateway.api("GET", "/keys/MYOWNKEY01", expect=404)


def test_removing_a_key_affects_open_connections(start_gateway, connect):
    gateway = start_gateway("auth.mode=strict")
    key = gateway.key()
    bearer = tokens.provider_token(tokens.load(key["privateKey"]), key["keyId"], key["teamId"])
    provider = connect(gateway, bearer=bearer)
    assert provider.push(device_token()).status == 200
    gateway.api("DELETE", f"/keys/{key['keyId']}")
    answer = provider.push(device_token())
    assert (answer.status, answer.reason) == (403, "InvalidProviderToken")


def test_a_key_can_be_restricted_while_connections_are_open(gateway, connect):
    key = gateway.key()
    bearer = tokens.provider_token(tokens.load(key["privateKey"]), key["keyId"], key["teamId"])
    provider = connect(gateway, bearer=bearer)
    assert provider.push(device_token()).status == 200
    gateway.key(**{name: key[name] for name in ("keyId", "teamId", "privateKey")}, topics=["com.example.elsewhere"])
    assert provider.push(device_token()).reason == "TopicDisallowed"


def test_the_request_log_is_bounded_and_counts_evictions(start_gateway, connect):
    gateway = start_gateway("requests.kept=3")
    provider = connect(gateway)
    for _ in range(5):
        provider.push(device_token())
    page = gateway.api("GET", "/requests")
    assert len(page["requests"]) == 3
    assert page["dropped"] == 2
