"""Peers that send too much, too little or garbage."""

from pathlib import Path
import os
import random
import socket
import ssl
import struct

import httpx
import pytest

from gateway import device_token
from lifecycle import alive
from provider import connect as connect_tls, PAYLOAD, Provider, SECONDS


TOPIC = "com.example.app"


def test_a_large_body_is_rejected_and_not_stored(gateway, provider):
    body = b"y" * (4 << 20)
    before = resident(gateway)
    for _ in range(10):
        answer = provider.push(device_token(), body) if not provider.is_closed else None
        if answer is None or answer.reset is not None:
            break
        assert (answer.status, answer.reason) == (413, "PayloadTooLarge")
        record = gateway.request(answer.apns_id, reason="PayloadTooLarge")
        detail = gateway.admin.get(f"/api/v1/requests/{record['number']}").content
        assert len(detail) < 100_000
    assert resident(gateway) - before < 32 << 20
    alive(gateway)


def resident(gateway):
    """Resident memory in bytes."""
    pages = int(Path(f"/proc/{gateway.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def test_http1_large_bodies_are_rejected(gateway):
    url = "http://%s:%d/3/device/%s" % (*gateway.clear_text, device_token())
    headers = {"apns-topic": TOPIC, "authorization": f"bearer {gateway.bearer}"}
    with httpx.Client(trust_env=False, timeout=20) as client:
        answer = client.post(url, content=b"x" * 20_000, headers=headers)
        assert (answer.status_code, answer.content) == (413, b'{"reason":"PayloadTooLarge"}')
        answer = client.post(url, content=(b"x" * 1000 for _ in range(20)), headers=headers)
        assert answer.status_code == 413, "chunked"
    alive(gateway)


def test_the_gateway_stops_reading_from_a_peer_that_does_not_read(start_gateway, connect):
    """A client sends requests and never reads: the gateway stops reading, uses little memory, and serves others."""
    gateway = start_gateway("requests.kept=10")
    provider = connect(gateway)
    assert provider.push(device_token()).status == 200
    provider.until(lambda: len(provider.settings) == 2, "the full stream limit")
    before = resident(gateway)
    headers = provider.headers("xyz", apns_id=None)
    assert provider.answer(provider.send_raw(headers, b"")).status == 400
    # From the second time on, HPACK encodes the same headers to the same few bytes.
    block = provider.http.encoder.encode(headers)
    assert block == provider.http.encoder.encode(headers)
    stream = provider.http.get_next_available_stream_id()
    provider.channel.settimeout(2)
    sent = 0
    try:
        while sent < 64 << 20:
            batch = b"".join(frame_bytes(1, 0x5, number, block) for number in range(stream, stream + 4000, 2))
            stream += 4000
            provider.channel.sendall(batch)
            sent += len(batch)
    except TimeoutError:
        pass
    except (ConnectionError, ssl.SSLError):
        pass  # Closing such a connection is also acceptable.
    assert sent < 64 << 20, "it takes whatever is sent"
    assert resident(gateway) - before < 48 << 20
    alive(gateway)


def frame_bytes(kind, flags, stream, body):
    return struct.pack(">I", len(body))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + body


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
# `ConformanceTests` and `FloodTests` have each frame that is wrong; these go to every listener.
GARBAGE = {
    "nothing": b"",
    "random": random.Random(1).randbytes(20_000),
    "half a preface": PREFACE[:10],
    "a preface and garbage": PREFACE + random.Random(2).randbytes(5000),
    "half a frame": PREFACE + frame_bytes(4, 0, 0, b"") + b"\x00\x00\x10\x01",
    "a frame of 16 MiB": PREFACE + frame_bytes(4, 0, 0, b"") + b"\xff\xff\xff\x01\x05\x00\x00\x00\x01" + bytes(70_000),
    "HEADERS that are no HPACK": PREFACE + frame_bytes(4, 0, 0, b"") + frame_bytes(1, 5, 1, b"\xff" * 100),
    "endless CONTINUATION": PREFACE + frame_bytes(4, 0, 0, b"") + frame_bytes(1, 1, 1, b"\x82")
        + frame_bytes(9, 0, 1, b"\x00\x01a\x01b" * 2000) * 20,
    "a PING flood": PREFACE + frame_bytes(4, 0, 0, b"") + frame_bytes(6, 0, 0, bytes(8)) * 5000,
    "a reset flood": PREFACE + frame_bytes(4, 0, 0, b"") + b"".join(
        frame_bytes(1, 4, stream, b"\x83\x87\x84") + frame_bytes(3, 0, stream, bytes(4)) for stream in range(1, 4001, 2)),
    "a long HTTP/1.1 line": b"POST /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
    "many HTTP/1.1 fields": b"POST / HTTP/1.1\r\n" + b"a: b\r\n" * 20_000 + b"\r\n",
    "a negative length": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "an endless chunk": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
    "TLS where none is spoken": b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03" + bytes(161),
}


@pytest.mark.parametrize("listener", ["provider", "provider in TLS", "clear_text", "proxy", "proxy in TLS", "admin_address"])
@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_ends_its_connection_and_nothing_else(gateway, name, listener):
    if listener == "provider in TLS":
        channel = connect_tls(gateway)
    elif listener == "proxy in TLS":
        channel = socket.create_connection(gateway.proxy, SECONDS)
        channel.sendall(b"CONNECT api.push.apple.com:443 HTTP/1.1\r\n\r\n")
        channel.recv(1000)
    else:
        channel = socket.create_connection(getattr(gateway, listener), SECONDS)
    with channel:
        channel.settimeout(5)
        try:
            channel.sendall(GARBAGE[name])
            channel.shutdown(socket.SHUT_WR) if not isinstance(channel, ssl.SSLSocket) else None
            if name != "nothing":
                channel.settimeout(0.2)
                while channel.recv(65536):
                    pass
        except (OSError, ssl.SSLError):
            pass
    assert gateway.process.poll() is None
    assert gateway.admin.get("/livez").status_code == 200
    with Provider.to(gateway) as provider:
        assert provider.push(device_token()).status == 200


def test_a_connection_cut_during_a_body_stores_nothing(gateway):
    device, token = gateway.device()
    for _ in range(20):
        with Provider.to(gateway) as provider:
            stream = provider.http.get_next_available_stream_id()
            provider.http.send_headers(stream, provider.headers(token))
            provider.http.send_data(stream, PAYLOAD[:5])
            provider.flush()
            # A reset instead of a clean close.
            provider.channel.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    alive(gateway)
    assert gateway.notifications(device=device) == []
