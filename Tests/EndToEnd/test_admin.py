"""The admin API: what a test asks a gateway, with curl or any HTTP client."""

import base64
import concurrent.futures
import json
import re
import subprocess
import time

import httpx
import pytest
from cryptography.hazmat.primitives import serialization

import tokens
from gateway import device_token, environment, pushcote
from provider import PAYLOAD, PRODUCTION

TOPIC = "com.example.app"
ISO8601 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@pytest.fixture
def own(start_gateway):
    """A gateway that no other test looks at."""
    return start_gateway()


def alert(**members):
    return json.dumps({"aps": {"alert": members}}).encode()


# MARK: - Health, info, documents


@pytest.mark.parametrize("base", ["", "/api/v1"])
def test_health(gateway, base):
    assert gateway.admin.get(base + "/livez").json() == {"status": "ok"}
    assert gateway.admin.get(base + "/readyz").json() == {"status": "ready"}


def test_the_command_that_asks_for_health(gateway, tmp_path):
    admin = "http://%s:%d" % gateway.admin_address
    assert pushcote("readyz", "--admin", admin, cwd=tmp_path).returncode == 0
    assert pushcote("readyz", "--admin", "http://127.0.0.1:9", cwd=tmp_path).returncode == 4


def test_info_tells_what_the_addresses_file_tells(gateway):
    info = gateway.api("GET", "/info")
    assert info["addresses"] == gateway.facts["addresses"]
    assert info["demonstrationKey"]["keyId"] == gateway.key_id
    assert info["demonstrationKey"]["teamId"] == gateway.team_id
    assert (info["profile"], info["environment"], info["authMode"]) == ("faithful", "sandbox", "verify")
    assert ISO8601.fullmatch(info["startedAt"])
    assert set(info["counts"]) == {"devices", "apps", "notifications", "requests", "connections", "keys"}


def test_the_announcement_has_all_addresses(gateway):
    text = "\n".join(gateway.announcement)
    for addresses in gateway.facts["addresses"].values():
        for address in addresses:
            assert address in text
    assert gateway.announcement[-1] == "Ready."


def test_metrics_are_prometheus_text(gateway, provider):
    provider.push("xyz")
    answer = gateway.admin.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    for line in answer.text.splitlines():
        assert line.startswith("#") or re.fullmatch(r'\w+(\{[^}]*\})? [0-9.e+-]+', line), line
    assert re.search(r'^pushcote_requests_total\{status="400",reason="BadDeviceToken"\} [1-9]', answer.text, re.M)


def test_the_api_describes_itself(gateway):
    text = gateway.admin.get("/openapi.yaml").text
    assert text.startswith("openapi: 3")
    for path in ("/notifications", "/devices/{name}/push", "/reset", "/requests/{number}"):
        assert f"  /api/v1{path}:" in text


# MARK: - Notifications


def test_a_notification_tells_everything(gateway, provider):
    device, token = gateway.device()
    payload = b'{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"},"badge":3,"sound":"ping.aiff"}, "x":[1]}'
    answer = provider.push(token, payload, apns_priority="5", apns_collapse_id="c", apns_expiration="0")
    [summary] = gateway.wait(device=device)
    number = gateway.request(answer.apns_id)["connection"]
    for field, value in {
        "device": device, "topic": TOPIC, "token": token, "environment": "sandbox", "state": "delivered",
        "apnsId": answer.apns_id, "apnsUniqueId": answer.headers["apns-unique-id"], "pushType": "alert", "priority": 5,
        "collapseId": "c", "title": "T", "subtitle": "S", "body": "B", "badge": 3, "sound": "ping.aiff",
    }.items():
        assert summary[field] == value, field
    assert ISO8601.fullmatch(summary["receivedAt"]) and ISO8601.fullmatch(summary["settledAt"])

    detail = gateway.detail(summary)
    assert {name: detail[name] for name in summary} == summary
    request = detail["request"]
    assert request["payload"] == json.loads(payload)
    assert request["payloadText"] == payload.decode()
    assert request["payloadByteCount"] == len(payload)
    assert request["connection"] == number
    assert {"name": "apns-collapse-id", "value": "c"} in request["headers"]
    assert detail["content"]["title"] == "T"
    assert [entry["event"] for entry in detail["timeline"]][0] == "accepted"
    assert all(ISO8601.fullmatch(entry["at"]) for entry in detail["timeline"])
    raw = gateway.admin.get(f"/api/v1/notifications/{summary['id']}/payload")
    assert raw.content == payload, "bytes exactly as received"


def test_no_credential_is_shown(gateway, provider):
    device, token = gateway.device()
    answer = provider.push(token)
    [summary] = gateway.wait(device=device)
    signature = gateway.bearer.rpartition(".")[2]
    number = gateway.request(answer.apns_id)["number"]
    for path in (f"/notifications/{summary['id']}", f"/requests/{number}", "/state", "/connections"):
        assert signature not in gateway.admin.get("/api/v1" + path).text, path


def test_a_payload_that_is_no_text_comes_back(gateway, provider):
    device, token = gateway.device()
    payload = b"\xff\xfe\x00"
    assert provider.push(token, payload).status == 200
    [summary] = gateway.wait(device=device)
    detail = gateway.detail(summary)
    assert detail["state"] == "discarded"
    assert base64.b64decode(detail["request"]["payloadBase64"]) == payload
    assert "payloadText" not in detail["request"] and "payload" not in detail["request"]


def test_filters(own, connect):
    provider = connect(own)
    ann, ann_token = own.device("ann")
    bob, bob_token = own.device("bob", topic="com.example.other")
    provider.push(ann_token, alert(title="Tea", body="is ready"))
    provider.push(ann_token, b"no JSON")
    provider.push(bob_token, alert(title="Coffee"), apns_topic="com.example.other")
    provider.push(ann_token, b'{"aps":{"content-available":1}}', apns_push_type="background", apns_priority="5")

    def found(**query):
        return [one["id"] for one in own.notifications(**query)]

    first, second, third, fourth = found()
    assert found(device="ann") == [first, second, fourth]
    assert found(device="bob") == [third]
    assert found(topic="com.example.other") == [third]
    assert found(state="discarded") == [second]
    assert found(text="tea") == [first]
    assert found(text="READY") == [first]
    assert found(pushType="background") == [fourth]
    assert found(device="ann", state="delivered") == [first, fourth]
    assert found(device="nobody") == []
    assert own.api("DELETE", "/notifications", params={"device": "ann"})["removed"] == 3
    assert found() == [third]


def test_pages_follow_a_cursor(own, connect):
    provider = connect(own)
    _, token = own.device("phone")
    for number in range(7):
        provider.push(token, alert(title=str(number)))
    titles, cursor, pages = [], None, 0
    while True:
        query = {"limit": 3} | ({"cursor": cursor} if cursor else {})
        page = own.api("GET", "/notifications", params=query)
        titles += [one["title"] for one in page["notifications"]]
        pages += 1
        cursor = page["next"]
        assert isinstance(cursor, str)
        if not page["hasMore"]:
            break
    assert (titles, pages) == (list("0123456"), 3)
    assert own.api("GET", "/notifications", params={"since": cursor})["notifications"] == []
    provider.push(token, alert(title="7"))
    page = own.api("GET", "/notifications", params={"since": cursor})
    assert [one["title"] for one in page["notifications"]] == ["7"]
    assert page["hasGap"] is False


def test_what_a_full_inbox_dropped_is_counted_where_a_user_sees_it(start_gateway, connect):
    gateway = start_gateway("inbox.perDevice=3")
    provider = connect(gateway)
    _, token = gateway.device("phone")
    for number in range(5):
        provider.push(token, alert(title=str(number)))
    page = gateway.api("GET", "/notifications", params={"device": "phone"})
    assert [one["title"] for one in page["notifications"]] == ["2", "3", "4"]
    assert page["dropped"] == 2
    assert gateway.api("GET", "/devices/phone")["droppedCount"] == 2
    assert "pushcote_notifications_dropped_total 2" in gateway.admin.get("/metrics").text
    late = gateway.api("GET", "/notifications", params={"device": "phone", "since": page["notifications"][0]["id"] - 2})
    assert late["hasGap"] is True


# MARK: - Waiting


def test_a_wait_that_is_met_already_returns_at_once(gateway, provider):
    device, token = gateway.device()
    provider.push(token)
    page = gateway.api("GET", "/notifications", params={"device": device, "wait": "60s"})
    assert page["outcome"] == "complete" and len(page["notifications"]) == 1


def test_a_long_poll_wakes_when_the_push_arrives(gateway, provider):
    device, token = gateway.device()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        wait = pool.submit(gateway.api, "GET", "/notifications", params={"device": device, "wait": "25s", "count": 2})
        wait_until_waiting(gateway)
        provider.push(token)
        provider.push(token)
        pushed = time.monotonic()
        page = wait.result(20)
    assert page["outcome"] == "complete" and len(page["notifications"]) == 2
    assert time.monotonic() - pushed < 5, "at once, not at the end of the wait"


def wait_until_waiting(gateway, count=1):
    """The gateway says how many long polls are under way."""
    deadline = time.monotonic() + 15
    while int(re.search(r"^pushcote_waits (\d+)$", gateway.admin.get("/metrics").text, re.M)[1]) < count:
        assert time.monotonic() < deadline, "nobody waits"


def test_a_wait_counts_from_a_cursor(gateway, provider):
    device, token = gateway.device()
    provider.push(token)
    [first] = gateway.wait(device=device)
    page = gateway.api("GET", "/notifications", params={"device": device, "since": first["id"], "wait": "10ms"})
    assert (page["outcome"], page["notifications"]) == ("timeout", [])
    provider.push(token)
    [second] = gateway.wait(device=device, since=first["id"])
    assert second["id"] > first["id"]


def test_a_wait_that_is_not_met_says_so_and_shows_what_came(gateway, provider):
    device, token = gateway.device()
    provider.push(token)
    page = gateway.api("GET", "/notifications", params={"device": device, "wait": "50ms", "count": 2})
    assert page["outcome"] == "timeout" and len(page["notifications"]) == 1


def test_a_hundred_waits_end_with_one_push_each(gateway, provider):
    devices = [gateway.device() for _ in range(100)]
    limits = httpx.Limits(max_connections=None)
    hooks = gateway.admin.event_hooks
    with httpx.Client(
            base_url=gateway.admin.base_url, timeout=50, trust_env=False, limits=limits, event_hooks=hooks) as client:
        with concurrent.futures.ThreadPoolExecutor(100) as pool:
            waits = [
                pool.submit(client.get, "/api/v1/notifications", params={"device": device, "wait": "40s"})
                for device, _ in devices]
            wait_until_waiting(gateway, 100)
            for _, token in devices:
                assert provider.push(token).status == 200
            pages = [wait.result(40).json() for wait in waits]
    assert [page["outcome"] for page in pages] == ["complete"] * 100
    assert [page["notifications"][0]["device"] for page in pages] == [device for device, _ in devices]


def test_the_command_that_waits(gateway, provider, tmp_path):
    device, token = gateway.device()
    admin = "http://%s:%d" % gateway.admin_address
    none = pushcote("wait", device, "--timeout", "50ms", "--admin", admin, cwd=tmp_path)
    assert none.returncode == 3
    provider.push(token)
    one = pushcote("wait", device, "--timeout", "10s", "--json", "--admin", admin, cwd=tmp_path)
    assert one.returncode == 0, one.stderr
    assert "Tea" in one.stdout


# MARK: - Devices, registrations


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


def test_unregister_expire_and_back(gateway, provider):
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


# MARK: - POST /devices/{name}/push


def test_a_payload_pushed_by_hand(gateway):
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


def test_a_push_by_hand_needs_a_topic(gateway):
    name, _ = gateway.device()
    refused = gateway.api("POST", f"/devices/{name}/push", expect=400, json={"aps": {}})
    assert "topic" in refused["error"] and "Simulator Target Bundle" in refused["error"]


def test_a_push_by_hand_is_not_larger_than_a_real_one(gateway):
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


# MARK: - Keys, apps, requests


def test_keys_are_minted_registered_and_removed(gateway, connect):
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


def test_a_replaced_key_refuses_the_old_ones_tokens(gateway, connect):
    key = gateway.key()
    bearer = tokens.provider_token(tokens.load(key["privateKey"]), key["keyId"], key["teamId"])
    assert connect(gateway, bearer=bearer).push(device_token()).status == 200
    gateway.key(keyId=key["keyId"], teamId=key["teamId"])
    answer = connect(gateway, bearer=bearer).push(device_token())
    assert (answer.status, answer.reason) == (403, "InvalidProviderToken")


def test_a_removed_key_ends_on_open_connections_too(start_gateway, connect):
    gateway = start_gateway("auth.mode=strict")
    key = gateway.key()
    bearer = tokens.provider_token(tokens.load(key["privateKey"]), key["keyId"], key["teamId"])
    provider = connect(gateway, bearer=bearer)
    assert provider.push(device_token()).status == 200
    gateway.api("DELETE", f"/keys/{key['keyId']}")
    answer = provider.push(device_token())
    assert (answer.status, answer.reason) == (403, "InvalidProviderToken")


def test_a_key_may_be_narrowed_while_connections_are_open(gateway, connect):
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


def test_the_request_log_is_bounded_and_says_so(start_gateway, connect):
    gateway = start_gateway("requests.kept=3")
    provider = connect(gateway)
    for _ in range(5):
        provider.push(device_token())
    page = gateway.api("GET", "/requests")
    assert len(page["requests"]) == 3
    assert page["dropped"] == 2


# MARK: - State, reset


def test_state_goes_out_and_in(start_gateway, connect):
    first, second = start_gateway(), start_gateway()
    provider = connect(first)
    name, token = first.device("phone")
    _, gone = first.device("old")
    first.api("DELETE", f"/devices/old/registrations/{gone}")
    first.api("PUT", f"/apps/{TOPIC}", json={"displayName": "App"})
    provider.push(token)
    provider.push(token, b"\xff")
    state = first.admin.get("/api/v1/state").json()

    for _ in range(2):
        loaded = second.api("PUT", "/state", json=state)
        assert loaded["status"] == "loaded"
        assert (loaded["devices"], loaded["notifications"]) == (2, 2)
    assert second.admin.get("/api/v1/state").json() == state, "loading twice changes nothing"
    assert second.notifications() == first.notifications()
    assert second.api("GET", f"/apps/{TOPIC}")["displayName"] == "App"
    there = connect(second)
    assert there.push(gone).reason == "Unregistered"
    assert there.push(token).status == 200
    assert len(second.wait(device="phone", count=3)) == 3


@pytest.mark.parametrize("body", [b"", b"nonsense", b"[]", b"{}", b'{"devices":3}', b'{"devices":[{"name":3}]}'])
def test_a_bad_state_changes_nothing(gateway, body):
    gateway.device("stays")
    refused = gateway.admin.put("/api/v1/state", content=body)
    assert refused.status_code == 400 and refused.json()["status"] == 400
    assert gateway.api("GET", "/devices/stays")["name"] == "stays"


def test_the_state_has_times_as_everything_else(gateway):
    gateway.device()
    text = gateway.admin.get("/api/v1/state").text
    assert '"milliseconds"' not in text
    assert ISO8601.search(text)


def test_reset_forgets_what_it_is_told(own, connect):
    provider = connect(own)
    _, token = own.device("phone")
    provider.push(token)
    assert own.api("POST", "/reset", json={"keep": ["devices"]}) == {"status": "reset"}
    assert own.notifications() == [] and own.api("GET", "/requests")["requests"] == []
    assert [one["name"] for one in own.api("GET", "/devices")["devices"]] == ["phone"]
    assert provider.push(token).status == 200, "the connection goes on"
    assert own.admin.post("/api/v1/reset").status_code == 200, "a body is not needed"
    assert own.api("GET", "/devices")["devices"] == []
    assert [key["keyId"] for key in own.api("GET", "/keys")["keys"]] == [own.key_id], "keys stay"
    assert provider.push(token).status == 200
    assert len(own.notifications()) == 1


# MARK: - Errors


ERRORS = [
    ("GET", "/notifications?limit=0", None, 400, "'limit'"),
    ("GET", "/notifications?limit=x", None, 400, "'limit'"),
    ("GET", "/notifications?state=lost", None, 400, "'state'"),
    ("GET", "/notifications?wait=soon", None, 400, "'wait'"),
    ("GET", "/notifications?wait=2h", None, 400, "'wait'"),
    ("GET", "/notifications?count=2", None, 400, "'count'"),
    ("GET", "/notifications?colour=red", None, 400, "'colour'"),
    ("GET", "/notifications?since=1&cursor=1", None, 400, "'since'"),
    ("GET", "/notifications/1x", None, 400, "'id'"),
    ("GET", "/notifications/999999999", None, 404, "999999999"),
    ("GET", "/requests?reason=Nope", None, 400, "'reason'"),
    ("GET", "/requests/999999999", None, 404, "999999999"),
    ("GET", "/devices/nobody", None, 404, "nobody"),
    ("PUT", "/devices/x", {"name": "y"}, 400, "'name'"),
    ("PUT", "/devices/x", {"colour": 1}, 400, "'colour'"),
    ("PUT", "/devices/x", [], 400, "object"),
    ("POST", "/devices/x/registrations", {}, 400, "'topic'"),
    ("POST", "/devices/x/registrations", {"topic": "a b"}, 400, "'topic'"),
    ("POST", "/devices/x/registrations", {"topic": 3}, 400, "'topic'"),
    ("POST", "/devices/x/registrations", {"topic": TOPIC, "environment": "moon"}, 400, "'environment'"),
    ("POST", "/devices/x/registrations", {"topic": TOPIC, "token": "xyz"}, 400, "'token'"),
    ("POST", "/devices/x/registrations", {"topic": TOPIC, "kind": "voip"}, 400, "'kind'"),
    ("POST", "/keys", {"keyId": "not a key"}, 400, "'keyId'"),
    ("POST", "/keys", {"publicKey": "x"}, 400, "'publicKey'"),
    ("POST", "/keys", {"environments": ["moon"]}, 400, "'environments'"),
    ("POST", "/reset", {"keep": ["all"]}, 400, "'keep'"),
    ("GET", "/keys/NOSUCHKEY1", None, 404, "NOSUCHKEY1"),
    ("GET", "/connections/99999999", None, 404, "99999999"),
    ("GET", "/nowhere", None, 404, "/nowhere"),
    ("GET", "/notificatons", None, 404, "/api/v1/notifications"),
    ("POST", "/notifications", {}, 405, "GET"),
    ("DELETE", "/state", None, 405, "GET"),
]


@pytest.mark.parametrize("method, path, body, status, names", ERRORS, ids=[f"{row[0]} {row[1]} {row[2]}" for row in ERRORS])
def test_an_error_names_the_field(gateway, method, path, body, status, names):
    answer = gateway.admin.request(method, "/api/v1" + path, json=body) if body is not None else gateway.admin.request(
        method, "/api/v1" + path)
    problem = answer.json()
    assert answer.status_code == status, problem
    assert set(problem) == {"error", "status"} and problem["status"] == status
    assert names in problem["error"]
    assert answer.headers["content-type"].startswith("application/json")
    if status == 405:
        assert "GET" in answer.headers["allow"]


def test_a_body_that_is_no_json_is_told_with_its_place(gateway):
    answer = gateway.admin.put("/api/v1/devices/x", content=b'{"registrations":[\n}')
    assert answer.status_code == 400
    assert "line 2" in answer.json()["error"]


def test_a_body_above_the_limit_is_refused(gateway):
    answer = gateway.admin.put("/api/v1/devices/x", content=b" " * (2 << 20))
    assert answer.status_code == 413 and answer.json()["status"] == 413


# MARK: - Who may ask


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "localhost:8197", "LOCALHOST"])
def test_a_loopback_host_may_ask(gateway, host):
    assert gateway.admin.get("/api/v1/info", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80", "localhost.evil.example"])
def test_another_host_may_not(gateway, host):
    answer = gateway.admin.get("/api/v1/info", headers={"host": host})
    assert answer.status_code == 403
    assert "admin.allowedHosts" in answer.json()["error"]


def test_a_named_host_may_ask(start_gateway):
    gateway = start_gateway("admin.allowedHosts=push.test.internal")
    assert gateway.admin.get("/api/v1/info", headers={"host": "push.test.internal:8197"}).status_code == 200
    assert gateway.admin.get("/api/v1/info", headers={"host": "other.test.internal"}).status_code == 403


def test_a_page_of_another_origin_may_not_ask(gateway):
    evil = {"origin": "https://evil.example"}
    assert gateway.admin.post("/api/v1/reset", headers=evil, json={}).status_code == 403
    preflight = gateway.admin.request(
        "OPTIONS", "/api/v1/reset", headers=evil | {"access-control-request-method": "POST"})
    assert preflight.status_code >= 400
    assert not [name for name in preflight.headers if name.startswith("access-control")]
    same = {"origin": "http://%s:%d" % gateway.admin_address}
    assert gateway.admin.get("/api/v1/info", headers=same).status_code == 200


def test_a_token_is_demanded_when_set(start_gateway, tmp_path):
    gateway = start_gateway("admin.token=secret")
    refused = gateway.admin.get("/api/v1/info")
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"].startswith("Bearer")
    assert refused.json()["status"] == 401
    for header in ("Bearer wrong", "Basic secret", "secret", "Bearer secret2", "Bearer secre"):
        assert gateway.admin.get("/api/v1/info", headers={"authorization": header}).status_code == 401
    for header in ("Bearer secret", "bearer secret"):
        assert gateway.admin.get("/api/v1/info", headers={"authorization": header}).status_code == 200
    for path in ("/livez", "/readyz", "/ca.pem", "/bundle.pem", "/ca.p12"):
        assert gateway.admin.get(path).status_code == 200
    assert gateway.admin.get("/metrics").status_code == 401
    admin = "http://%s:%d" % gateway.admin_address
    assert pushcote("devices", "--admin", admin, cwd=tmp_path).returncode == 1
    assert pushcote("devices", "--admin", admin, "--token", "secret", cwd=tmp_path).returncode == 0
    named = environment(PUSHCOTE_ADMIN=admin, PUSHCOTE_ADMIN_TOKEN="secret")
    assert pushcote("devices", cwd=tmp_path, env=named).returncode == 0


def test_a_token_is_demanded_off_loopback(certificates, tmp_path):
    settings = [
        f"certificates.folder={certificates}", "listen.provider=127.0.0.1:0", "listen.clearText=127.0.0.1:0",
        "listen.proxy=127.0.0.1:0", "listen.admin=0.0.0.0:0"]
    done = pushcote("serve", *[word for setting in settings for word in ("--set", setting)], cwd=tmp_path)
    assert done.returncode in (1, 2) and "Ready." not in done.stdout
    assert "admin.token" in done.stderr


def test_curl_is_enough(gateway):
    """The sentences of the README: every call with curl."""
    base = "http://%s:%d/api/v1" % gateway.admin_address

    def curl(*arguments):
        done = subprocess.run(
            ["curl", "--silent", "--show-error", "--fail", "--noproxy", "*", "--max-time", "20", *arguments],
            capture_output=True, text=True, timeout=30)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    made = curl("--json", json.dumps({"topic": TOPIC}), f"{base}/devices/curl/registrations")
    assert made["status"] == "active"
    curl("--data-binary", PAYLOAD.decode(), f"{base}/devices/curl/push?topic={TOPIC}")
    page = curl(f"{base}/notifications?device=curl&wait=5s")
    assert page["notifications"][0]["title"] == "Tea"
    assert curl("-X", "DELETE", f"{base}/notifications?device=curl") == {"removed": 1}


def test_a_push_to_production_shows_its_environment(gateway, connect):
    device, token = gateway.device(environment="production")
    assert connect(gateway, host=PRODUCTION).push(token).status == 200
    assert gateway.wait(device=device)[0]["environment"] == "production"
