"""Unmodified third-party clients: each pushes and finds its push in the inbox."""

import asyncio
import json
import shutil
import ssl

import aioapns
import httpx
import pytest

from clients import connection_of, curl, headers, received, run
from gateway import device_token
from provider import PAYLOAD, PRODUCTION, Provider, SANDBOX, trust


TOPIC = "com.example.app"


def field(head, name):
    values = [line.partition(": ")[2] for line in head[1:] if line.lower().startswith(name + ":")]
    return values[0] if values else None


def test_curl_over_tls(gateway):
    device, token = gateway.device()
    host, port = gateway.provider
    head, body = curl(
        gateway, f"https://{SANDBOX}:{port}/3/device/{token}", "--http2", "--connect-to", f"::{host}:{port}")
    assert head[0].split()[:2] == ["HTTP/2", "200"]
    assert body == b""
    [notification] = received(gateway, device)
    assert notification["apnsId"] == field(head, "apns-id")
    connection = connection_of(gateway, notification)
    assert connection["httpVersion"] == "HTTP/2"
    assert connection["tls"]["version"] == "TLSv1.3"
    assert connection["tls"]["serverName"] == SANDBOX
    assert "h2" in connection["tls"]["offeredAlpn"]


def test_curl_with_prior_knowledge_in_clear_text(gateway):
    device, token = gateway.device()
    head, body = curl(
        gateway, "http://%s:%d/3/device/%s" % (*gateway.clear_text, token), "--http2-prior-knowledge")
    assert head[0].startswith("HTTP/2 200") and body == b""
    assert field(head, "x-pushcote-finding") is None
    received(gateway, device)


def test_curl_with_http1_in_clear_text_is_served_with_a_finding(gateway):
    device, token = gateway.device()
    head, body = curl(gateway, "http://%s:%d/3/device/%s" % (*gateway.clear_text, token), "--http1.1")
    assert head[0].startswith("HTTP/1.1 200") and body == b""
    assert "HTTP/2 only" in field(head, "x-pushcote-finding")
    [notification] = received(gateway, device)
    [record] = [one for one in gateway.api("GET", "/requests", params={"device": device})["requests"]]
    assert "connection.http1" in [finding["id"] for finding in record["findings"]]
    assert notification["apnsId"] == field(head, "apns-id")


def test_http1_errors_are_apns_errors(gateway):
    head, body = curl(gateway, "http://%s:%d/3/device/xyz" % gateway.clear_text, "--http1.1")
    assert head[0].startswith("HTTP/1.1 400")
    assert body == b'{"reason":"BadDeviceToken"}'
    assert field(head, "apns-id")
    assert "HTTP/2 only" in field(head, "x-pushcote-finding")


def test_an_upgrade_to_h2c_is_answered_in_http1(gateway):
    """Java's HttpClient and `curl --http2` request the upgrade in clear text."""
    device, token = gateway.device()
    head, _ = curl(gateway, "http://%s:%d/3/device/%s" % (*gateway.clear_text, token), "--http2")
    assert head[0].split()[1] == "200"
    received(gateway, device)


class AliasLoop(asyncio.SelectorEventLoop):
    """Resolves Apple's names to the gateway, as an alias in a container network on port 443 does.

    aioapns has no host option. (Its proxy option does not work in version 4.0 on asyncio's default event loop.)
    """

    def __init__(self, gateway):
        super().__init__()
        self.address = gateway.provider

    async def getaddrinfo(self, host, port, **options):
        assert (host, port) in {("api.push.apple.com", 443), ("api.development.push.apple.com", 443)}
        return await super().getaddrinfo(*self.address, **options)


def with_aioapns(gateway, monkeypatch, requests, **options):
    """Pushes with an unmodified `aioapns.APNs`, which trusts the gateway by SSL_CERT_FILE; returns the results.

    The first push is sent alone: aioapns does not wait for SETTINGS and misses a refused stream (docs/clients.md).
    """
    monkeypatch.setenv("SSL_CERT_FILE", str(gateway.certificates / "bundle.pem"))
    if "client_cert" not in options:
        options |= {"key": gateway.key_file.read_text(), "key_id": gateway.key_id, "team_id": gateway.team_id}

    async def push():
        client = aioapns.APNs(topic=TOPIC, **options)
        try:
            first = await asyncio.wait_for(client.send_notification(requests[0]), 40)
            return [first, *await asyncio.wait_for(asyncio.gather(*map(client.send_notification, requests[1:])), 40)]
        finally:
            client.pool.close()

    with asyncio.Runner(loop_factory=lambda: AliasLoop(gateway)) as runner:
        return runner.run(push())


def push_request(token, payload=None, **options):
    return aioapns.NotificationRequest(device_token=token, message=payload or json.loads(PAYLOAD), **options)


@pytest.mark.parametrize("use_sandbox", [True, False], ids=["sandbox", "production"])
def test_aioapns_with_default_settings(gateway, monkeypatch, use_sandbox):
    """aioapns sends no ALPN, and `host` instead of `:authority`."""
    name = "sandbox" if use_sandbox else "production"
    device, token = gateway.device(environment=name)
    request = push_request(
        token, push_type=aioapns.PushType.ALERT, priority=10, time_to_live=60, collapse_key="tea")
    [result] = with_aioapns(gateway, monkeypatch, [request], use_sandbox=use_sandbox)
    assert result.is_successful, result.description
    [notification] = received(gateway, device)
    assert notification["apnsId"] == request.notification_id
    connection = connection_of(gateway, notification)
    assert not connection["tls"]["offeredAlpn"], "the point of this test: no ALPN at all"
    assert "selectedAlpn" not in connection["tls"] and connection["streamLimit"] == 1000
    assert connection["httpVersion"] == "HTTP/2"


def test_aioapns_with_many_pushes_at_once(gateway, monkeypatch):
    device, token = gateway.device()
    requests = [push_request(token) for _ in range(300)]
    results = with_aioapns(gateway, monkeypatch, requests, use_sandbox=True)
    assert [result.description for result in results if not result.is_successful] == []
    notifications = gateway.wait(device=device, count=300, limit=1000)
    assert sorted(one["apnsId"] for one in notifications) == sorted(one.notification_id for one in requests)


def test_aioapns_reads_our_errors(gateway, monkeypatch):
    """aioapns parses each DATA frame as a complete JSON text, and reads the timestamp of a 410."""
    name, gone = gateway.device()
    gateway.api("DELETE", f"/devices/{name}/registrations/{gone}")
    _, other = gateway.device(topic="com.example.other")
    results = with_aioapns(
        gateway, monkeypatch,
        [push_request(gone), push_request(other), push_request("xyz"), push_request(gone, {"x": "y" * 5000})],
        use_sandbox=True)
    assert [(one.status, one.description) for one in results] == [
        ("410", "Unregistered"), ("400", "DeviceTokenNotForTopic"), ("400", "BadDeviceToken"),
        ("413", "PayloadTooLarge")]
    assert isinstance(results[0].timestamp, int)


def test_aioapns_with_a_client_certificate(gateway, monkeypatch, client_certificate, tmp_path):
    prefix = client_certificate()
    both = tmp_path / "both.pem"
    both.write_bytes(prefix.with_suffix(".pem").read_bytes() + prefix.with_suffix(".key").read_bytes())
    device, token = gateway.device()
    [result] = with_aioapns(gateway, monkeypatch, [push_request(token)], client_cert=str(both), use_sandbox=True)
    assert result.is_successful, result.description
    received(gateway, device)


def test_alpn_can_be_required(start_gateway):
    gateway = start_gateway("tls.acceptMissingALPN=false")
    with pytest.raises((ssl.SSLError, ConnectionError, AssertionError)):
        with Provider.to(gateway, alpn=()) as provider:
            provider.push(device_token())
    with Provider.to(gateway) as provider:
        assert provider.push(device_token()).status == 200


def test_httpx_over_tls(gateway):
    device, token = gateway.device()
    with httpx.Client(http2=True, http1=False, verify=trust(gateway.ca), trust_env=False, timeout=20) as client:
        answer = client.post(
            "https://localhost:%d/3/device/%s" % (gateway.provider[1], token), content=PAYLOAD,
            headers=headers(gateway))
    assert (answer.http_version, answer.status_code, answer.content) == ("HTTP/2", 200, b"")
    received(gateway, device)


def test_httpx_through_the_proxy(gateway):
    device, token = gateway.device(environment="production")
    with httpx.Client(
        http2=True, verify=trust(gateway.ca), trust_env=False, timeout=20, proxy="http://%s:%d" % gateway.proxy
    ) as client:
        answer = client.post(f"https://{PRODUCTION}/3/device/{token}", content=PAYLOAD, headers=headers(gateway))
    assert (answer.http_version, answer.status_code) == ("HTTP/2", 200)
    received(gateway, device)


needs_nghttp = pytest.mark.skipif(not shutil.which("nghttp"), reason="nghttp is not installed (nghttp2-client)")


def nghttp(gateway, url, *arguments, tmp_path):
    payload = tmp_path / "payload.json"
    payload.write_bytes(PAYLOAD)
    return run(
        "nghttp", "--verbose", "--no-push", "--timeout=20", "--data", payload, "--header", f"apns-topic: {TOPIC}",
        "--header", f"authorization: bearer {gateway.bearer}", *arguments, url)


@needs_nghttp
def test_nghttp_over_tls_shows_the_frames(gateway, tmp_path):
    device, token = gateway.device()
    done = nghttp(gateway, "https://127.0.0.1:%d/3/device/%s" % (gateway.provider[1], token), tmp_path=tmp_path)
    text = done.stdout.decode()
    assert done.returncode == 0, text
    first = text.index("recv SETTINGS frame")
    settings = text[first:text.index("\n[", first)]
    for name, value in {
        "SETTINGS_HEADER_TABLE_SIZE(0x01)": 4096, "SETTINGS_INITIAL_WINDOW_SIZE(0x04)": 65535,
        "SETTINGS_MAX_FRAME_SIZE(0x05)": 16384, "SETTINGS_MAX_HEADER_LIST_SIZE(0x06)": 8000,
        "SETTINGS_MAX_CONCURRENT_STREAMS(0x03)": 1,
    }.items():
        assert f"[{name}:{value}]" in settings
    assert ":status: 200" in text and "apns-id: " in text
    received(gateway, device)


@needs_nghttp
@pytest.mark.parametrize("option", ["--padding=100", "--trailer=x-end: 1", "--no-dep", "--window-bits=30"])
def test_nghttps_odd_frames_are_accepted(gateway, tmp_path, option):
    """The gateway accepts padding and trailers, and ignores PRIORITY frames."""
    device, token = gateway.device()
    url = "https://127.0.0.1:%d/3/device/%s" % (gateway.provider[1], token)
    done = nghttp(gateway, url, option, tmp_path=tmp_path)
    assert ":status: 200" in done.stdout.decode(), done.stdout.decode()
    received(gateway, device)
