"""Gateways with faults, for the fault tests."""

from contextlib import contextmanager
import socket
import ssl
import time

import pytest

from gateway import device_token
from provider import Answer, Provider


@pytest.fixture(scope="module")
def faulty(tmp_path_factory, certificates, bearer):
    """A gateway used by the fault tests only."""
    from conftest import _started

    gateway = _started(tmp_path_factory.mktemp("faults"), certificates, bearer, "seed=7", "streams.oneUntilAccepted=false")
    yield gateway
    try:
        gateway.stop()
    finally:
        gateway.kill()


def rule(gateway, effect, match=None, name="fault", **members):
    answer = gateway.api(
        "POST", "/faults", 201, json={"name": name, "effect": effect, "match": match or {}, **members})
    return answer["faults"][0]


def apply(gateway, name):
    return gateway.api("POST", "/faults", 201, json={"scenario": name})["faults"]


def fired(gateway, name="fault"):
    return gateway.api("GET", f"/faults/{name}")["fired"]


def recorded(gateway, token):
    requests, since = [], 0
    while True:
        page = gateway.api("GET", "/requests", params={"limit": 1000, "since": since})
        if not page["requests"]:
            return requests
        requests += [record for record in page["requests"] if record.get("token") == token]
        since = page["next"]


def until_ended(provider):
    """Reads until the peer closes; returns how the connection ended."""
    while True:
        try:
            data = provider.channel.recv(65536)
        except ConnectionResetError:
            return "reset"
        except (ssl.SSLEOFError, ssl.SSLZeroReturnError):
            return "closed"
        if not data:
            return "closed"


def stays_open(provider, seconds=0.3):
    """Whether the connection stays open and silent for `seconds`."""
    provider.channel.settimeout(seconds)
    try:
        data = provider.channel.recv(65536)
    except (TimeoutError, socket.timeout):
        return True
    finally:
        provider.channel.settimeout(15)
    return False if not data else pytest.fail(f"got {data!r}")


@contextmanager
def connection(gateway, **options):
    """Connects and waits for SETTINGS, so that no other frame is in flight."""
    with Provider.to(gateway, **options) as provider:
        provider.until_settled()
        yield provider


@contextmanager
def clear_connection(gateway):
    """The same without TLS: through TLS, Python cannot tell a reset from a close."""
    with Provider(socket.create_connection(gateway.clear_text, 15), bearer=gateway.bearer) as provider:
        provider.until_settled()
        yield provider


def expect_reset_on_connect(gateway):
    """Connects without TLS: a reset that arrives before Python wraps the socket looks like a close."""
    with pytest.raises(ConnectionResetError), socket.create_connection(gateway.provider, 15) as client:
        client.recv(1)


def expect_close_on_connect(gateway):
    """Without TLS, as above."""
    with socket.create_connection(gateway.provider, 15) as client:
        assert client.recv(1) == b""


def until(condition, what):
    deadline = time.monotonic() + 60
    while not (found := condition()):
        assert time.monotonic() < deadline, f"no {what}"
    return found


def traced(gateway, name):
    """The closed connection for which a rule fired."""
    def find():
        for one in gateway.api("GET", "/connections")["connections"]:
            if name in [fault["rule"] for fault in one["faults"]] and one.get("closedAt"):
                return one
    return until(find, f"connection with {name}")


def burst(provider, count, token):
    """Sends several pushes in one write; returns their streams."""
    streams = []
    for _ in range(count):
        stream = provider.http.get_next_available_stream_id()
        provider.answers[stream] = Answer()
        provider.http.send_headers(stream, provider.headers(token))
        provider.http.send_data(stream, b'{"aps":{"alert":"Tea"}}', end_stream=True)
        streams.append(stream)
    provider.flush()
    return streams


def statuses(provider, count, token=None):
    return [provider.push(token or device_token()).status for _ in range(count)]


@pytest.fixture(autouse=True)
def clear(request):
    if "faulty" in request.fixturenames:
        request.getfixturevalue("faulty").api("DELETE", "/faults")
