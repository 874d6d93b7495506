"""Broadcasts and channel management over the wire."""

import base64
import json
import re
import socket
import uuid

import httpx
import pytest

from channels import (
    APP, MANAGE, POLICY, UPDATE, broadcast, create, manager, quoted, request, sender, through_proxy)
from gateway import pushcote
from provider import Provider, SECONDS, trust
from signing import UPPER_UUID

ENVIRONMENTS = ["sandbox", "production"]


def app():
    """A random bundle identifier, unique to the test."""
    return "com.example.app" + uuid.uuid4().hex[:12]


# MARK: - A channel's life, on every port


@pytest.mark.parametrize("way, environment", [("port", "sandbox"), ("clear text", "production"), ("proxy", "production")])
def test_a_channel_is_created_read_listed_used_and_deleted(gateway, way, environment):
    bundle = app()
    one = manager(gateway, environment, way)
    channel = create(one, policy=1, app=bundle)
    assert len(channel) == 24 and len(base64.b64decode(channel, validate=True)) == 16
    read = request(one, "GET", f"/1/apps/{bundle}/channels", apns_channel_id=channel)
    assert (read.status, json.loads(read.body)) == (200, POLICY | {"message-storage-policy": 1})
    second = create(one, app=bundle)
    listed = request(one, "GET", f"/1/apps/{bundle}/all-channels")
    assert (listed.status, json.loads(listed.body)) == (200, {"channels": [channel, second]})
    assert listed.headers["content-type"] == "application/json" and listed.data_frames == 1
    sent = broadcast(sender(gateway, environment, way), channel, app=bundle)
    assert (sent.status, sent.body) == (200, b"")
    removed = request(one, "DELETE", f"/1/apps/{bundle}/channels", apns_channel_id=channel)
    assert (removed.status, removed.body) == (204, b"")
    gone = broadcast(sender(gateway, environment, way), channel, app=bundle)
    assert (gone.status, gone.reason) == (400, "ChannelNotRegistered")
    again = request(one, "DELETE", f"/1/apps/{bundle}/channels", apns_channel_id=channel)
    assert (again.status, again.reason) == (404, "BadPath")


def test_http1_in_clear_text_serves_channels_too(gateway):
    bundle = app()
    with httpx.Client(
            base_url="http://%s:%d" % gateway.clear_text,
            headers={"authorization": f"bearer {gateway.bearer}"}) as client:
        made = client.post(f"/1/apps/{bundle}/channels", json=POLICY)
        assert made.status_code == 201
        channel = {"apns-channel-id": made.headers["apns-channel-id"]}
        assert client.get(f"/1/apps/{bundle}/channels", headers=channel).json() == POLICY
        assert client.delete(f"/1/apps/{bundle}/channels", headers=channel).status_code == 204


# MARK: - Headers of answers


def test_the_answer_to_a_broadcast_has_its_own_headers(gateway):
    bundle = app()
    channel = create(manager(gateway), app=bundle)
    answer = broadcast(sender(gateway), channel, app=bundle)
    assert set(answer.headers) == {"apns-request-id", "apns-unique-id", "apns-channel-id"}
    assert re.fullmatch(UPPER_UUID, answer.headers["apns-request-id"])
    assert re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", answer.headers["apns-unique-id"])


# MARK: - Requests on the wrong port


def test_each_port_names_the_right_port_for_a_request(gateway):
    push = manager(gateway).push("ab" * 32)
    assert (push.status, push.reason) == (404, "BadPath")
    sent = broadcast(manager(gateway), "dHN0LXNyY2gtY2hubA==")
    assert (sent.status, sent.reason) == (404, "BadPath")
    created = request(sender(gateway), "POST", f"/1/apps/{APP}/channels", json.dumps(POLICY).encode())
    assert (created.status, created.reason) == (404, "BadPath")
    records = gateway.api("GET", "/requests", params={"reason": "BadPath", "limit": 1000})["requests"]
    sentences = {record["diagnosis"]["message"] for record in records}
    for part in ("2195 for the sandbox, 2196 for production", "broadcasts go to the provider port",
                 "pushes go to the provider port"):
        assert any(part in sentence for sentence in sentences), part


def test_the_proxy_names_its_ports(gateway):
    plain = socket.create_connection(gateway.proxy, SECONDS)
    host = MANAGE["sandbox"]
    plain.sendall(f"CONNECT {host}:2194 HTTP/1.1\r\nhost: {host}\r\n\r\n".encode())
    answer = b""
    while chunk := plain.recv(4096):
        answer += chunk
    assert b" 403 " in answer and b"443, 2195, 2196, 2197" in answer


# MARK: - What others see


def test_the_request_log_has_broadcasts_with_their_channel(gateway):
    bundle = app()
    channel = create(manager(gateway), app=bundle)
    sent = broadcast(sender(gateway), channel, app=bundle)
    record = gateway.request(sent.headers["apns-request-id"], topic=bundle)
    assert (record["status"], record["channel"], record["pushType"]) == (200, channel, "liveactivity")
    assert record["broadcast"] > 0 and [one["id"] for one in record["findings"]] == ["bc.noSubscribers"]
    assert channel in record["summary"] and "0 subscribers" in record["summary"]
    detail = gateway.api("GET", f"/requests/{record['number']}")
    assert {"name": ":path", "value": f"/4/broadcasts/apps/{bundle}"} in detail["headers"]
    assert detail["payloadText"] == UPDATE.decode()
    refused = broadcast(sender(gateway), "QUJDREVGR0hJSktMTU5PUA==", app=bundle)
    record = gateway.request(refused.headers["apns-request-id"])
    assert record["diagnosis"]["id"] == "channel.never-existed"


def findings(gateway, answer):
    return [one["id"] for one in gateway.request(answer.headers["apns-request-id"])["findings"]]


def test_a_refused_broadcast_names_the_headers_that_are_missing(gateway):
    one, bundle = sender(gateway), app()
    channel = create(manager(gateway), app=bundle)
    for missing, reason, found in [
            ({"apns_expiration"}, "BadExpirationDate", ["bc.expiration"]),
            ({"apns_priority"}, "BadPriority", ["bc.priority"]),
            ({"apns_expiration", "apns_priority"}, "BadExpirationDate", ["bc.expiration", "bc.priority"])]:
        refused = broadcast(one, channel, app=bundle, **dict.fromkeys(missing))
        assert (refused.status, refused.reason) == (400, reason)
        assert findings(gateway, refused) == found
    refused = broadcast(one, channel, app=bundle, apns_expiration="soon")
    assert (refused.reason, findings(gateway, refused)) == ("BadExpirationDate", [])


def test_the_admin_api_has_channels_with_counters(gateway):
    bundle = app()
    made = gateway.api(
        "POST", "/channels", json={"app": bundle, "environment": "production", "messageStoragePolicy": 1}, expect=201)
    path = f"/channels/{quoted(made['id'])}"
    assert gateway.api("GET", path) == made
    other = create(manager(gateway), app=bundle)
    page = gateway.api("GET", "/channels", params={"app": bundle})
    assert [one["id"] for one in page["channels"]] == [made["id"], other] and page["total"] == 2
    first = gateway.api("GET", "/channels", params={"app": bundle, "limit": 1})
    rest = gateway.api("GET", "/channels", params={"app": bundle, "cursor": first["next"]})
    assert [one["id"] for one in rest["channels"]] == [other] and "next" not in rest
    assert gateway.api("GET", "/channels", params={"app": bundle, "environment": "sandbox"})["total"] == 1
    broadcast(sender(gateway, "production"), made["id"], app=bundle)
    waited = gateway.api("GET", path, params={"wait": "5s", "published": 1})
    assert (waited["outcome"], waited["published"], waited["pending"]) == ("complete", 1, 0)
    assert gateway.api("GET", path, params={"wait": "10ms", "published": 2})["outcome"] == "timeout"
    assert gateway.api("GET", path + "/subscriptions") == {"subscriptions": []}
    assert gateway.api("DELETE", path) == {"removed": 1}
    assert gateway.api("DELETE", path) == {"removed": 0}
    gateway.api("GET", path, expect=404)
    gateway.api("POST", "/channels", json={"app": bundle + ".voip"}, expect=400)


def test_the_command_lists_creates_and_deletes_channels(gateway, tmp_path):
    admin = ["--admin", "http://%s:%d" % gateway.admin_address]
    bundle = app()
    made = pushcote("channels", "create", bundle, "--store", *admin, cwd=tmp_path)
    channel = made.stdout.strip()
    assert len(channel) == 24, made
    listed = pushcote("channels", "--app", bundle, *admin, cwd=tmp_path)
    assert channel in listed.stdout and "most recent" in listed.stdout
    assert channel in pushcote("channels", channel, *admin, cwd=tmp_path).stdout
    assert pushcote("channels", "delete", channel, *admin, cwd=tmp_path).stdout == "1 channel removed\n"
    assert "There are no channels" in pushcote("channels", "--app", bundle, *admin, cwd=tmp_path).stdout


# MARK: - Durability


def test_channels_survive_a_crash(start_gateway, tmp_path):
    gateway = start_gateway("journal=sqlite", f"sqlite.file={tmp_path}/journal.sqlite")
    kept, deleted = create(manager(gateway), policy=1), create(manager(gateway))
    assert broadcast(sender(gateway), kept, apns_expiration=4_000_000_000).status == 200
    one = manager(gateway)
    assert request(one, "DELETE", f"/1/apps/{APP}/channels", apns_channel_id=deleted).status == 204
    gateway.crash()
    gateway.start()
    channel = gateway.api("GET", f"/channels/{quoted(kept)}")
    assert (channel["published"], channel["pending"]) == (1, 0)
    listed = request(manager(gateway), "GET", f"/1/apps/{APP}/all-channels")
    assert json.loads(listed.body) == {"channels": [kept]}
    assert broadcast(sender(gateway), deleted).reason == "ChannelNotRegistered"
    new = create(manager(gateway))
    assert new not in (kept, deleted)


# MARK: - Hostile peers on the ports for channel management


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_clear_text_and_garbage_end_the_connection(gateway, environment):
    for greeting in (b"POST /1/apps/a/channels HTTP/1.1\r\n\r\n", b"\x00" * 64, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"):
        with socket.create_connection(gateway.channels[environment], SECONDS) as plain:
            plain.settimeout(SECONDS)
            plain.sendall(greeting)
            try:
                while plain.recv(4096):
                    pass
            except ConnectionResetError:
                pass
    create(manager(gateway, environment), app=app())


# MARK: - Clients, as their sources make requests


def test_node_apn(gateway):
    """Its `manageChannels` and `broadcast` send the type in lower case, omit priority 10, and read without a body."""
    bundle, one, own = app(), manager(gateway), str(uuid.uuid4())
    path = f"/1/apps/{bundle}/channels"
    made = request(
        one, "POST", path, b'{"message-storage-policy":1,"push-type":"liveactivity"}', apns_request_id=own)
    assert made.status == 201 and made.body == b"" and made.headers["apns-request-id"] == own
    channel = made.headers["apns-channel-id"]
    read = request(one, "GET", path, apns_channel_id=channel)
    assert read.status == 200 and json.loads(read.body)["push-type"] == "LiveActivity"
    everything = request(one, "GET", f"/1/apps/{bundle}/all-channels")
    assert json.loads(everything.body) == {"channels": [channel]}
    headers = {"apns-channel-id": channel, "apns-expiration": 1999999999, "apns-push-type": "liveactivity"}
    payload = b'{"aps":{"timestamp":1767571200,"event":"update","content-state":{"step":2}}}'
    broadcasts = f"/4/broadcasts/apps/{bundle}"
    sent = request(sender(gateway), "POST", broadcasts, payload, **headers | {"apns-priority": 5})
    assert sent.status == 200 and sent.headers["apns-unique-id"]
    # Until its issue 172 was fixed, it omitted priority 10, and APNs rejected the push.
    refused = request(sender(gateway), "POST", broadcasts, payload, **headers)
    assert (refused.status, refused.reason) == (400, "BadPriority")
    assert findings(gateway, refused) == ["bc.priority"]
    removed = request(one, "DELETE", path, apns_channel_id=channel)
    assert removed.status == 204 and removed.body == b""


def test_node_apn_through_its_proxy(gateway):
    """`manageChannelsProxy` connects to the sandbox's name and port."""
    plain = through_proxy(gateway, MANAGE["sandbox"], 2195)
    one = Provider(trust(gateway.ca).wrap_socket(plain, server_hostname=MANAGE["sandbox"]), MANAGE["sandbox"])
    one.bearer = gateway.bearer
    create(one, app=app())


def test_apnswift(gateway):
    """It sends content-type and user-agent, request IDs in lower case, and Apple's spelling of the type."""
    bundle, one = app(), manager(gateway, "production")
    own = str(uuid.uuid4())
    common = {"content-type": "application/json", "user-agent": "APNS/swift-nio"}
    path = f"/1/apps/{bundle}/channels"
    made = request(
        one, "POST", path, b'{"message-storage-policy":0,"push-type":"LiveActivity"}',
        **common | {"apns-request-id": own})
    assert made.status == 201 and uuid.UUID(made.headers["apns-request-id"]) == uuid.UUID(own)
    channel = made.headers["apns-channel-id"]
    read = request(one, "GET", path, **common | {"apns-channel-id": channel})
    assert json.loads(read.body) == {"message-storage-policy": 0, "push-type": "LiveActivity"}
    removed = request(one, "DELETE", path, **common | {"apns-channel-id": channel})
    assert removed.status == 204
    missing = request(one, "GET", path, **common)
    assert (missing.status, missing.reason) == (400, "MissingChannelId")
