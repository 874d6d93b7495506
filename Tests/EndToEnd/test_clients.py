"""Clients that people have, as they come: each pushes, and finds its push in the inbox."""

import asyncio
import json
import re
import shutil
import socket
import ssl
import subprocess
import time
import uuid

import aioapns
import h2.connection
import h2.stream
import hpack
import httpx
import hyperframe.frame
import pytest

from gateway import device_token, environment
from provider import PAYLOAD, PRODUCTION, SANDBOX, Answer, Provider, trust

TOPIC = "com.example.app"


def run(*command, **options):
    """A client program; it has half a minute."""
    return subprocess.run(
        list(map(str, command)), capture_output=True, timeout=30, env=options.pop("env", environment()), **options)


def curl(gateway, url, *arguments, token=None, bearer=None):
    """Runs curl; the answer's status line and headers, and its body."""
    command = [
        "curl", "--silent", "--show-error", "--include", "--max-time", "20", "--noproxy", "",
        "--cacert", gateway.ca, "--header", "apns-topic: " + TOPIC, "--header", "apns-push-type: alert",
        "--header", f"authorization: bearer {bearer or gateway.bearer}", "--data-binary", PAYLOAD.decode(),
        *arguments, url]
    done = run(*command)
    assert done.returncode == 0, done.stderr.decode()
    *heads, body = done.stdout.split(b"\r\n\r\n")
    return heads[-1].decode().splitlines(), body


def field(head, name):
    values = [line.partition(": ")[2] for line in head[1:] if line.lower().startswith(name + ":")]
    return values[0] if values else None


def received(gateway, device, count=1):
    """What the device shows, and that it is what was sent."""
    notifications = gateway.wait(device=device, count=count)
    assert len(notifications) == count
    assert {one["title"] for one in notifications} == {"Tea"}
    return notifications


def connection_of(gateway, notification):
    number = gateway.detail(notification)["request"]["connection"]
    return gateway.api("GET", f"/connections/{number}")


# MARK: - curl


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


def test_curl_with_the_gateways_own_names(gateway):
    for host in ("localhost", "127.0.0.1"):
        device, token = gateway.device()
        head, _ = curl(gateway, f"https://{host}:{gateway.provider[1]}/3/device/{token}", "--http2", "--ipv4")
        assert head[0].startswith("HTTP/2 200")
        received(gateway, device)


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
    """Java's HttpClient and `curl --http2` ask for it in clear text."""
    device, token = gateway.device()
    head, _ = curl(gateway, "http://%s:%d/3/device/%s" % (*gateway.clear_text, token), "--http2")
    assert head[0].split()[1] == "200"
    received(gateway, device)


def test_http1_keeps_its_connection(gateway):
    device, token = gateway.device()
    with httpx.Client(trust_env=False, timeout=20) as client:
        for _ in range(3):
            answer = client.post(
                "http://%s:%d/3/device/%s" % (*gateway.clear_text, token), content=PAYLOAD,
                headers={"apns-topic": TOPIC, "authorization": f"Bearer {gateway.bearer}"})
            assert answer.status_code == 200
    notifications = received(gateway, device, 3)
    assert len({gateway.detail(one)["request"]["connection"] for one in notifications}) == 1


@pytest.mark.parametrize(
    "host, environment_name",
    [(PRODUCTION, "production"), (SANDBOX, "sandbox"), ("api.development.push.apple.com", "sandbox")])
def test_curl_through_the_proxy_with_apples_names(gateway, host, environment_name):
    device, token = gateway.device(environment=environment_name)
    head, body = curl(
        gateway, f"https://{host}/3/device/{token}", "--http2", "--proxy", "http://%s:%d" % gateway.proxy)
    assert head[0].startswith("HTTP/2 200") and body == b""
    [notification] = received(gateway, device)
    assert notification["environment"] == environment_name
    connection = connection_of(gateway, notification)
    assert connection["connectTarget"] == host
    assert connection["tls"]["serverName"] == host


def test_the_alternative_port_goes_through_the_proxy_too(gateway):
    device, token = gateway.device(environment="production")
    head, _ = curl(
        gateway, f"https://{PRODUCTION}:2197/3/device/{token}", "--http2", "--proxy",
        "http://%s:%d" % gateway.proxy)
    assert head[0].startswith("HTTP/2 200")
    received(gateway, device)


@pytest.mark.parametrize("target", ["https://example.com/", "https://api.push.apple.com:22/"])
def test_the_proxy_connects_nowhere_else(gateway, target):
    done = run(
        "curl", "--silent", "--show-error", "--max-time", "20", "--noproxy", "", "--proxy",
        "http://%s:%d" % gateway.proxy, target)
    assert done.returncode != 0
    assert b"403" in done.stderr


def test_the_proxy_forwards_no_plain_requests(gateway):
    done = run(
        "curl", "--silent", "--include", "--max-time", "20", "--noproxy", "", "--proxy",
        "http://%s:%d" % gateway.proxy, "http://example.com/")
    assert b" 405 " in done.stdout.splitlines()[0]


def test_curl_that_offers_http1_only_is_refused_by_tls(gateway):
    host, port = gateway.provider
    done = run(
        "curl", "--silent", "--show-error", "--max-time", "20", "--http1.1", "--cacert", gateway.ca,
        "--connect-to", f"::{host}:{port}", "--data", "{}", f"https://{SANDBOX}:{port}/3/device/{device_token()}")
    assert done.returncode == 35 and b"no application protocol" in done.stderr, done
    gateway.wait_for_log("ALPN without h2: switch the client to HTTP/2")


def test_a_proxy_url_that_begins_with_https_ends_soon_and_in_the_log(gateway):
    start = time.monotonic()
    done = run(
        "curl", "--silent", "--show-error", "--max-time", "20", "--noproxy", "", "--proxy-insecure", "--proxy",
        "https://%s:%d" % gateway.proxy, f"https://{SANDBOX}/3/device/{device_token()}")
    assert done.returncode == 35 and b"wrong version number" in done.stderr.lower(), done
    assert time.monotonic() - start < 5
    gateway.wait_for_log("TLS on the proxy port")


def test_streams_opened_before_settings_are_refused_and_told_of(gateway, connect):
    provider = connect(gateway)
    streams = []
    for _ in range(100):
        stream = provider.http.get_next_available_stream_id()
        provider.answers[stream] = Answer()
        provider.http.send_headers(stream, provider.headers("xyz"), end_stream=True)
        streams.append(stream)
    provider.flush()
    answers = [provider.answer(stream) for stream in streams]
    refused = sum(answer.reset == 7 for answer in answers)
    assert refused > 0 and all(answer.reset == 7 or answer.status == 400 for answer in answers)
    apns_id = next(answer.apns_id for answer in answers if answer.status)
    number = gateway.request(apns_id)["connection"]
    connection = gateway.api("GET", f"/connections/{number}")
    assert (connection["refusedStreams"], connection["refused"]) == (refused, 100 - refused)
    metrics = gateway.admin.get("/metrics").text
    assert int(re.search(r"^pushcote_refused_streams_total (\d+)$", metrics, re.MULTILINE)[1]) >= refused
    gateway.wait_for_log("Streams above the announced limit were refused")


def raw(address, *parts):
    """Sends bytes as they are; everything that comes back until the peer closes."""
    with socket.create_connection(address, 20) as channel:
        for part in parts:
            channel.sendall(part)
        channel.shutdown(socket.SHUT_WR)
        answer = b""
        while chunk := channel.recv(65536):
            answer += chunk
    return answer


def http1(gateway, token, payload=PAYLOAD, version="1.1", **more):
    fields = {
        "host": "localhost", "content-length": len(payload), "apns-topic": TOPIC,
        "authorization": f"bearer {gateway.bearer}", **more}
    lines = [f"POST /3/device/{token} HTTP/{version}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items() if value is not None]
    return "\r\n".join([*lines, "", ""]).encode() + payload


def test_http1_requests_in_one_packet_are_answered_in_order(gateway):
    device, token = gateway.device()
    answer = raw(gateway.clear_text, http1(gateway, token) + http1(gateway, "xyz") + http1(gateway, token))
    assert re.findall(rb"HTTP/1\.1 (\d+) ", answer) == [b"200", b"400", b"200"]
    received(gateway, device, 2)


def test_http1_byte_by_byte(gateway):
    device, token = gateway.device()
    answer = raw(gateway.clear_text, *[bytes([byte]) for byte in http1(gateway, token)])
    assert answer.startswith(b"HTTP/1.1 200")
    received(gateway, device)


def test_http1_with_expect_and_chunks(gateway):
    """curl and Java's HttpClient ask before they send a large body."""
    device, token = gateway.device()
    head, _ = curl(
        gateway, "http://%s:%d/3/device/%s" % (*gateway.clear_text, token), "--http1.1", "--header",
        "expect: 100-continue", "--header", "transfer-encoding: chunked", "--expect100-timeout", "15")
    assert head[0].startswith("HTTP/1.1 200")
    received(gateway, device)


def test_http1_0_is_answered_and_closed(gateway):
    device, token = gateway.device()
    with socket.create_connection(gateway.clear_text, 20) as channel:
        channel.sendall(http1(gateway, token, version="1.0"))
        answer = b""
        while chunk := channel.recv(65536):
            answer += chunk
    assert b" 200 " in answer.splitlines()[0]
    received(gateway, device)


def test_http1_repeated_headers_are_duplicates_too(gateway):
    answer = raw(gateway.clear_text, http1(gateway, device_token(), **{"apns-topic ".strip(): TOPIC, "Apns-Topic": TOPIC}))
    assert answer.endswith(b'{"reason":"DuplicateHeaders"}')


def tunnel(gateway, request, *more):
    """A CONNECT by hand; the proxy's first line and the channel."""
    channel = socket.create_connection(gateway.proxy, 20)
    channel.sendall(request.encode() + b"".join(more))
    answer = b""
    while b"\r\n\r\n" not in answer:
        chunk = channel.recv(1)
        if not chunk:
            break
        answer += chunk
    return answer.splitlines()[0].decode(), channel


@pytest.mark.parametrize(
    "request_line",
    ["CONNECT api.push.apple.com:443 HTTP/1.1\r\nHost: x\r\nProxy-Authorization: basic eDp5", "CONNECT api.push.apple.com:443 HTTP/1.0",
     "CONNECT API.Push.Apple.COM:2197 HTTP/1.1", "CONNECT api.push.apple.com.:443 HTTP/1.1"])
def test_the_connect_target_decides_the_environment_first(gateway, request_line):
    line, channel = tunnel(gateway, request_line + "\r\n\r\n")
    assert " 200 " in line
    secure = trust(gateway.ca).wrap_socket(channel, server_hostname=SANDBOX)
    with Provider(secure, SANDBOX, gateway.bearer) as provider:
        answer = provider.push(device_token(), authority=SANDBOX)
        assert answer.status == 200
        assert gateway.request(answer.apns_id)["environment"] == "production"


@pytest.mark.parametrize(
    "request_line, status",
    [
        ("CONNECT localhost:22 HTTP/1.1", "403"), ("CONNECT 127.0.0.1:443 HTTP/1.1", "403"),
        ("CONNECT api.push.apple.com.evil.example:443 HTTP/1.1", "403"), ("CONNECT [::1]:443 HTTP/1.1", "403"),
        ("CONNECT api.push.apple.com:x HTTP/1.1", "403"), ("GET / HTTP/1.1", "405"), ("nonsense", "400"),
        ("GET http://api.push.apple.com/ HTTP/1.1", "405"),
    ])
def test_what_the_proxy_refuses(gateway, request_line, status):
    line, channel = tunnel(gateway, request_line + "\r\n\r\n")
    with channel:
        assert line.split()[1] == status


def test_a_client_may_greet_before_the_proxy_answers(gateway):
    """CONNECT and ClientHello in one packet."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = trust(gateway.ca).wrap_bio(incoming, outgoing, server_hostname=PRODUCTION)
    with pytest.raises(ssl.SSLWantReadError):
        tls.do_handshake()
    line, channel = tunnel(gateway, f"CONNECT {PRODUCTION}:443 HTTP/1.1\r\n\r\n", outgoing.read())
    assert " 200 " in line
    with channel:
        done = False
        while not done:
            try:
                tls.do_handshake()
                done = True
            except ssl.SSLWantReadError:
                channel.sendall(outgoing.read())
                data = channel.recv(65536)
                assert data, "closed"
                incoming.write(data)
    assert tls.selected_alpn_protocol() == "h2"


def test_more_targets_can_be_named(start_gateway):
    gateway = start_gateway("proxy.targets=push.test.internal")
    for host in ("push.test.internal", PRODUCTION):
        line, channel = tunnel(gateway, f"CONNECT {host}:443 HTTP/1.1\r\n\r\n")
        channel.close()
        assert " 200 " in line


# MARK: - aioapns


class AliasLoop(asyncio.SelectorEventLoop):
    """Resolves Apple's names to the gateway, as a container network's alias and port 443 do.

    aioapns has no host option. (It has a proxy option, but with asyncio's own loop version 4.0 cannot read through it.)
    """

    def __init__(self, gateway):
        super().__init__()
        self.address = gateway.provider

    async def getaddrinfo(self, host, port, **options):
        assert (host, port) in {("api.push.apple.com", 443), ("api.development.push.apple.com", 443)}
        return await super().getaddrinfo(*self.address, **options)


def with_aioapns(gateway, monkeypatch, requests, **options):
    """Pushes with an unmodified `aioapns.APNs`, which trusts the gateway by SSL_CERT_FILE; the results."""
    monkeypatch.setenv("SSL_CERT_FILE", str(gateway.certificates / "bundle.pem"))
    if "client_cert" not in options:
        options |= {"key": gateway.key_file.read_text(), "key_id": gateway.key_id, "team_id": gateway.team_id}

    async def push():
        client = aioapns.APNs(topic=TOPIC, **options)
        try:
            return await asyncio.wait_for(asyncio.gather(*map(client.send_notification, requests)), 40)
        finally:
            client.pool.close()

    with asyncio.Runner(loop_factory=lambda: AliasLoop(gateway)) as runner:
        return runner.run(push())


def push_request(token, payload=None, **options):
    return aioapns.NotificationRequest(device_token=token, message=payload or json.loads(PAYLOAD), **options)


@pytest.mark.parametrize("use_sandbox", [True, False], ids=["sandbox", "production"])
def test_aioapns_as_it_comes(gateway, monkeypatch, use_sandbox):
    """It sends no ALPN, and `host` without `:authority`."""
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
    """It reads each DATA frame as a whole JSON text, and knows 410's timestamp."""
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


def test_a_gateway_can_be_told_to_insist_on_alpn(start_gateway):
    gateway = start_gateway("tls.acceptMissingALPN=false")
    with pytest.raises((ssl.SSLError, ConnectionError, AssertionError)):
        with Provider.to(gateway, alpn=()) as provider:
            provider.push(device_token())
    with Provider.to(gateway) as provider:
        assert provider.push(device_token()).status == 200


# MARK: - httpx


def headers(gateway, **more):
    return {"apns-topic": TOPIC, "apns-push-type": "alert", "authorization": f"bearer {gateway.bearer}", **more}


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


def test_a_thousand_concurrent_pushes_over_one_connection(gateway):
    """httpx heeds the stream limit: one until the first answer, then as many as are allowed."""
    device, token = gateway.device()
    ids = [str(uuid.uuid4()) for _ in range(1000)]

    async def push_all():
        limits = httpx.Limits(max_connections=1)
        async with httpx.AsyncClient(
            http2=True, http1=False, verify=trust(gateway.ca), trust_env=False, timeout=50, limits=limits
        ) as client:
            url = "https://localhost:%d/3/device/%s" % (gateway.provider[1], token)

            async def push(apns_id):
                return await client.post(url, content=PAYLOAD, headers=headers(gateway, **{"apns-id": apns_id}))

            await push(str(uuid.uuid4()))
            return await asyncio.gather(*map(push, ids))

    answers = asyncio.run(push_all())
    assert {answer.status_code for answer in answers} == {200}
    assert [answer.headers["apns-id"] for answer in answers] == ids
    notifications = gateway.wait(device=device, count=1000, limit=1000)
    page = gateway.api("GET", "/notifications", params={"device": device, "limit": 1000, "since": notifications[-1]["id"]})
    seen = {one["apnsId"] for one in notifications + page["notifications"]}
    # An inbox keeps 1000 and counts what it dropped.
    assert len(seen - set(ids)) + len(set(ids) - seen) <= 1
    assert gateway.api("GET", f"/devices/{device}")["droppedCount"] == 1


def test_many_connections_at_once(gateway):
    devices = [gateway.device() for _ in range(20)]

    async def push_all():
        async def push(token):
            async with httpx.AsyncClient(
                http2=True, http1=False, verify=trust(gateway.ca), trust_env=False, timeout=40
            ) as client:
                url = "https://localhost:%d/3/device/%s" % (gateway.provider[1], token)
                return [await client.post(url, content=PAYLOAD, headers=headers(gateway)) for _ in range(5)]

        return await asyncio.gather(*[push(token) for _, token in devices])

    for answers in asyncio.run(push_all()):
        assert [answer.status_code for answer in answers] == [200] * 5
    for device, _ in devices:
        received(gateway, device, 5)


# MARK: - nghttp


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
def test_nghttp_in_clear_text(gateway, tmp_path):
    device, token = gateway.device()
    done = nghttp(gateway, "http://%s:%d/3/device/%s" % (*gateway.clear_text, token), tmp_path=tmp_path)
    assert ":status: 200" in done.stdout.decode(), done.stdout.decode()
    received(gateway, device)


@needs_nghttp
@pytest.mark.parametrize("option", ["--padding=100", "--trailer=x-end: 1", "--no-dep", "--window-bits=30"])
def test_nghttps_odd_frames_are_accepted(gateway, tmp_path, option):
    """Padding and trailers are taken, PRIORITY frames ignored."""
    device, token = gateway.device()
    url = "https://127.0.0.1:%d/3/device/%s" % (gateway.provider[1], token)
    done = nghttp(gateway, url, option, tmp_path=tmp_path)
    assert ":status: 200" in done.stdout.decode(), done.stdout.decode()
    received(gateway, device)


# MARK: - The connection, frame by frame


def test_one_stream_until_the_first_accepted_push(gateway, connect):
    provider = connect(gateway)
    first = provider.until_settled()
    assert {int(code): value for code, value in first.items()} == {1: 4096, 3: 1, 4: 65535, 5: 16384, 6: 8000}
    assert provider.push(device_token(), apns_priority="7").status == 400
    assert len(provider.settings) == 1
    assert provider.push(device_token()).status == 200
    provider.until(lambda: len(provider.settings) == 2, "a second SETTINGS")
    assert {int(code): value for code, value in provider.settings[1].items()} == {3: 1000}


def test_a_certificates_connection_has_the_full_limit_at_once(gateway, connect, client_certificate):
    provider = connect(gateway, bearer=None, certificate=client_certificate())
    assert {int(code): value for code, value in provider.until_settled().items()}[3] == 1000


def test_streams_above_the_limit_are_refused_and_may_be_retried(gateway, connect):
    """Clients that do not wait for SETTINGS get the surplus reset with REFUSED_STREAM."""
    provider = connect(gateway)
    device, token = gateway.device()
    streams = []
    for _ in range(3):
        stream = provider.http.get_next_available_stream_id()
        provider.answers[stream] = Answer()
        provider.http.send_headers(stream, provider.headers(token))
        streams.append(stream)
    provider.flush()
    provider.http.send_data(streams[0], PAYLOAD, end_stream=True)
    provider.flush()
    answers = [provider.answer(stream) for stream in streams]
    assert answers[0].status == 200
    assert [answer.reset for answer in answers[1:]] == [7, 7]
    assert provider.push(token).status == 200
    received(gateway, device, 2)


def test_a_ping_is_answered(gateway, provider):
    provider.http.ping(b"12345678")
    provider.flush()
    provider.until(lambda: provider.pongs, "a PING answer")
    assert provider.pongs == [b"12345678"]
    assert provider.push(device_token()).status == 200


def test_an_ordinary_error_does_not_end_the_connection(gateway, provider):
    for _ in range(50):
        assert provider.push("xyz").status == 400
    assert provider.push(device_token()).status == 200
    assert provider.goaways == []


def test_connections_tell_about_their_client(gateway, connect):
    provider = connect(gateway)
    answer = provider.push(device_token())
    provider.http.ping(b"87654321")
    provider.flush()
    provider.until(lambda: provider.pongs, "a PING answer")
    number = gateway.request(answer.apns_id)["connection"]
    connection = gateway.api("GET", f"/connections/{number}")
    assert connection["accepted"] == 1 and connection["refused"] == 0
    assert connection["pings"] == 1
    assert connection["remoteAddress"] == "%s:%d" % provider.channel.getsockname()[:2]
    assert (connection["tls"]["offeredAlpn"], connection["tls"]["selectedAlpn"]) == (["h2"], "h2")
    assert [token["keyId"] for token in connection["tokens"]] == [gateway.key_id]
    assert connection["settings"]
    assert connection.get("closedAt") is None


def test_headers_may_come_in_continuation_frames_and_any_encoding(gateway, provider):
    """HEADERS of one byte and CONTINUATION for the rest, with `authorization` indexed, not indexed, never indexed."""
    device, token = gateway.device()
    for sensitive in (False, True):
        headers = [hpack.HeaderTuple(*pair) for pair in provider.headers(token)]
        if sensitive:
            headers = [hpack.NeverIndexedHeaderTuple(*pair) for pair in headers]
        block = provider.http.encoder.encode(headers)
        stream = provider.http.get_next_available_stream_id()
        frames = [hyperframe.frame.HeadersFrame(stream, block[:1])]
        frames += [hyperframe.frame.ContinuationFrame(stream, block[at:at + 50]) for at in range(1, len(block), 50)]
        frames[-1].flags.add("END_HEADERS")
        frames.append(hyperframe.frame.DataFrame(stream, PAYLOAD, flags=["END_STREAM"]))
        # h2 splits no headers that fit in a frame; it must still know that the stream is open.
        provider.http._begin_new_stream(stream, h2.connection.AllowedStreamIDs.ODD)
        machine = provider.http.streams[stream].state_machine
        machine.process_input(h2.stream.StreamInputs.SEND_HEADERS)
        machine.process_input(h2.stream.StreamInputs.SEND_END_STREAM)
        provider.answers[stream] = Answer()
        provider.channel.sendall(b"".join(frame.serialize() for frame in frames))
        assert provider.answer(stream).status == 200
    received(gateway, device, 2)


def test_a_header_list_above_the_limit_is_refused_and_the_connection_goes_on(gateway, provider):
    assert provider.push(device_token()).status == 200
    answer = provider.push(device_token(), x_large="x" * 9000)
    assert (answer.status, answer.reset) == (431, None)
    assert answer.apns_id, "every answer has one"
    [record] = gateway.api("GET", "/requests", params={"status": 431})["requests"]
    assert record["apnsId"] == answer.apns_id and record["diagnosis"]["id"] == "headers.too-large"
    assert provider.push(device_token()).status == 200
