"""Start, stop and reload, and that a hostile or unlucky peer does not harm a gateway."""

from pathlib import Path
import concurrent.futures
import json
import signal
import socket
import subprocess

import pytest

from gateway import LISTENERS, BINARY, device_token, environment, Gateway
from lifecycle import alive
from provider import connect as connect_tls, Provider, SECONDS
import tokens


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_a_stop_sends_two_goaways(start_gateway, connect, number):
    gateway = start_gateway()
    provider = connect(gateway)
    assert provider.push(device_token()).status == 200
    gateway.send(number)
    provider.until_closed()
    # Python's h2 (and so httpx and aioapns) and Go read the first GOAWAY only.
    assert [reason for _, _, reason in provider.goaways] == [b'{"reason":"Shutdown"}'] * 2
    assert [code for _, code, _ in provider.goaways] == [0, 0]
    first, last = [stream for stream, _, _ in provider.goaways]
    assert first == 2 ** 31 - 1, "first a warning, so that nothing on its way is lost"
    assert last == 1, "then the last stream that was taken"
    assert gateway.wait_for_end() == 0


def test_a_stop_does_not_wait_for_silent_peers(start_gateway):
    """Half a TLS handshake, half a CONNECT, half an HTTP/1.1 request, half a preface, and idle connections."""
    gateway = start_gateway("shutdown.grace=200ms")
    opened = []
    for address, start in [
        (gateway.provider, b""), (gateway.provider, b"\x16\x03\x01\x02\x00\x01"), (gateway.proxy, b""),
        (gateway.proxy, b"CONNECT api.push.apple.com:443 HTTP/1.1\r\n"), (gateway.clear_text, b""),
        (gateway.clear_text, b"PRI * HTTP/2.0\r\n"), (gateway.clear_text, b"POST /3/device/ab HTTP/1.1\r\nContent-Le"),
        (gateway.clear_text, b"POST /3/device/ab HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"),
        (gateway.admin_address, b""), (gateway.admin_address, b"GET /livez HTTP/1.1\r\nHo"),
        (gateway.admin_address, b"PUT /api/v1/devices/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"),
    ]:
        one = socket.create_connection(address, SECONDS)
        one.sendall(start)
        opened.append(one)
    opened.append(connect_tls(gateway))
    alive(gateway)
    gateway.send(signal.SIGTERM)
    assert gateway.wait_for_end() == 0
    for one in opened:
        one.close()


def test_a_second_signal_is_harmless(start_gateway, connect):
    gateway = start_gateway("shutdown.grace=200ms")
    connect(gateway).push(device_token())
    for _ in range(3):
        gateway.send(signal.SIGTERM)
    assert gateway.wait_for_end() == 0


def with_file(folder, text):
    path = Path(folder) / "settings.yaml"
    path.write_text(text)
    return path


def test_sighup_applies_a_valid_configuration(start_gateway, connect, tmp_path):
    path = with_file(tmp_path, "tokens:\n  unknown: register\n")
    gateway = start_gateway(arguments=["--config", path])
    provider = connect(gateway)
    assert provider.push(device_token()).status == 200
    path.write_text("tokens:\n  unknown: reject\nauth:\n  mode: strict\ndevices:\n  phone:\n    registrations: [{topic: com.example.app}]\n")
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log("Configuration reloaded")
    assert provider.push(device_token()).reason == "BadDeviceToken", "open connections follow"
    [registration] = gateway.api("GET", "/devices/phone")["registrations"]
    assert provider.push(registration["token"]).status == 200


def test_sighup_rejects_an_invalid_configuration_and_reports_it(start_gateway, connect, tmp_path):
    path = with_file(tmp_path, "tokens:\n  unknown: reject\n")
    gateway = start_gateway(arguments=["--config", path])
    for count, (text, says) in enumerate([
            ("tokens:\n  unknown: maybe\n", ["settings.yaml:2", "maybe", "register", "reject"]),
            ("auth:\n  moed: strict\n", ["auth.moed", "auth.mode"]), ("auth: [", ["settings.yaml"])], 1):
        path.write_text(text)
        gateway.send(signal.SIGHUP)
        log = gateway.wait_for_log("Configuration not reloaded; the old one still applies", count)
        for word in says:
            assert word in log
        assert connect(gateway).push(device_token()).reason == "BadDeviceToken", "the old configuration still applies"


def test_sighup_applies_faults_and_reports_what_needs_a_restart(start_gateway, connect, tmp_path):
    path = with_file(tmp_path, "log: {level: info}\n")
    gateway = start_gateway(arguments=["--config", path])
    provider = connect(gateway)
    assert provider.push(device_token()).status == 200
    path.write_text(
        "faults:\n- name: busy\n  effect: {answer: {status: 429, reason: TooManyRequests}}\nlint: {silenced: [title.long]}\n"
        "log: {level: notice}\nlimits: {connections: 7}\nproxy: {targets: [a.example]}\ncertificates: {names: [b.example]}\n")
    gateway.send(signal.SIGHUP)
    log = gateway.wait_for_log("Changed settings need a restart")
    names = "log.level, certificates.names, proxy.targets, limits.connections, lint.silenced"
    [line] = [line for line in log.splitlines() if "need a restart" in line]
    assert names in line
    assert provider.push(device_token()).reason == "TooManyRequests", "open connections follow"
    # A change made through the API survives a reload when the file's entry is unchanged.
    gateway.api("DELETE", "/faults")
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log("Configuration reloaded", 2)
    assert provider.push(device_token()).status == 200
    path.write_text("faults:\n- scenario: G5\n")
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log("Configuration reloaded", 3)
    assert gateway.api("GET", "/faults")["faults"]


@pytest.mark.parametrize("journal", [[], ["journal=sqlite"]])
def test_sighup_after_a_reset_restores_everything_of_the_files(start_gateway, tmp_path, journal):
    path = with_file(
        tmp_path, "apps: {com.example.app: {displayName: Example}}\ndevices: {phone: {registrations: [{topic: com.example.app}]}}\n"
        "faults:\n- {name: busy, match: {device: none}, effect: {delay: 1ms}}\n")
    gateway = start_gateway(*journal, arguments=["--config", path])

    def names():
        return [[one.get("name", one.get("bundleId")) for one in gateway.api("GET", f"/{kind}")[kind]] for kind in (
            "apps", "devices", "faults")]

    def reload(count):
        gateway.send(signal.SIGHUP)
        gateway.wait_for_log("Configuration reloaded", count)
        return names()

    everything = [["com.example.app"], ["phone"], ["busy"]]
    assert names() == everything
    gateway.api("POST", "/reset")
    assert names() == [[], [], []]
    assert reload(1) == everything
    # What a reset kept is as the API left it.
    gateway.api("PATCH", "/devices/phone", json={"isOnline": False})
    gateway.api("PATCH", "/apps/com.example.app", json={"displayName": "Changed"})
    gateway.api("DELETE", "/faults/busy")
    gateway.api("POST", "/reset", json={"keep": ["devices", "apps", "faults"]})
    assert reload(2) == [["com.example.app"], ["phone"], []]
    assert gateway.api("GET", "/apps/com.example.app")["displayName"] == "Changed"
    gateway.api("POST", "/reset", json={"keep": ["devices"]})
    assert reload(3) == everything
    assert gateway.api("GET", "/apps/com.example.app")["displayName"] == "Example"
    assert gateway.api("GET", "/devices/phone")["isOnline"] is False
    gateway.api("DELETE", "/apps/com.example.app")
    assert reload(4) == [[], ["phone"], ["busy"]]
    if journal:
        gateway.api("POST", "/reset")
        gateway.crash()
        gateway.start()
        assert names() == everything


def test_sighup_applies_nothing_of_a_rejected_configuration(start_gateway, connect, tmp_path):
    mine, other = tokens.new_key(), tokens.new_key()
    for name, key in {"mine": mine, "other": other}.items():
        (tmp_path / f"{name}.pem").write_bytes(tokens.public_pem(key))
    keys = "keys:\n- {keyId: MINE, teamId: TEAM, file: %s.pem}\n"
    phone = "devices:\n  phone: {registrations: [{topic: com.example.app, token: 00ff}]}\n"
    path = with_file(tmp_path, keys % "mine" + phone)
    gateway = start_gateway("auth.mode=strict", arguments=["--config", path])

    def answer(key):
        return connect(gateway, bearer=tokens.provider_token(key, "MINE", "TEAM")).push("00ff").reason

    assert (answer(mine), answer(other)) == (None, "InvalidProviderToken")
    missing = "- {keyId: LOST, teamId: TEAM, file: lost.pem}\n"
    taken = "  pad: {registrations: [{topic: com.example.app, token: 00ff}]}\n"
    for count, text in enumerate([keys % "other" + missing + phone, keys % "other" + phone + taken], 1):
        path.write_text(text + "apps: {com.example.new: {displayName: New}}\n")
        gateway.send(signal.SIGHUP)
        gateway.wait_for_log("Configuration not reloaded; the old one still applies", count)
        assert (answer(mine), answer(other)) == (None, "InvalidProviderToken")
        assert not gateway.api("GET", "/apps")["apps"]
        assert [device["name"] for device in gateway.api("GET", "/devices")["devices"]] == ["phone"]
    # A key removed from the file is no longer accepted.
    path.write_text(phone)
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log("Configuration reloaded")
    assert (answer(mine), answer(other)) == ("InvalidProviderToken", "InvalidProviderToken")


def test_sighup_rejects_damaged_certificates(start_gateway, tmp_path):
    gateway = start_gateway(certificates=tmp_path / "certs")
    (tmp_path / "certs/server.pem").write_text("x")
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log("Configuration not reloaded")
    alive(gateway)


def test_a_gateway_killed_while_creating_certificates_can_start_again(start_gateway, tmp_path):
    folder = tmp_path / "certs"
    for milliseconds in (1, 5, 10, 20, 40, 60, 80, 100):
        process = subprocess.Popen(
            [BINARY, "certs", "renew", "--all", "--set", f"certificates.folder={folder}"], cwd=tmp_path,
            env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(milliseconds / 1000)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    gateway = start_gateway(certificates=folder)
    alive(gateway)


def test_accepted_pushes_are_in_the_inbox(start_gateway):
    """Pushes from several connections, while devices are made and notifications read: none is lost."""
    gateway = start_gateway()
    devices = [gateway.device(f"phone-{number}") for number in range(4)]

    def push(token):
        with Provider.to(gateway) as provider:
            return [provider.push(token).apns_id for _ in range(100)]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        pushes = [pool.submit(push, token) for _, token in devices]
        for number in range(50):
            pool.submit(gateway.device, f"other-{number}")
        sent = [one.result(50) for one in pushes]
    for (device, _), ids in zip(devices, sent):
        assert [one["apnsId"] for one in gateway.wait(device=device, count=100, limit=1000)] == ids, "in order"


def test_ipv6_and_several_listeners(start_gateway):
    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("no IPv6 here")
    gateway = start_gateway("listen.provider=127.0.0.1:0,127.0.0.1:0,[::1]:0")
    addresses = gateway.facts["addresses"]["provider"]
    assert len(addresses) == 3 and addresses[2].startswith("[::1]:")
    for text in addresses:
        host, _, port = text.rpartition(":")
        gateway.provider = (host.strip("[]"), int(port))
        with Provider.to(gateway) as provider:
            assert provider.push(device_token()).status == 200


def test_json_start(tmp_path, certificates):
    gateway = Gateway(tmp_path, certificates, arguments=["--json"])
    with open(gateway.stderr_file, "wb") as stderr:
        process = subprocess.Popen(gateway.command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=stderr)
    try:
        decoder, text = json.JSONDecoder(), ""
        while True:
            line = process.stdout.readline().decode()
            assert line, "ended"
            text += line
            try:
                facts, _ = decoder.raw_decode(text)
                break
            except ValueError:
                continue
        assert set(facts["addresses"]) == set(LISTENERS)
        process.terminate()
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.stdout.close()
