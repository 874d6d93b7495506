"""Several gateways: HAProxy in front of them, as docs/scale.md says, and lists over all of them."""

import json
import os
import secrets
import shutil
import socket
import subprocess
from types import SimpleNamespace

import pytest

from gateway import ROOT, STOP_SECONDS, pushcote
from provider import Provider

PATH = os.environ["PATH"] + ":/usr/sbin"

needs_haproxy = pytest.mark.skipif(
    not shutil.which("haproxy", path=PATH), reason="HAProxy is not installed: scripts/install-packages test")


@pytest.fixture
def haproxy(tmp_path):
    """Starts HAProxy with the configuration that users get; an address to push to."""
    started = []

    def start(*gateways):
        certificate = tmp_path / "haproxy.pem"
        folder = gateways[0].certificates
        certificate.write_bytes((folder / "server.pem").read_bytes() + (folder / "private/server.key").read_bytes())
        listener = socket.create_server(("127.0.0.1", 0))
        settings = {f"GATEWAY_{number}": "%s:%d" % gateway.clear_text for number, gateway in enumerate(gateways, 1)}
        settings |= {"CERTIFICATE": str(certificate), "PROVIDER": f"fd@{listener.fileno()}", "PATH": PATH}
        command = ["haproxy", "-db", "-f", ROOT / "docker/haproxy.cfg"]
        options = {"env": os.environ | settings, "pass_fds": [listener.fileno()]}
        checked = subprocess.run([*command, "-c"], capture_output=True, text=True, **options)
        assert checked.returncode == 0 and "WARNING" not in checked.stderr, checked.stderr
        started.append((subprocess.Popen(command, **options), listener))
        # Connections wait in the listener's queue until HAProxy accepts them.
        return SimpleNamespace(provider=listener.getsockname(), ca=gateways[0].ca, bearer=gateways[0].bearer)

    yield start
    for process, listener in started:
        process.terminate()
        process.wait(STOP_SECONDS)
        listener.close()


def push_to_all(address, tokens, **options):
    """Pushes to each token on one connection."""
    with Provider.to(address, **options) as provider:
        assert provider.push(tokens[0]).status == 200
        streams = []
        for token in tokens[1:]:
            streams.append(provider.send(token))
            # Reads in between, so that neither side waits for the other to read.
            if len(streams) % 100 == 0:
                provider.answer(streams[-1])
        assert {provider.answer(stream).status for stream in streams} == {200}


def counts(gateway):
    """How many notifications each token has got."""
    listed = pushcote("devices", "--all", "--json", "--admin", "http://%s:%d" % gateway.admin_address)
    return {
        device["registrations"][0]["token"]: device["notificationCount"]
        for device in json.loads(listed.stdout)["devices"]
    }


@needs_haproxy
def test_every_token_is_always_at_one_gateway(start_gateway, haproxy):
    gateways = [start_gateway("streams.oneUntilAccepted=false") for _ in range(2)]
    tokens = [secrets.token_hex(32) for _ in range(2000)]
    first = haproxy(*gateways)
    push_to_all(first, tokens)
    push_to_all(first, tokens[::-1])
    push_to_all(haproxy(*gateways), tokens, host="api.development.push.apple.com")
    one, other = (counts(gateway) for gateway in gateways)
    assert not one.keys() & other.keys()
    assert one | other == dict.fromkeys(tokens, 3)
    assert min(len(one), len(other)) > 500


# MARK: - pushcote gather

def url(gateway):
    return "http://%s:%d" % gateway.admin_address


def gather(gateways, *arguments):
    return pushcote("gather", *(part for gateway in gateways for part in ("--from", url(gateway))), *arguments)


@pytest.fixture(scope="module")
def pair(make_gateway):
    """Two gateways with a device each, pushed to in turn."""
    gateways = [make_gateway(), make_gateway()]
    for name, gateway in zip(("anna", "ben"), gateways):
        gateway.device(name)
    for number in range(3):
        for name, gateway in zip(("anna", "ben"), gateways):
            gateway.api("POST", f"/devices/{name}/push?topic=com.example.app", json={"aps": {"alert": f"{number}"}})
    return gateways


def test_gather_merges_notifications_by_time(pair):
    made = gather(pair, "inbox", "--json")
    found = json.loads(made.stdout)["notifications"]
    assert [(each["device"], each["body"]) for each in found] == [
        (name, f"{number}") for number in range(3) for name in ("anna", "ben")]
    assert [each["gateway"] for each in found] == [url(gateway) for gateway in pair] * 3


def test_gather_filters_and_reports_its_limits(pair):
    made = gather(pair, "inbox", "--text", "1")
    head, *rows = [line.split() for line in made.stdout.splitlines()]
    assert head[:2] == ["GATEWAY", "ID"]
    assert [(row[0], row[3]) for row in rows] == [(url(pair[0]), "anna"), (url(pair[1]), "ben")]
    made = gather(pair, "requests", "--limit", "2")
    assert [line.split()[0] for line in made.stdout.splitlines()[1:]] == [url(gateway) for gateway in pair]
    assert made.stderr.strip() == "These are the newest 2 of 6; --all shows all."


def test_gather_lists_devices_by_name(pair):
    made = gather(pair[::-1], "devices")
    assert [line.split()[:2] for line in made.stdout.splitlines()[1:]] == [
        [url(pair[0]), "anna"], [url(pair[1]), "ben"]]


def test_gather_needs_every_gateway(pair, unused_address):
    made = pushcote("gather", "--from", url(pair[0]), "--from", unused_address, "inbox")
    assert made.returncode == 4
    assert made.stdout == ""
    assert made.stderr.startswith(f"pushcote: nothing answers at {unused_address} (")
    assert "leave out its --from" in made.stderr


@pytest.fixture
def unused_address():
    """An address that no program listens on while the test runs: the port is taken, but not listened on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield "http://127.0.0.1:%d" % taken.getsockname()[1]


@pytest.mark.parametrize("arguments, words", [
    (("explain", "1"), "gather cannot merge 'explain 1'; accepted: inbox, requests or devices"),
    (("inbox", "--follow"), "leave out --follow"),
    (("requests", "--wait", "1s"), "leave out --follow"),
    (("devices", "anna"), "the number or name of one element"),
    (("inbox", "--admin", "localhost:1"), "name each gateway with --from"),
    (("inbox", "--speed", "3"), "Unknown option '--speed'"),
    ((), "Missing expected argument '<list> ...'"),
])
def test_gather_rejects_unsupported_requests(pair, arguments, words):
    made = gather(pair, *arguments)
    assert made.returncode == 64
    assert words in made.stderr
