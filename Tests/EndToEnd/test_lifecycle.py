"""Start, stop, reload, and what a hostile or unlucky peer may do to a gateway: nothing."""

import concurrent.futures
import json
import os
import random
import select
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import tempfile
import time
from pathlib import Path

import httpx
import pytest
from hyperframe.frame import DataFrame

import tokens
from gateway import BINARY, CRASH, Gateway, device_token, environment, pushcote
from provider import PAYLOAD, SECONDS, Answer, Provider, connect as connect_tls
from test_admin import wait_until_waiting

TOPIC = "com.example.app"
SIGNALS = [signal.SIGTERM, signal.SIGINT]


def alive(gateway):
    """Takes a push, and shows it."""
    assert gateway.process.poll() is None
    device, token = gateway.device()
    with Provider.to(gateway) as provider:
        assert provider.push(token).status == 200
    assert len(gateway.wait(device=device)) == 1


# MARK: - Stopping


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_a_stop_says_goodbye_in_two_steps(start_gateway, connect, number):
    gateway = start_gateway()
    provider = connect(gateway)
    assert provider.push(device_token()).status == 200
    gateway.send(number)
    provider.until_closed()
    assert provider.goaways[-1][2] == b'{"reason":"Shutdown"}'
    assert [code for _, code, _ in provider.goaways] == [0, 0]
    first, last = [stream for stream, _, _ in provider.goaways]
    assert first == 2 ** 31 - 1, "first a warning, so that nothing on its way is lost"
    assert last == 1, "then the last stream that was taken"
    assert gateway.wait_for_end() == 0


def test_the_first_goodbye_has_the_reason_too(start_gateway, connect):
    """Python's h2, with it httpx and aioapns, and Go look at the first GOAWAY only."""
    gateway = start_gateway()
    provider = connect(gateway)
    assert provider.push(device_token()).status == 200
    gateway.send(signal.SIGTERM)
    provider.until(lambda: provider.goaways, "GOAWAY")
    assert provider.goaways[0][2] == b'{"reason":"Shutdown"}'


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_a_stop_ends_long_polls_at_once(start_gateway, number):
    gateway = start_gateway("shutdown.grace=60s")
    with concurrent.futures.ThreadPoolExecutor(5) as pool:
        waits = [pool.submit(gateway.api, "GET", "/notifications", params={"wait": "60s"}) for _ in range(5)]
        wait_until_waiting(gateway, 5)
        started = time.monotonic()
        gateway.send(number)
        pages = [wait.result(20) for wait in waits]
        assert [page["outcome"] for page in pages] == ["stopping"] * 5
        assert gateway.wait_for_end() == 0
        assert time.monotonic() - started < 15, "neither the wait nor the grace is sat out"


def test_a_stop_lets_requests_under_way_finish(start_gateway, connect):
    gateway = start_gateway("shutdown.grace=30s")
    provider = connect(gateway)
    assert provider.push(device_token()).status == 200
    stream = provider.http.get_next_available_stream_id()
    provider.answers[stream] = Answer()
    provider.http.send_headers(stream, provider.headers(device_token()))
    provider.http.send_data(stream, PAYLOAD[:10])
    provider.http.ping(b"12345678")
    provider.flush()
    provider.until(lambda: provider.pongs, "a PING answer: the request has arrived")
    gateway.send(signal.SIGTERM)
    provider.until(lambda: provider.goaways, "GOAWAY")
    provider.send_frame(DataFrame(stream, PAYLOAD[10:], flags=["END_STREAM"]))
    answer = provider.answer(stream)
    assert (answer.status, answer.body) == (200, b"")
    provider.until_closed()
    assert provider.goaways[-1][0] == stream, "the last stream that was taken"
    assert gateway.wait_for_end() == 0


def test_a_stop_does_not_wait_for_a_half_sent_request_for_ever(start_gateway, connect):
    gateway = start_gateway("shutdown.grace=200ms")
    provider = connect(gateway)
    assert provider.push(device_token()).status == 200
    stream = provider.http.get_next_available_stream_id()
    provider.http.send_headers(stream, provider.headers(device_token()))
    provider.flush()
    provider.http.ping(b"12345678")
    provider.flush()
    provider.until(lambda: provider.pongs, "a PING answer")
    gateway.send(signal.SIGTERM)
    assert gateway.wait_for_end() == 0


def test_a_stop_does_not_wait_for_silent_peers(start_gateway):
    """Half a hand-shake, half a CONNECT, half an HTTP/1.1 request, a half preface, and idle connections."""
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


def test_a_second_signal_does_no_harm(start_gateway, connect):
    gateway = start_gateway("shutdown.grace=200ms")
    connect(gateway).push(device_token())
    for _ in range(3):
        gateway.send(signal.SIGTERM)
    assert gateway.wait_for_end() == 0


def test_nothing_new_is_taken_after_a_stop(start_gateway):
    gateway = start_gateway()
    gateway.stop()
    for address in (gateway.provider, gateway.clear_text, gateway.proxy, gateway.admin_address):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address, 5).close()


# MARK: - Reload


def with_file(folder, text):
    path = Path(folder) / "settings.yaml"
    path.write_text(text)
    return path


def test_sighup_takes_a_good_configuration(start_gateway, connect, tmp_path):
    path = with_file(tmp_path, "tokens:\n  unknown: register\n")
    gateway = start_gateway(arguments=["--config", path])
    provider = connect(gateway)
    assert provider.push(device_token()).status == 200
    path.write_text("tokens:\n  unknown: reject\nauth:\n  mode: strict\ndevices:\n  phone:\n    registrations: [{topic: com.example.app}]\n")
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log("Configuration read again")
    assert provider.push(device_token()).reason == "BadDeviceToken", "open connections follow"
    [registration] = gateway.api("GET", "/devices/phone")["registrations"]
    assert provider.push(registration["token"]).status == 200


@pytest.mark.parametrize(
    "text, says",
    [
        ("tokens:\n  unknown: maybe\n", ["settings.yaml:2", "maybe", "register", "reject"]),
        ("auth:\n  moed: strict\n", ["settings.yaml:2", "auth.moed", "auth.mode"]),
        ("auth: [", ["settings.yaml"]),
    ], ids=["value", "key", "syntax"])
def test_sighup_refuses_a_bad_configuration_and_says_so(start_gateway, connect, tmp_path, text, says):
    path = with_file(tmp_path, "tokens:\n  unknown: reject\n")
    gateway = start_gateway(arguments=["--config", path])
    path.write_text(text)
    gateway.send(signal.SIGHUP)
    log = gateway.wait_for_log("The new configuration is refused; the old one stays")
    for word in says:
        assert word in log
    assert connect(gateway).push(device_token()).reason == "BadDeviceToken", "the old one stays"


def test_sighup_follows_faults_and_tells_what_needs_a_restart(start_gateway, connect, tmp_path):
    path = with_file(tmp_path, "log: {level: info}\n")
    gateway = start_gateway(arguments=["--config", path])
    provider = connect(gateway)
    assert provider.push(device_token()).status == 200
    path.write_text(
        "faults:\n- name: busy\n  effect: {answer: {status: 429, reason: TooManyRequests}}\nlint: {silenced: [title.long]}\n"
        "log: {level: notice}\nlimits: {connections: 7}\nproxy: {targets: [a.example]}\ncertificates: {names: [b.example]}\n")
    gateway.send(signal.SIGHUP)
    log = gateway.wait_for_log("Some settings changed that need a restart")
    names = "log.level, certificates.names, proxy.targets, limits.connections, lint.silenced"
    [line] = [line for line in log.splitlines() if "need a restart" in line]
    assert names in line
    assert provider.push(device_token()).reason == "TooManyRequests", "open connections follow"
    # What was set by hand meanwhile stays, as long as the file says the same.
    gateway.api("DELETE", "/faults")
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log_again("Configuration read again", 2)
    assert provider.push(device_token()).status == 200
    path.write_text("faults:\n- scenario: G5\n")
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log_again("Configuration read again", 3)
    assert gateway.api("GET", "/faults")["faults"]


def test_sighup_takes_nothing_of_a_configuration_that_it_refuses(start_gateway, connect, tmp_path):
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
        gateway.wait_for_log_again("The new configuration is refused; the old one stays", count)
        assert (answer(mine), answer(other)) == (None, "InvalidProviderToken")
        assert not gateway.api("GET", "/apps")["apps"]
        assert [device["name"] for device in gateway.api("GET", "/devices")["devices"]] == ["phone"]
    # A key that the file no longer has is forgotten.
    path.write_text(phone)
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log("Configuration read again")
    assert (answer(mine), answer(other)) == ("InvalidProviderToken", "InvalidProviderToken")


def test_sighup_refuses_damaged_certificates(start_gateway, tmp_path):
    gateway = start_gateway(certificates=tmp_path / "certs")
    (tmp_path / "certs/server.pem").write_text("x")
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log("refused")
    alive(gateway)


# MARK: - Start-up problems


def serve_and_fail(certificates, tmp_path, *options, arguments=(), env=None, file=None):
    settings = {f"listen.{name}": "127.0.0.1:0" for name in ("provider", "clearText", "proxy", "admin")}
    settings["certificates.folder"] = str(certificates)
    settings |= dict(option.split("=", 1) for option in options)
    command = ["serve", *arguments]
    for name, value in settings.items():
        command += ["--set", f"{name}={value}"]
    if file is not None:
        (tmp_path / "config.yaml").write_text(file)
    done = pushcote(*command, cwd=tmp_path, env=env)
    assert "Ready." not in done.stdout and not CRASH.search(done.stderr)
    return done


@pytest.mark.parametrize("listener", ["provider", "clearText", "proxy", "admin"])
def test_a_taken_port_is_told(certificates, tmp_path, listener):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = "127.0.0.1:%d" % taken.getsockname()[1]
        done = serve_and_fail(certificates, tmp_path, f"listen.{listener}={address}")
    assert done.returncode == 1
    assert address in done.stderr and "listen." + listener in done.stderr
    assert "in use" in done.stderr or "taken" in done.stderr


@pytest.mark.parametrize(
    "text, says",
    [
        ("auth:\n  mode: strickt\n", ["config.yaml:2", "auth.mode", "strickt", "strict", "verify", "off"]),
        ("# one\nauth:\n  moed: off\n", ["config.yaml:3", "auth.moed", "auth.mode"]),
        ("lissen:\n  provider: x\n", ["config.yaml:1", "lissen", "listen"]),
        ("shutdown:\n  grace: soon\n", ["config.yaml:2", "shutdown.grace", "soon"]),
        ("inbox:\n  perDevice: -1\n", ["config.yaml:2", "inbox.perDevice"]),
        ("http2:\n  maximumFrameSize: 3\n", ["config.yaml:2", "http2.maximumFrameSize", "16384"]),
        ("listen:\n  provider: nowhere\n", ["config.yaml:2", "listen.provider"]),
        ("auth: [\n", ["config.yaml"]),
        ("devices:\n  phone:\n    registrations:\n      - {tpic: x}\n", ["config.yaml:4", "tpic", "topic"]),
        ("keys:\n  - {keyId: ABCDEFGHIJ, teamId: ABCDEFGHIJ, file: lost.p8}\n", ["config.yaml:2", "lost.p8"]),
    ])
def test_a_bad_configuration_is_told_with_file_line_and_key(certificates, tmp_path, text, says):
    options = [] if "listen" not in text else ["listen.admin=127.0.0.1:0"]
    if "listen:" in text:
        done = pushcote("serve", "--set", f"certificates.folder={certificates}", cwd=tmp_path) if (
            tmp_path / "config.yaml").write_text(text) else None
    else:
        done = serve_and_fail(certificates, tmp_path, *options, file=text)
    assert done.returncode == 2, done.stderr
    for word in says:
        assert word in done.stderr


def test_bad_flags_and_variables_are_told_too(certificates, tmp_path):
    done = serve_and_fail(certificates, tmp_path, "auth.mode=strickt")
    assert done.returncode == 2 and "--set" in done.stderr and "strict" in done.stderr
    done = serve_and_fail(certificates, tmp_path, env=environment(PUSHCOTE_AUTH_MODE="strickt"))
    assert done.returncode == 2 and "PUSHCOTE_AUTH_MODE" in done.stderr
    done = serve_and_fail(certificates, tmp_path, arguments=["--config", "lost.yaml"])
    assert done.returncode == 2 and "lost.yaml" in done.stderr
    assert pushcote("serve", "--colour", cwd=tmp_path).returncode == 64


def test_flags_win_over_variables_and_these_over_the_file(tmp_path):
    (tmp_path / "config.yaml").write_text("auth:\n  mode: strict\nseed: 5\ntokens: {unknown: reject}\n")
    env = environment(PUSHCOTE_AUTH_MODE="off", PUSHCOTE_SEED="6")
    shown = pushcote("config", "--json", "--set", "auth.mode=verify", cwd=tmp_path, env=env)
    assert shown.returncode == 0, shown.stderr
    text = pushcote("config", "--set", "auth.mode=verify", cwd=tmp_path, env=env).stdout
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line}
    assert rows["auth.mode"][0] == "verify" and "--set" in " ".join(rows["auth.mode"])
    assert rows["seed"][0] == "6" and "PUSHCOTE_SEED" in " ".join(rows["seed"])
    assert rows["tokens.unknown"][0] == "reject" and "config.yaml:4" in " ".join(rows["tokens.unknown"])
    json.loads(shown.stdout)


# MARK: - Which file, which gateway


UNRELATED = "server:\n  port: 8080\ndatabase:\n  url: postgres://localhost\n"


@pytest.mark.parametrize(
    "text",
    [UNRELATED, "app:\n  port: 8080\ndatabase: x\n", "{{ range .hosts }}\n- {{ . }}\n", "- just\n- a list\n", "a: [\n"])
def test_another_programs_config_yaml_is_left_alone_with_one_line(tmp_path, text):
    (tmp_path / "config.yaml").write_text(text)
    for arguments in (["token"], ["certs"], ["lint", "--help"]):
        done = pushcote(*arguments, cwd=tmp_path)
        assert done.returncode == 0 and not done.stderr, done.stderr
    done = pushcote("config", cwd=tmp_path)
    assert done.returncode == 0 and done.stderr.count("\n") == 1, done.stderr
    done = pushcote("exec", "--", "true", cwd=tmp_path)
    lines = [line for line in done.stderr.splitlines() if "config.yaml" in line]
    assert done.returncode == 0 and len(lines) == 1 and "pushcote.yaml" in lines[0], done.stderr
    assert (tmp_path / "config.yaml").read_text() == text


def test_pushcote_yaml_comes_first(tmp_path):
    def mode():
        shown = pushcote("config", "--json", cwd=tmp_path)
        assert shown.returncode == 0 and not shown.stderr, shown.stderr
        [row] = [one for one in json.loads(shown.stdout)["settings"] if one["name"] == "auth.mode"]
        return row["value"], row["from"]

    assert mode() == ("verify", "default")
    (tmp_path / "config.yaml").write_text("auth:\n  mode: off\n")
    assert mode() == ("off", "config.yaml:2")
    (tmp_path / "pushcote.yaml").write_text("auth:\n  mode: strict\n")
    assert mode() == ("strict", "pushcote.yaml:2")
    (tmp_path / "config.yaml").write_text(UNRELATED)
    assert mode() == ("strict", "pushcote.yaml:2")


def test_a_mistake_in_our_config_yaml_is_still_told_and_so_is_the_way_out(tmp_path):
    (tmp_path / "config.yaml").write_text("log:\n  level: verbose\n")
    done = pushcote("config", cwd=tmp_path)
    assert done.returncode == 2 and "config.yaml:2" in done.stderr and "pushcote.yaml" in done.stderr
    (tmp_path / "pushcote.yaml").write_text("")
    assert pushcote("config", cwd=tmp_path).returncode == 0
    done = pushcote("config", "--config", "config.yaml", cwd=tmp_path)
    assert done.returncode == 2 and "another program" not in done.stderr, "it was named"


def test_commands_find_the_gateway_and_its_token_in_the_configuration(start_gateway, tmp_path):
    gateway = start_gateway("admin.token=hush")
    port = gateway.admin_address[1]
    gateway.api("PUT", "/devices/phone", json={}, headers={"authorization": "Bearer hush"})
    (tmp_path / "pushcote.yaml").write_text(f'listen:\n  admin: ["0.0.0.0:{port}"]\nadmin:\n  token: hush\n')
    for arguments in (["readyz"], ["devices"], ["inbox", "phone"], ["clock"], ["fault"], ["explain", "1"]):
        done = pushcote(*arguments, cwd=tmp_path)
        assert done.returncode == (1 if arguments[0] == "explain" else 0), done.stderr
        assert "401" not in done.stderr
    # The image's health check has it from the environment.
    bare = tmp_path / "bare"
    bare.mkdir()
    env = environment(PUSHCOTE_LISTEN_ADMIN=f"127.0.0.1:{port}")
    assert pushcote("readyz", cwd=bare, env=env).returncode == 0
    assert pushcote("devices", cwd=bare, env=env).returncode == 1, "it has no token there"
    assert pushcote("devices", cwd=bare, env=env | {"PUSHCOTE_ADMIN_TOKEN": "hush"}).returncode == 0
    # Whoever is named in another way is not given the configuration's token.
    done = pushcote("devices", "--admin", f"http://127.0.0.1:{port}", cwd=tmp_path)
    assert done.returncode == 1 and "401" in done.stderr
    assert pushcote("readyz", cwd=tmp_path, env=environment(PUSHCOTE_ADMIN="http://127.0.0.1:1")).returncode == 4


def test_an_empty_admin_token_is_refused(tmp_path):
    (tmp_path / "pushcote.yaml").write_text('admin:\n  token: ""\n')
    for command in ("serve", "config"):
        done = pushcote(command, cwd=tmp_path)
        assert done.returncode == 2, done.stderr
        assert "pushcote.yaml:2" in done.stderr and "admin.token" in done.stderr and "null for none" in done.stderr


def test_a_port_for_root_only_is_gone_without(certificates):
    """Some engines reserve the image's port 443; whoever has Apple's names elsewhere does not need it."""
    reserved = int(Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").read_text())
    if reserved <= 443:
        pytest.skip("this system reserves no port 443")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(certificates, folder / "certs")
        identity = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        for path in [folder, *folder.rglob("*")] if identity else []:
            os.chown(path, 65534, 65534)
        command = [BINARY, "exec", "--set", "listen.provider={}", "--", "sh", "-c", "echo up at $PUSHCOTE_RUN_PROVIDER"]

        def run(addresses):
            line = [one.format(addresses) for one in command]
            return subprocess.run(
                line, cwd=folder, env=environment(), capture_output=True, text=True, timeout=30, **identity)

        try:
            done = run("127.0.0.1:0,127.0.0.1:443")
        except PermissionError:
            pytest.skip("nobody may run the binary")
        assert done.returncode == 0 and "up at 127.0.0.1:" in done.stdout, done.stderr
        [line] = [one for one in done.stderr.splitlines() if "127.0.0.1:443" in one]
        assert "warning" in line and "ip_unprivileged_port_start" in line
        # Alone it is what the gateway is for.
        done = run("127.0.0.1:443")
        assert done.returncode == 1 and "127.0.0.1:443 may not be used by this user" in done.stderr


def test_a_seed_makes_runs_alike(start_gateway):
    runs = []
    for seed in (7, 7, 8):
        gateway = start_gateway(f"seed={seed}")
        with Provider.to(gateway) as provider:
            answers = [provider.push("ab" * 32, apns_id=None) for _ in range(3)]
        runs.append([(answer.apns_id, answer.headers["apns-unique-id"]) for answer in answers])
    assert runs[0] == runs[1] != runs[2]
    assert len({one for pair in runs[0] for one in pair}) == 6


def test_fixtures_are_there_from_the_start(start_gateway, connect, tmp_path):
    folder = tmp_path / "fixtures"
    folder.mkdir()
    (folder / "01-apps.yaml").write_text("apps:\n  com.example.app: {displayName: Tea}\n")
    (folder / "02-devices.json").write_text(
        json.dumps({"devices": {"phone": {"registrations": [{"topic": TOPIC, "token": "ab" * 40}]}}}))
    (folder / "notes.txt").write_text("not a fixture")
    gateway = start_gateway(f"fixtures={folder}", "tokens.unknown=reject")
    assert gateway.api("GET", f"/apps/{TOPIC}")["displayName"] == "Tea"
    assert connect(gateway).push("ab" * 40).status == 200
    assert len(gateway.wait(device="phone")) == 1
    gateway.api("POST", "/reset", json={})


@pytest.mark.parametrize(
    "text, says",
    [("devics: {}\n", ["bad.yaml:1", "devics", "devices"]), ("devices:\n  phone: 3\n", ["bad.yaml:2"]), ("[", ["bad.yaml"]),
     ("devices:\n  phone:\n    registrations: [{topic: a, token: xyz}]\n", ["bad.yaml:3", "xyz"])])
def test_a_bad_fixture_stops_the_start(certificates, tmp_path, text, says):
    folder = tmp_path / "fixtures"
    folder.mkdir()
    (folder / "bad.yaml").write_text(text)
    done = serve_and_fail(certificates, tmp_path, f"fixtures={folder}")
    assert done.returncode == 2
    for word in says:
        assert word in done.stderr


def test_no_secret_is_shown(tmp_path):
    shown = pushcote("config", "--set", "admin.token=hunter2", cwd=tmp_path)
    assert shown.returncode == 0 and "hunter2" not in shown.stdout


@pytest.mark.parametrize("level", ["debug", "trace"])
def test_no_secret_is_logged(start_gateway, connect, client_certificate, level):
    gateway = start_gateway(f"log.level={level}", "admin.token=hunter2secret", "shutdown.grace=200ms")
    connect(gateway).push(device_token())
    connect(gateway, bearer="x.y.hopeless").push(device_token())
    connect(gateway, bearer=None, certificate=client_certificate()).push(device_token())
    gateway.admin.get("/api/v1/info", headers={"authorization": "Bearer hunter2secret"})
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log("Configuration read again")
    gateway.stop()
    assert gateway.stderr, "it does log"
    for secret in ("PRIVATE KEY", "hunter2secret", gateway.bearer.rpartition(".")[2]):
        assert secret not in gateway.stderr
    for file in ("server.key", "ca.key", gateway.key_file.name):
        second_line = (gateway.certificates / file).read_text().splitlines()[1]
        assert second_line not in gateway.stderr


# MARK: - exec


def execute(certificates, tmp_path, *command, options=(), **arguments):
    settings = [word for one in (f"certificates.folder={certificates}", *options) for word in ("--set", one)]
    return pushcote("exec", *settings, "--", *command, cwd=tmp_path, **arguments)


@pytest.mark.parametrize("code", [0, 1, 7, 255])
def test_exec_passes_the_exit_code_on(certificates, tmp_path, code):
    assert execute(certificates, tmp_path, "sh", "-c", f"exit {code}").returncode == code


def test_exec_passes_a_signal_on(certificates, tmp_path):
    assert execute(certificates, tmp_path, "sh", "-c", "kill -9 $$").returncode == 128 + 9


def test_exec_fails_with_its_command_where_children_are_ignored(certificates, tmp_path):
    done = subprocess.run(
        [BINARY, "exec", "--set", f"certificates.folder={certificates}", "--", "sh", "-c", "exit 3"], cwd=tmp_path,
        env=environment(), timeout=60, preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
    assert done.returncode == 3


def test_exec_without_such_a_command(certificates, tmp_path):
    done = execute(certificates, tmp_path, "no-such-command-here")
    assert done.returncode == 127 and "no-such-command-here" in done.stderr


def test_exec_gives_the_command_what_it_needs(certificates, tmp_path):
    script = r'''
set -e
test "$PUSHCOTE_RUN_PROVIDER" = "$PUSHCOTE_RUN_PROVIDER_HOST:$PUSHCOTE_RUN_PROVIDER_PORT"
test -s "$PUSHCOTE_RUN_CA" -a -s "$PUSHCOTE_RUN_CA_BUNDLE" -a -s "$PUSHCOTE_RUN_KEY"
test -n "$PUSHCOTE_RUN_CLEAR_TEXT" -a -n "$PUSHCOTE_RUN_PROXY" -a "$OWN" = mine
token=$("$BINARY" token --key "$PUSHCOTE_RUN_KEY" --key-id "$PUSHCOTE_RUN_KEY_ID" --team-id "$PUSHCOTE_RUN_TEAM_ID")
curl -sS -f --http2 --noproxy '*' --cacert "$PUSHCOTE_RUN_CA" -H "authorization: bearer $token" -H "apns-topic: com.example.app" \
  -d '{"aps":{"alert":"hello"}}' "https://$PUSHCOTE_RUN_PROVIDER/3/device/abcd"
"$BINARY" wait --timeout 10s
cat
'''
    done = subprocess.run(
        [BINARY, "exec", "--set", f"certificates.folder={certificates}", "--", "sh", "-c", script],
        cwd=tmp_path, env=environment(BINARY=BINARY, OWN="mine"), input="standard input", capture_output=True,
        text=True, timeout=40)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not CRASH.search(done.stderr), done.stderr
    assert "hello" in done.stdout and done.stdout.endswith("standard input")


def test_exec_stops_its_gateway(certificates, tmp_path):
    done = execute(certificates, tmp_path, "sh", "-c", "echo $PUSHCOTE_RUN_PROVIDER")
    host, port = done.stdout.strip().splitlines()[-1].split(":")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)), 5).close()


def test_execs_do_not_disturb_each_other(certificates, tmp_path):
    # All run at the same time: none ends before every one has said that it runs.
    started, gate = tmp_path / "started", tmp_path / "gate"
    os.mkfifo(started)
    os.mkfifo(gate)
    starts, gates = os.open(started, os.O_RDWR), os.open(gate, os.O_RDWR)
    script = f'echo "$PUSHCOTE_ADMIN"; echo > {started}; read line < {gate}'
    try:
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            runs = [pool.submit(execute, certificates, tmp_path, "sh", "-c", script) for _ in range(4)]
            for _ in runs:
                assert os.read(starts, 1) == b"\n"
            os.write(gates, b"\n" * 4)
            outputs = [run.result(50) for run in runs]
    finally:
        os.close(starts)
        os.close(gates)
    assert [one.returncode for one in outputs] == [0] * 4
    assert len({one.stdout for one in outputs}) == 4


def test_exec_passes_sigterm_to_the_command(certificates, tmp_path):
    script = "trap 'echo ended; exit 3' TERM; echo started; read line; exit 4"
    process = subprocess.Popen(
        [BINARY, "exec", "--set", f"certificates.folder={certificates}", "--", "bash", "-c", script],
        cwd=tmp_path, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True)
    try:
        while process.stdout.readline() != "started\n":
            assert process.poll() is None, process.stderr.read()
        process.send_signal(signal.SIGTERM)
        # The command ends by the signal, or, if it never gets it, by the end of its input.
        ended = select.select([process.stdout], [], [], 10)[0]
        output, errors = process.communicate(timeout=20)
    finally:
        process.kill()
    assert ended and output == "ended\n", (output, errors)
    assert not CRASH.search(errors), errors
    assert process.returncode == 3


def test_exec_leaves_the_commands_signals_alone(certificates, tmp_path):
    """A pipeline such as `yes | head` ends by SIGPIPE, which a server ignores."""
    done = execute(certificates, tmp_path, "sh", "-c", "grep SigIgn /proc/self/status")
    ignored = int(done.stdout.split()[-1], 16)
    assert not ignored & 1 << signal.SIGPIPE - 1


def test_exec_with_a_bad_configuration_runs_nothing(certificates, tmp_path):
    done = execute(certificates, tmp_path, "touch", "ran", options=["auth.mode=strickt"])
    assert done.returncode == 2 and not (tmp_path / "ran").exists()


# MARK: - Peers that misbehave


def test_a_large_body_is_refused_and_not_kept(gateway, provider):
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
    """Bytes of memory in use."""
    pages = int(Path(f"/proc/{gateway.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def test_a_large_body_is_answered_before_it_ends(gateway, provider):
    """413 comes while the client is still sending, and the connection goes on."""
    provider.push(device_token())
    stream = provider.http.get_next_available_stream_id()
    provider.answers[stream] = Answer()
    provider.http.send_headers(stream, provider.headers(device_token()))
    provider.http.send_data(stream, b"z" * 16384)
    provider.flush()
    provider.http.send_data(stream, b"z" * 16384)
    provider.flush()
    provider.http.send_data(stream, b"z" * 16384, end_stream=True)
    provider.flush()
    answer = provider.answer(stream)
    assert (answer.status, answer.reason) == (413, "PayloadTooLarge")
    assert provider.push(device_token()).status == 200


def test_http1_large_bodies_are_refused_too(gateway):
    url = "http://%s:%d/3/device/%s" % (*gateway.clear_text, device_token())
    headers = {"apns-topic": TOPIC, "authorization": f"bearer {gateway.bearer}"}
    with httpx.Client(trust_env=False, timeout=20) as client:
        answer = client.post(url, content=b"x" * 20_000, headers=headers)
        assert (answer.status_code, answer.content) == (413, b'{"reason":"PayloadTooLarge"}')
        answer = client.post(url, content=(b"x" * 1000 for _ in range(20)), headers=headers)
        assert answer.status_code == 413, "chunked"
    alive(gateway)


def test_a_peer_that_does_not_read_is_not_read(start_gateway, connect):
    """Requests are sent and answers never read: the gateway stops reading, keeps little, and serves others."""
    gateway = start_gateway("requests.kept=10")
    provider = connect(gateway)
    assert provider.push(device_token()).status == 200
    provider.until(lambda: len(provider.settings) == 2, "the full stream limit")
    before = resident(gateway)
    headers = provider.headers("xyz", apns_id=None)
    assert provider.answer(provider.send_raw(headers, b"")).status == 400
    # From the second time on, HPACK makes the same few bytes of the same headers.
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
        pass  # Ending such a connection is an answer too.
    assert sent < 64 << 20, "it takes whatever is sent"
    assert resident(gateway) - before < 48 << 20
    alive(gateway)


def frame_bytes(kind, flags, stream, body):
    return struct.pack(">I", len(body))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + body


PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
GARBAGE = {
    "nothing": b"",
    "zeros": bytes(5000),
    "random": random.Random(1).randbytes(20_000),
    "a wrong preface": b"PRI * HTTP/2.1\r\n\r\nSM\r\n\r\n",
    "half a preface": PREFACE[:10],
    "a preface and nothing": PREFACE,
    "a preface and garbage": PREFACE + random.Random(2).randbytes(5000),
    "half a frame": PREFACE + frame_bytes(4, 0, 0, b"") + b"\x00\x00\x10\x01",
    "a frame of 16 MiB": PREFACE + frame_bytes(4, 0, 0, b"") + b"\xff\xff\xff\x01\x05\x00\x00\x00\x01" + bytes(70_000),
    "HEADERS that are no HPACK": PREFACE + frame_bytes(4, 0, 0, b"") + frame_bytes(1, 5, 1, b"\xff" * 100),
    "HEADERS on stream 0": PREFACE + frame_bytes(4, 0, 0, b"") + frame_bytes(1, 5, 0, b"\x82"),
    "HEADERS on an even stream": PREFACE + frame_bytes(4, 0, 0, b"") + frame_bytes(1, 5, 2, b"\x82"),
    "DATA without HEADERS": PREFACE + frame_bytes(4, 0, 0, b"") + frame_bytes(0, 1, 1, b"x"),
    "CONTINUATION without HEADERS": PREFACE + frame_bytes(4, 0, 0, b"") + frame_bytes(9, 4, 1, b"\x82"),
    "endless CONTINUATION": PREFACE + frame_bytes(4, 0, 0, b"") + frame_bytes(1, 1, 1, b"\x82")
        + frame_bytes(9, 0, 1, b"\x00\x01a\x01b" * 2000) * 20,
    "a window of nothing": PREFACE + frame_bytes(4, 0, 0, b"") + frame_bytes(8, 0, 0, bytes(4)),
    "a window too large": PREFACE + frame_bytes(4, 0, 0, b"") + frame_bytes(8, 0, 0, b"\x7f\xff\xff\xff") * 2,
    "bad SETTINGS": PREFACE + frame_bytes(4, 0, 0, b"\x00\x04\xff\xff\xff\xff"),
    "a SETTINGS flood": PREFACE + frame_bytes(4, 0, 0, b"") * 5000,
    "a PING flood": PREFACE + frame_bytes(4, 0, 0, b"") + frame_bytes(6, 0, 0, bytes(8)) * 5000,
    "a reset flood": PREFACE + frame_bytes(4, 0, 0, b"") + b"".join(
        frame_bytes(1, 4, stream, b"\x83\x87\x84") + frame_bytes(3, 0, stream, bytes(4)) for stream in range(1, 4001, 2)),
    "a PRIORITY on itself": PREFACE + frame_bytes(4, 0, 0, b"") + frame_bytes(2, 0, 1, b"\x00\x00\x00\x01\x10"),
    "unknown frames": PREFACE + frame_bytes(4, 0, 0, b"") + frame_bytes(0xee, 0xff, 7, b"hello") * 100,
    "PUSH_PROMISE": PREFACE + frame_bytes(4, 0, 0, b"") + frame_bytes(5, 4, 1, b"\x00\x00\x00\x02\x82"),
    "a long HTTP/1.1 line": b"POST /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
    "many HTTP/1.1 fields": b"POST / HTTP/1.1\r\n" + b"a: b\r\n" * 20_000 + b"\r\n",
    "a negative length": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "two lengths": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
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


def test_a_reset_in_mid_body_ends_a_stream_only(gateway, provider):
    provider.push(device_token())
    stream = provider.http.get_next_available_stream_id()
    provider.http.send_headers(stream, provider.headers(device_token()))
    provider.http.send_data(stream, PAYLOAD[:5])
    provider.http.reset_stream(stream, 8)
    provider.flush()
    assert provider.push(device_token()).status == 200


def test_a_connection_cut_in_mid_body_stores_nothing(gateway):
    device, token = gateway.device()
    for _ in range(20):
        with Provider.to(gateway) as provider:
            stream = provider.http.get_next_available_stream_id()
            provider.http.send_headers(stream, provider.headers(token))
            provider.http.send_data(stream, PAYLOAD[:5])
            provider.flush()
            # A reset instead of a good-bye.
            provider.channel.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    alive(gateway)
    assert gateway.notifications(device=device) == []


def test_the_clear_text_port_tells_a_tls_client_what_to_change(gateway):
    context = ssl.create_default_context(cafile=str(gateway.ca))
    with pytest.raises((ssl.SSLError, ConnectionError, OSError)):
        context.wrap_socket(socket.create_connection(gateway.clear_text, SECONDS), server_hostname="localhost")
    alive(gateway)


def test_clear_text_at_the_tls_port_is_told_in_the_log(start_gateway):
    gateway = start_gateway()
    with socket.create_connection(gateway.provider, SECONDS) as plain:
        plain.sendall(b"POST /3/device/abcd HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
        plain.settimeout(SECONDS)
        try:
            while plain.recv(1000):
                pass
        except ConnectionResetError:
            pass
    log = gateway.wait_for_log("warning")
    assert "TLS" in log and str(gateway.clear_text[1]) in log or "clear" in log


# MARK: - Sudden ends


def test_a_killed_gateway_leaves_good_certificates(start_gateway, certificates, tmp_path):
    folder = tmp_path / "certs"
    for _ in range(3):
        gateway = start_gateway(certificates=folder)
        gateway.kill()
        gateway.close()
        gateway.process = None
    gateway = start_gateway(certificates=folder)
    alive(gateway)


def test_a_gateway_killed_while_it_makes_certificates_can_start_again(start_gateway, tmp_path):
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


def test_what_was_accepted_is_there(start_gateway):
    """Pushes from several connections while devices are made and notifications read: none is lost."""
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
        assert set(facts["addresses"]) == {"provider", "clearText", "proxy", "admin"}
        process.terminate()
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.stdout.close()
