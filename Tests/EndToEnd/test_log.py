"""The gateway's log: one line for every push, with details that the answer does not give the client."""

import json
import re
import socket
import ssl

import pytest

from provider import Provider


def lines(gateway, pattern):
    """Waits for a matching log line; returns all lines that match."""
    return gateway.follow_log(lambda log: [line for line in log.splitlines() if re.search(pattern, line)], pattern)


def test_every_push_has_a_line(start_gateway):
    gateway = start_gateway()
    name, token = gateway.device("phone")
    gateway.api("POST", "/faults", json={"name": "tea", "match": {"device": "phone"}, "count": 1, "effect": {
        "answer": {"status": 503, "reason": "Teapot"}}})
    with Provider.to(gateway) as provider:
        assert provider.push(token).status == 503
        assert provider.push(token, b'{"aps":{"alert":"Hello"}}').status == 200
        assert provider.push("xyz").status == 400
    assert "503 Teapot · by fault rule 'tea' (request 1)" in lines(gateway, "Teapot")[0]
    [accepted] = lines(gateway, "notification 1")
    assert re.search(
        r"^\d\d:\d\d:\d\d\.\d{3} info +200 alert com\.example\.app → phone · Active, delivered at once: on the lock screen, "
        r"in Notification Center, screen lit \(notification 1\)$", accepted)
    [refused] = lines(gateway, "BadDeviceToken")
    assert "400 BadDeviceToken com.example.app · The device token has 'x' at position 1." in refused
    assert refused.endswith("(request 3)")
    # Standard error is not a terminal here.
    assert "\x1b" not in gateway.stderr


def test_many_pushes_are_summarised(start_gateway):
    gateway = start_gateway()
    _, token = gateway.device("phone")
    with Provider.to(gateway) as provider:
        assert provider.push(token).status == 200
        # At once, so that they exceed the lines of a second on a busy machine, too.
        for stream in [provider.send(token) for _ in range(99)]:
            assert provider.answer(stream).status == 200
        for _ in range(100):
            provider.push("xyz")

    def counts_all(log):
        """Pushes without a line of their own are counted by reason in a summary line."""
        accepted = len(re.findall(r" 200 \w+ com", log)) + sum(map(int, re.findall(r"[:,] (\d+) accepted", log)))
        refused = len(re.findall(r" 400 BadDeviceToken", log)) + sum(map(int, re.findall(r"[:,] (\d+) BadDeviceToken", log)))
        assert accepted <= 100 and refused <= 100, log
        return (accepted, refused) == (100, 100) and log

    assert "more pushes: " in gateway.follow_log(counts_all, "200 pushes")


def test_an_extension_reports_when_it_is_done(start_gateway):
    gateway = start_gateway()
    gateway.device("phone")
    gateway.api("PUT", "/apps/com.example.app", json={"extension": {"kind": "process", "command": ["/bin/false"]}})
    gateway.api("POST", "/devices/phone/push", params={"topic": "com.example.app"}, json={
        "aps": {"alert": "Hello", "mutable-content": 1}})
    assert "· extension: " in lines(gateway, r"delivered at once.*\(notification 1\)")[0]


def test_the_log_format_and_level_are_configurable(start_gateway):
    gateway = start_gateway("log.format=json")
    with Provider.to(gateway) as provider:
        provider.push("xyz")
    lines(gateway, "BadDeviceToken")
    records = [json.loads(line) for line in gateway.stderr.splitlines()]
    [record] = [record for record in records if "BadDeviceToken" in record["message"]]
    assert record["level"] == "info" and re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]{12}Z", record["time"])

    silent = start_gateway("log.pushes=false")
    with Provider.to(silent) as provider:
        provider.push("xyz")
    silent.stop()
    assert "BadDeviceToken" not in silent.stderr


def test_a_client_that_does_not_trust_the_authority_gets_the_remedy_in_the_log(start_gateway):
    gateway = start_gateway()
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        context = ssl.create_default_context()
        context.minimum_version = context.maximum_version = version
        context.set_alpn_protocols(["h2"])
        with socket.create_connection(gateway.provider) as connection:
            try:
                context.wrap_socket(connection, server_hostname="localhost")
                raise AssertionError("trusted")
            except ssl.SSLCertVerificationError:
                pass
    [line, *_] = lines(gateway, "does not trust the gateway's certificate authority")
    assert "pushcote certs trust" in line and "warning" in line



@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_a_name_that_the_certificate_does_not_have_is_named(start_gateway, version):
    gateway = start_gateway()
    context = ssl.create_default_context(cafile=gateway.ca)
    context.minimum_version = context.maximum_version = version
    context.set_alpn_protocols(["h2"])
    with socket.create_connection(gateway.provider) as connection, pytest.raises(ssl.SSLCertVerificationError):
        context.wrap_socket(connection, server_hostname="push.example.com")
    [line, *_] = lines(gateway, "lacks the name")
    assert "certificates.names" in line and "push.example.com" in line and "warning" in line
