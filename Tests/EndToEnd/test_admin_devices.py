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


def test_tokens_are_derived_so_that_tests_can_write_them_down(start_gateway):
    tokens_of_two_gateways = set()
    for _ in range(2):
        _, token = start_gateway().device("phone")
        tokens_of_two_gateways.add(token)
    assert len(tokens_of_two_gateways) == 1


def test_each_device_topic_and_environment_has_a_token_of_its_own(own):
    made = {
        own.device(device, topic=topic, environment=name)[1]
        for device in ("a", "b") for topic in (TOPIC, TOPIC + ".voip") for name in ("sandbox", "production")}
    assert len(made) == 8
    assert all(re.fullmatch(r"[0-9a-f]{64}", token) for token in made)


def test_a_token_can_be_chosen(gateway):
    token = device_token(80)
    assert gateway.device(token=token.upper())[1] == token


def test_a_token_belongs_to_one_device(gateway):
    name, token = gateway.device()
    other = gateway.api("POST", "/devices/somebody/registrations", expect=409, json={"topic": TOPIC, "token": token})
    assert other["status"] == 409


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


def test_an_unknown_token_registers_a_device_on_the_fly(gateway, provider):
    token = device_token()
    [notification] = gateway.notifications(apnsId=provider.push(token).apns_id)
    device = gateway.api("GET", f"/devices/{notification['device']}")
    assert [(one["token"], one["topic"]) for one in device["registrations"]] == [(token, TOPIC)]


def test_devices_are_listed_by_page(own):
    names = [f"phone-{number:02}" for number in range(7)]
    for name in names:
        own.api("PUT", f"/devices/{name}", json={})
    seen, cursor = [], None
    while True:
        page = own.api("GET", "/devices", params={"limit": 3} | ({"cursor": cursor} if cursor else {}))
        seen += [one["name"] for one in page["devices"]]
        cursor = page.get("next")
        if cursor is None:
            break
    assert seen == names
    own.api("DELETE", "/devices/phone-00")
    own.api("GET", "/devices/phone-00", expect=404)


@pytest.mark.parametrize("name", ["Anna's iPhone", "電話", "a%2", "x.y-z_1", "…", "a" * 128])
def test_device_names(gateway, name):
    path = "/api/v1/devices/" + "".join(f"%{byte:02X}" for byte in name.encode())
    assert gateway.admin.put(path, json={}).status_code == 201
    assert gateway.admin.get(path).json()["name"] == name
    assert gateway.admin.delete(path).json() == {"removed": 1}


def test_a_payload_is_pushed_directly(gateway):
    name, token = gateway.device()
    made = gateway.admin.post(
        f"/api/v1/devices/{name}/push", params={"topic": TOPIC, "pushType": "alert", "priority": 5, "collapseId": "x"},
        content=PAYLOAD)
    assert made.status_code == 201
    [notification] = gateway.wait(device=name)
    assert {"id": notification["id"], "apnsId": notification["apnsId"]} == made.json()
    assert (notification["token"], notification["priority"], notification["collapseId"]) == (token, 5, "x")
    assert notification["title"] == "Tea"


def test_an_apns_file_names_its_bundle(gateway):
    name, _ = gateway.device()
    payload = {"Simulator Target Bundle": TOPIC, "aps": {"alert": "hi"}, "more": {"Simulator Target Bundle": "stays"}}
    gateway.api("POST", f"/devices/{name}/push", json=payload)
    [notification] = gateway.wait(device=name)
    assert notification["topic"] == TOPIC
    del payload["Simulator Target Bundle"]
    assert gateway.detail(notification)["request"]["payload"] == payload, "removed, as simctl does"


def test_a_direct_push_needs_a_topic(gateway):
    name, _ = gateway.device()
    refused = gateway.api("POST", f"/devices/{name}/push", expect=400, json={"aps": {}})
    assert "topic" in refused["error"] and "Simulator Target Bundle" in refused["error"]


def test_a_direct_push_has_the_same_size_limit(gateway):
    name, _ = gateway.device()
    refused = gateway.admin.post(f"/api/v1/devices/{name}/push", params={"topic": TOPIC}, content=b'{"aps":{}}'.ljust(4097))
    assert refused.status_code in (400, 413)
    assert "4096" in refused.json()["error"]


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


def test_a_removed_keys_tokens_are_no_longer_verified(gateway, connect):
    key = gateway.key()
    provider = connect(gateway, bearer=tokens.provider_token(tokens.load(key["privateKey"]), key["keyId"], key["teamId"]))
    assert provider.push(device_token()).status == 200
    gateway.api("DELETE", f"/keys/{key['keyId']}")
    fresh = connect(gateway, bearer=provider.bearer)
    answer = fresh.push(device_token())
    assert gateway.request(answer.apns_id)["authentication"] == "unknownKey"


def test_a_replaced_keys_tokens_are_rejected(gateway, connect):
    key = gateway.key()
    bearer = tokens.provider_token(tokens.load(key["privateKey"]), key["keyId"], key["teamId"])
    assert connect(gateway, bearer=bearer).push(device_token()).status == 200
    gateway.key(keyId=key["keyId"], teamId=key["teamId"])
    answer = connect(gateway, bearer=bearer).push(device_token())
    assert (answer.status, answer.reason) == (403, "InvalidProviderToken")


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


def test_apps(gateway):
    bundle = "com.example.catalogue"
    assert gateway.admin.put(f"/api/v1/apps/{bundle}", json={"displayName": "Catalogue"}).status_code == 201
    assert gateway.api("PATCH", f"/apps/{bundle}", json={"team": "TEAM123456"})["displayName"] == "Catalogue"
    assert gateway.api("GET", f"/apps/{bundle}")["team"] == "TEAM123456"
    assert bundle in [app["bundleId"] for app in gateway.api("GET", "/apps")["apps"]]
    assert gateway.api("DELETE", f"/apps/{bundle}") == {"removed": 1}
    gateway.api("GET", f"/apps/{bundle}", expect=404)


def test_the_request_log(own, connect):
    provider = connect(own)
    _, token = own.device("phone")
    good = provider.push(token)
    bad = provider.push(token, apns_priority="7")
    lost = provider.push("xyz", PAYLOAD)
    page = own.api("GET", "/requests")
    assert [one["status"] for one in page["requests"]] == [200, 400, 400]
    assert [one["number"] for one in own.api("GET", "/requests", params={"status": 400})["requests"]] == [2, 3]
    assert [one["number"] for one in own.api("GET", "/requests", params={"reason": "BadPriority"})["requests"]] == [2]
    assert [one["number"] for one in own.api("GET", "/requests", params={"device": "phone"})["requests"]] == [1, 2]
    assert [one["number"] for one in own.api("GET", "/requests", params={"topic": TOPIC})["requests"]] == [1, 2, 3]
    assert own.api("GET", "/requests", params={"since": page["next"]})["requests"] == []
    assert own.api("GET", "/requests", params={"limit": 1})["next"] != page["next"]

    [first] = own.api("GET", "/requests", params={"status": 200})["requests"]
    assert first["apnsId"] == good.apns_id
    assert own.api("GET", f"/notifications/{first['notification']}")["apnsId"] == good.apns_id
    detail = own.api("GET", "/requests/2")
    assert {"name": "apns-priority", "value": "7"} in detail["headers"]
    assert detail["payloadText"] == PAYLOAD.decode() and detail["payloadByteCount"] == len(PAYLOAD)
    assert bad.apns_id == detail["apnsId"] or bad.apns_id.upper() == detail["apnsId"]
    assert own.api("GET", "/requests/3")["token"] == "xyz" and lost.status == 400
    assert own.api("DELETE", "/requests") == {"removed": 3}
    assert own.api("GET", "/requests")["requests"] == []


def test_the_request_log_is_bounded_and_counts_evictions(start_gateway, connect):
    gateway = start_gateway("requests.kept=3")
    provider = connect(gateway)
    for _ in range(5):
        provider.push(device_token())
    page = gateway.api("GET", "/requests")
    assert len(page["requests"]) == 3
    assert page["dropped"] == 2
