"""The CONNECT proxy, and HTTP/1.1 in clear text."""

import re
import socket
import ssl

import pytest

from clients import connection_of, curl, received
from gateway import device_token
from provider import Answer, PRODUCTION, Provider, SANDBOX, trust


TOPIC = "com.example.app"


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


def test_the_alternative_port_is_proxied(gateway):
    device, token = gateway.device(environment="production")
    head, _ = curl(
        gateway, f"https://{PRODUCTION}:2197/3/device/{token}", "--http2", "--proxy",
        "http://%s:%d" % gateway.proxy)
    assert head[0].startswith("HTTP/2 200")
    received(gateway, device)


def test_streams_opened_before_settings_are_refused_and_logged(gateway, connect):
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


def test_http1_repeated_headers_are_duplicates(gateway):
    address = "http://%s:%d/3/device/%s" % (*gateway.clear_text, device_token())
    _, body = curl(gateway, address, "--http1.1", "--header", "Apns-Topic: " + TOPIC)
    assert body == b'{"reason":"DuplicateHeaders"}'


def tunnel(gateway, request, *more):
    """Sends a CONNECT; returns the proxy's status line and the socket."""
    channel = socket.create_connection(gateway.proxy, 20)
    channel.sendall(request.encode() + b"".join(more))
    answer = b""
    while b"\r\n\r\n" not in answer:
        chunk = channel.recv(1)
        if not chunk:
            break
        answer += chunk
    return answer.splitlines()[0].decode(), channel


def test_the_connect_target_decides_the_environment_first(gateway):
    line, channel = tunnel(
        gateway, "CONNECT API.Push.Apple.COM:2197 HTTP/1.1\r\nHost: x\r\nProxy-Authorization: basic eDp5\r\n\r\n")
    assert " 200 " in line
    secure = trust(gateway.ca).wrap_socket(channel, server_hostname=SANDBOX)
    with Provider(secure, SANDBOX, gateway.bearer) as provider:
        answer = provider.push(device_token(), authority=SANDBOX)
        assert answer.status == 200
        assert gateway.request(answer.apns_id)["environment"] == "production"


def test_a_client_may_start_tls_before_the_proxy_answers(gateway):
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


def test_more_targets_can_be_configured(start_gateway):
    gateway = start_gateway("proxy.targets=push.test.internal")
    for host in ("push.test.internal", PRODUCTION):
        line, channel = tunnel(gateway, f"CONNECT {host}:443 HTTP/1.1\r\n\r\n")
        channel.close()
        assert " 200 " in line
