"""`pushcote setup` prints docs/clients.md for this gateway, `pushcote demo` demonstrates it; run as a user does."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from documents import blocks, difference
from gateway import BINARY, ROOT, environment
from test_cli import Commands


@pytest.fixture
def own(start_gateway, tmp_path):
    """Commands run in the folder of a gateway that has its own certificates."""
    gateway = start_gateway(certificates=tmp_path / "certs")
    return Commands(gateway, tmp_path)


def page():
    """The clients that have a section in docs/clients.md."""
    text = (ROOT / "docs/clients.md").read_text().partition("\n---\n")[2].partition("\n## Connection errors")[0]
    return dict(re.findall(r"^## ([^\n]+)\n\n(.*?)(?=^## |\Z)", text, re.M | re.S))


def test_every_client_of_the_page_is_listed(own):
    assert own.json("setup")["clients"] == list(page())
    listed = own("setup")
    for row in re.findall(r"^\| \[(.+?)\]\(#", (ROOT / "docs/clients.md").read_text(), re.M):
        assert row in listed


@pytest.mark.parametrize("name, heading", [
    ("apns-http2 of CleverTap", "CleverTap apns-http2"), ("APNSwift, Vapor's apns", "APNSwift"), ("vapor", "APNSwift"),
    ("node-apn, apn", "node-apn and apn"),
    ("pushok and laravel-notification-channels/apn", "pushok"), ("laravel", "pushok")])
def test_a_client_answers_to_the_name_of_its_row(own, name, heading):
    assert own.json("setup", name)["client"] == heading


def test_every_client_gets_this_gateways_address(own):
    gateway = own.gateway
    ports = {"2197": gateway.provider[1], "2198": gateway.clear_text[1], "2199": gateway.proxy[1], "8197": gateway.admin_address[1]}
    for name, text in page().items():
        answer = own.json("setup", name)
        assert answer["client"] == name
        assert len(answer["code"]) == text.count("```") // 2
        for port, mine in ports.items():
            assert f"localhost:{port}" not in answer["text"], name
            assert answer["text"].count(f"localhost:{mine}") == text.count(f"localhost:{port}"), name
        assert "certs/ca.pem" not in text or str(gateway.certificates / "ca.pem") in answer["text"], name


def code(own, client):
    return own.json("setup", client)["code"][0]


def variables(own):
    gateway = own.gateway
    folder = own.folder / "bin"
    folder.mkdir(exist_ok=True)
    if not (folder / "pushcote").exists():
        (folder / "pushcote").symlink_to(BINARY)
    return environment(
        PATH=f"{folder}:{os.environ['PATH']}", PUSHCOTE_ADMIN=own.admin, no_proxy="*",
        PUSHCOTE_CERTIFICATES_FOLDER=str(gateway.certificates))


def ran(own, *command):
    done = subprocess.run(command, cwd=own.folder, env=variables(own), capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_snippet_for_curl_works(own):
    device, token = own.gateway.device()
    script = code(own, "curl").replace("$(printf 'ab%.0s' {1..32})", token)
    assert token in script
    ran(own, "bash", "-euc", script)
    assert own.gateway.notifications(device=device)


def test_the_snippet_for_httpx_works(own):
    device, token = own.gateway.device()
    assert "200" in ran(own, sys.executable, "-c", code(own, "httpx"), token, own.gateway.bearer)
    assert own.gateway.notifications(device=device)


def test_the_snippet_for_aioapns_works(own):
    device, token = own.gateway.device()
    assert "200" in ran(own, sys.executable, "-c", code(own, "aioapns"), token)
    assert own.gateway.notifications(device=device)


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_the_snippet_for_node_works(own, tmp_path):
    device, token = own.gateway.device()
    script = tmp_path / "push.cjs"
    script.write_text(code(own, "node:http2"))
    assert "200" in ran(own, "node", script, token, own.gateway.bearer)
    assert own.gateway.notifications(device=device)


def test_the_demonstration_shows_what_people_saw(own):
    [block] = blocks("README.md", "Start")
    assert block.script.endswith("\npushcote demo\n") and len(block.shown) >= 3
    shown = own("demo")
    assert not difference(block, shown)
    for words in [
        "08:05", "Active, delivered at once: on the lock screen", "silenced by the Focus", "Time Sensitive, delivered at once",
        '{"reason":"', "deferred to the scheduled summary", "Dinner at eight?", "18:01", "Weather", "pushcote screen anna",
    ]:
        assert words in shown, shown
    gateway = own.gateway
    # Nothing is in the future.
    clock = gateway.api("GET", "/clock")
    assert clock["mode"] == "real"
    for one in gateway.notifications():
        times = [event["at"] for event in gateway.detail(one)["timeline"]]
        assert times and max(times) <= clock["now"]
    [changed] = gateway.notifications(device="cleo")
    assert gateway.detail(changed)["extension"]["verdict"] == "modified"
    # Again, on a clock that is stopped.
    own("clock", "stop")
    stopped = gateway.api("GET", "/clock")["now"]
    lines = [json.loads(line) for line in own("demo", "--json").splitlines()]
    assert [one.get("timing") for one in lines] == [
        "deferredToSummary", "now", "silencedByFocus", "now", None, "deferredToSummary", None, "now", "deferredToSummary",
        "now", "now"]
    assert lines[4]["status"] in (400, 403) and lines[4]["diagnosis"]
    assert lines[6]["state"] == "stored"
    clock = gateway.api("GET", "/clock")
    assert (clock["mode"], clock["now"]) == ("manual", stopped)
    own("clock", "reset")
    # On a clock that runs faster.
    own("clock", "scale", "2")
    own("demo")
    assert gateway.api("GET", "/clock")["scale"] == 2
    own("clock", "reset")
    assert "It is due at" in own("demo", "--live")


def test_the_ready_message_has_a_command_to_try(gateway):
    admin = "http://%s:%d" % gateway.admin_address
    assert f"try            pushcote demo --admin {admin}" in gateway.announcement
