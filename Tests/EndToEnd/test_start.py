"""Starting a gateway, and the errors that prevent it."""

from pathlib import Path
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile

import pytest

from gateway import LISTENERS, BINARY, CRASH, device_token, environment, pushcote
from provider import Provider


TOPIC = "com.example.app"


def serve_and_fail(certificates, tmp_path, *options, arguments=(), env=None, file=None):
    settings = {f"listen.{name}": "127.0.0.1:0" for name in LISTENERS}
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


@pytest.mark.parametrize("listener", LISTENERS)
def test_a_port_in_use_is_reported(certificates, tmp_path, listener):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = "127.0.0.1:%d" % taken.getsockname()[1]
        done = serve_and_fail(certificates, tmp_path, f"listen.{listener}={address}")
    assert done.returncode == 1
    assert address in done.stderr and "listen." + listener in done.stderr
    assert "in use" in done.stderr or "taken" in done.stderr


@pytest.mark.parametrize("text, says", [
    ("auth:\n  mode: strickt\n", ["config.yaml:2", "auth.mode", "strickt", "strict", "verify", "off"]),
    ("keys:\n  - {keyId: ABCDEFGHIJ, teamId: ABCDEFGHIJ, file: lost.p8}\n", ["config.yaml:2", "lost.p8"]),
])
def test_an_invalid_configuration_is_reported_with_file_line_and_key(certificates, tmp_path, text, says):
    """`ConfigurationMessageTests` has all messages."""
    done = serve_and_fail(certificates, tmp_path, file=text)
    assert done.returncode == 2, done.stderr
    for word in says:
        assert word in done.stderr


NO_LISTENERS = [f"listen.{name}=[]" for name in LISTENERS]


@pytest.mark.parametrize(
    "options, says",
    [
        (NO_LISTENERS, ["no listener", "listen.provider", "listen.admin"]),
        (["listen.proxy=127.0.0.1:3001,127.0.0.1:3001"], ["127.0.0.1:3001 is listed twice", "listen.proxy"]),
        (["listen.provider=[::1]:3001", "listen.admin=[::1]:3001"],
         ["[::1]:3001 is listed twice", "listen.provider", "listen.admin"]),
        (["extensions.killAfter=10s"], ["extensions.killAfter", "10s", "extensions.expireAfter", "29s"]),
        (["admin.token= "], ["admin.token", "without spaces at its ends"]),
        (["admin.token=secret\n"], ["admin.token", "one line of text"]),
        (["certificates.folder=config.yaml"], ["config.yaml", "certificates.folder", "Not a directory"]),
    ])
def test_conflicting_settings_are_reported(certificates, tmp_path, options, says):
    done = serve_and_fail(certificates, tmp_path, *options, file="")
    assert done.returncode == 2, done.stderr
    for word in says:
        assert word in done.stderr


def test_an_unknown_host_is_reported(certificates, tmp_path):
    done = serve_and_fail(certificates, tmp_path, "listen.proxy=nohost.invalid:0")
    assert done.returncode == 1
    assert "nohost.invalid:0 has an unknown host. Set listen.proxy to an address of this machine" in done.stderr, done.stderr


def test_an_addresses_file_that_cannot_be_written_is_reported(certificates, tmp_path):
    arguments = ["--addresses-file", str(tmp_path / "nowhere" / "addresses.json")]
    done = serve_and_fail(certificates, tmp_path, arguments=arguments)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == (
        f"pushcote: --addresses-file: {arguments[1]} cannot be written (No such file or directory); name a file in a folder "
        "that exists and is writable")


def test_invalid_flags_and_variables_are_reported(certificates, tmp_path):
    done = serve_and_fail(certificates, tmp_path, "auth.mode=strickt")
    assert done.returncode == 2 and "--set" in done.stderr and "strict" in done.stderr
    done = serve_and_fail(certificates, tmp_path, env=environment(PUSHCOTE_AUTH_MODE="strickt"))
    assert done.returncode == 2 and "PUSHCOTE_AUTH_MODE" in done.stderr
    done = serve_and_fail(certificates, tmp_path, arguments=["--config", "lost.yaml"])
    assert done.returncode == 2 and "lost.yaml" in done.stderr
    assert pushcote("serve", "--colour", cwd=tmp_path).returncode == 64


def test_flags_override_variables_and_variables_override_the_file(tmp_path):
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


UNRELATED = "server:\n  port: 8080\ndatabase:\n  url: postgres://localhost\n"


@pytest.mark.parametrize(
    "text",
    [UNRELATED, "Limit:\n  memory: 1\n", "name: M\xfcller\n", "{{ range .hosts }}\n- {{ . }}\n", "- just\n- a list\n"])
def test_another_programs_config_yaml_is_ignored_with_one_line(tmp_path, text):
    (tmp_path / "config.yaml").write_text(text, encoding="latin-1")
    for arguments in (["token"], ["certs"], ["lint", "--help"]):
        done = pushcote(*arguments, cwd=tmp_path)
        about = [line for line in done.stderr.splitlines() if "AuthKey_PUSHCOTE01.p8" not in line]
        assert done.returncode == 0 and not about, done.stderr
    done = pushcote("config", cwd=tmp_path)
    assert done.returncode == 0 and done.stderr.count("\n") == 1, done.stderr
    done = pushcote("exec", "--", "true", cwd=tmp_path)
    lines = [line for line in done.stderr.splitlines() if "config.yaml" in line]
    assert done.returncode == 0 and len(lines) == 1 and "pushcote.yaml" in lines[0], done.stderr
    assert (tmp_path / "config.yaml").read_text(encoding="latin-1") == text


def test_a_folder_named_config_yaml_is_ignored(tmp_path):
    (tmp_path / "config.yaml").mkdir()
    done = pushcote("config", cwd=tmp_path)
    assert done.returncode == 0 and done.stderr.count("\n") == 1, done.stderr


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


def test_an_error_in_our_config_yaml_is_reported_with_the_remedy(tmp_path):
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
        assert "(401)" not in done.stderr
    # The image's health check takes the address from the environment.
    bare = tmp_path / "bare"
    bare.mkdir()
    env = environment(PUSHCOTE_LISTEN_ADMIN=f"127.0.0.1:{port}")
    assert pushcote("readyz", cwd=bare, env=env).returncode == 0
    assert pushcote("devices", cwd=bare, env=env).returncode == 1, "it has no token there"
    assert pushcote("devices", cwd=bare, env=env | {"PUSHCOTE_ADMIN_TOKEN": "hush"}).returncode == 0
    # Only the second address answers.
    env = environment(PUSHCOTE_LISTEN_ADMIN=f"127.0.0.1:1,127.0.0.1:{port}", PUSHCOTE_ADMIN_TOKEN="hush")
    assert pushcote("devices", cwd=bare, env=env).returncode == 0
    none = pushcote("devices", cwd=bare, env=environment(PUSHCOTE_LISTEN_ADMIN="127.0.0.1:1,[::1]:1"))
    assert none.returncode == 4 and "127.0.0.1:1 " in none.stderr
    # An address given explicitly does not receive the configuration's token.
    done = pushcote("devices", "--admin", f"http://127.0.0.1:{port}", cwd=tmp_path)
    assert done.returncode == 1 and "401" in done.stderr
    assert pushcote("readyz", cwd=tmp_path, env=environment(PUSHCOTE_ADMIN="http://127.0.0.1:1")).returncode == 4


def test_an_empty_admin_token_is_rejected(tmp_path):
    (tmp_path / "pushcote.yaml").write_text('admin:\n  token: ""\n')
    for command in ("serve", "config"):
        done = pushcote(command, cwd=tmp_path)
        assert done.returncode == 2, done.stderr
        assert "pushcote.yaml:2" in done.stderr and "admin.token" in done.stderr and "null for none" in done.stderr


def test_an_optional_privileged_port_is_skipped(certificates):
    """Some container engines reserve the image's port 443, which not every setup needs."""
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
        # If it is the only address, failing to bind it is an error.
        done = run("127.0.0.1:443")
        assert done.returncode == 1 and "127.0.0.1:443 needs permissions this user lacks" in done.stderr


def test_the_same_seed_gives_the_same_run(start_gateway):
    runs = []
    for seed in (7, 7, 8):
        gateway = start_gateway(f"seed={seed}")
        with Provider.to(gateway) as provider:
            answers = [provider.push("ab" * 32, apns_id=None) for _ in range(3)]
        runs.append([(answer.apns_id, answer.headers["apns-unique-id"]) for answer in answers])
    assert runs[0] == runs[1] != runs[2]
    assert len({one for pair in runs[0] for one in pair}) == 6


def test_fixtures_are_loaded_before_the_first_request(start_gateway, connect, tmp_path):
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


@pytest.mark.parametrize("level", ["debug", "trace"])
def test_no_secret_is_logged(start_gateway, connect, client_certificate, level):
    gateway = start_gateway(f"log.level={level}", "admin.token=hunter2secret", "shutdown.grace=200ms")
    connect(gateway).push(device_token())
    connect(gateway, bearer="x.y.hopeless").push(device_token())
    connect(gateway, bearer=None, certificate=client_certificate()).push(device_token())
    gateway.admin.get("/api/v1/info", headers={"authorization": "Bearer hunter2secret"})
    gateway.send(signal.SIGHUP)
    gateway.wait_for_log("Configuration reloaded")
    gateway.stop()
    assert gateway.stderr, "it does log"
    for secret in ("PRIVATE KEY", "hunter2secret", gateway.bearer.rpartition(".")[2]):
        assert secret not in gateway.stderr
    for file in ("private/server.key", "private/intermediate.key", gateway.key_file.name):
        second_line = (gateway.certificates / file).read_text().splitlines()[1]
        assert second_line not in gateway.stderr
