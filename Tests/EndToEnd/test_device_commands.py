"""The commands for a device's behaviour, run with the built program."""

import json

import pytest

from gateway import pushcote

TOPIC = "com.example.app"
ALERT = {"aps": {"alert": {"title": "Parcel", "body": "It is here."}, "badge": 3, "sound": "default"}}


@pytest.fixture
def run(gateway, tmp_path):
    """Runs a command against the shared gateway."""
    admin = "http://%s:%d" % gateway.admin_address

    def run(*arguments, expect=0):
        ended = pushcote(*arguments, "--admin", admin, cwd=tmp_path)
        assert ended.returncode == expect, (ended.returncode, ended.stdout, ended.stderr)
        return ended.stdout if expect in (0, 3) else ended.stderr

    return run


def push(gateway, device, payload=ALERT):
    return gateway.api("POST", f"/devices/{device}/push", params={"topic": TOPIC}, json=payload)["id"]


def test_a_focus_withholds_and_explain_says_why(gateway, run):
    device, _ = gateway.device()
    shown = run("device", device, "set", 'focus.modes=[{"id":"work","name":"Work"}]', "focus.active=work")
    assert "focus.active" in shown
    number = push(gateway, device)
    assert "silencedByFocus" in run("inbox", device)
    assert str(number) in run("inbox", device, "--timing", "silencedByFocus")
    told = run("explain", number)
    assert "silenced by the Focus" in told and "Parcel" in told and '"Work"' in told and "F8" in told
    detail = json.loads(run("explain", number, "--json"))
    assert detail["timing"] == "silencedByFocus" and detail["trace"]


def test_the_screen_and_acts_on_it(gateway, run):
    device, _ = gateway.device()
    number = push(gateway, device)
    screen = run("screen", device)
    assert "LOCK SCREEN" in screen and "It is here." in screen and f"{TOPIC}: 3" in screen
    came = run("act", device, "tap", "--notification", number)
    assert "response" in came and "appLaunch" in came
    after = run("screen", device)
    assert "LOCK SCREEN" not in after and "It is here." not in after and f"{TOPIC} in front" in after
    again = run("act", device, "tap", "--notification", number, expect=1)
    assert f"notification {number}" in again.lower()
    run("act", device, "setBadge", "--app", TOPIC, "--count", "0")
    assert "BADGES" not in run("screen", device)


def test_advancing_the_clock_shows_a_summary(start_gateway, tmp_path):
    gateway = start_gateway()
    admin = "http://%s:%d" % gateway.admin_address

    def run(*arguments, expect=0):
        ended = pushcote(*arguments, "--admin", admin, cwd=tmp_path)
        assert ended.returncode == expect, (ended.returncode, ended.stdout, ended.stderr)
        return ended.stdout

    device, _ = gateway.device()
    assert "follows real time" in run("clock")
    assert "stopped" in run("clock", "stop")
    run("device", device, "set", "summary.isEnabled=true")
    run("device", device, "set", "--app", TOPIC, "scheduledDelivery=enabled")
    number = push(gateway, device)
    assert "NEXT SUMMARY" in run("screen", device)
    assert "stopped" in run("clock", "advance", "P1D")
    assert "stopped" in run("clock", "advance", "P1W")
    assert "2030-01-01T03:00:00.000Z" in run("clock", "set", "2030-01-01T12:00:00+09:00")
    assert f"[{number}]" in run("events", device, "--kind", "summaryDelivered")
    assert "It is here." in run("screen", device)
    run("clock", "follow", expect=1)


@pytest.mark.parametrize("content, problem", [
    (b'{"aps":{"alert":"a",}}', "line 1, column 21, found `}`: trailing comma: nothing follows it, so remove it"),
    (b'{\n "aps": // x\n {}}', "line 2, column 9, found `//`: JSON has no comments"),
    ('\ufeff{"aps":{}}'.encode(), "a UTF-8 byte order mark comes first"),
    ('{"aps":{}}'.encode("utf-16"), "UTF-16 or UTF-32: a payload must be UTF-8"),
    (b"", "the payload is empty"),
])
def test_send_and_lint_say_the_same_of_a_file_that_is_no_json(gateway, tmp_path, content, problem):
    (tmp_path / "payload.json").write_bytes(content)
    admin = ("--admin", "http://%s:%d" % gateway.admin_address)
    linted = pushcote("lint", "payload.json", cwd=tmp_path)
    unnamed = pushcote("send", "phone", "payload.json", *admin, cwd=tmp_path)
    named = pushcote("send", "phone", "com.example.app", "payload.json", *admin, cwd=tmp_path)
    assert [ended.returncode for ended in (linted, unnamed, named)] == [1, 1, 1]
    for said in (linted.stdout, unnamed.stderr, named.stderr):
        assert problem in said


def test_send_and_lint_say_why_a_file_cannot_be_read(tmp_path):
    for name, words in [("missing.json", "No such file or directory"), (".", "Is a directory")]:
        for command in (["lint"], ["send", "phone"]):
            ended = pushcote(*command, name, cwd=tmp_path)
            assert ended.returncode != 0 and f"{name}: {words}" in ended.stderr


def test_control_characters_do_not_reach_the_terminal(gateway, tmp_path):
    (tmp_path / "payload.json").write_bytes(b"\x1b[2J{}\x00")
    admin = ("--admin", "http://%s:%d" % gateway.admin_address)
    for command in (["lint", "payload.json"], ["send", "phone", "com.example.app", "payload.json", *admin]):
        ended = pushcote(*command, cwd=tmp_path)
        assert ended.returncode == 1 and r"\u001b" in ended.stdout + ended.stderr
        assert "\x1b" not in ended.stdout + ended.stderr and "\0" not in ended.stdout + ended.stderr


@pytest.mark.parametrize("content, problem", [
    ({"aps": {}, "Simulator Target Bundle": 5}, '"Simulator Target Bundle" must be text, not 5'),
    ({"aps": {}, "Simulator target bundle": "a.b"}, 'must be written "Simulator Target Bundle"'),
    ([], "the file is no JSON object"), ({"aps": {}}, "the app is not named: ")])
def test_a_file_that_does_not_name_its_app(tmp_path, content, problem):
    (tmp_path / "push.apns").write_text(json.dumps(content))
    ended = pushcote("send", "phone", "push.apns", cwd=tmp_path)
    assert ended.returncode == 64 and problem in ended.stderr, ended.stderr


@pytest.mark.parametrize("flags, aps, rule", [
    (["--topic", "com.example.app", "--push-type", "voip"], {}, "InvalidPushType"),
    (["--push-type", "background"], {}, "push-type.background-content"),
    (["--push-type", "alert"], {"alert": "x" * 4096}, "PayloadTooLarge"),
    (["--topic", "com.example.app"], {"alert": "x" * 4096}, "PayloadTooLarge"),
    (["--topic", "com.example.app"], {"alert": "Hi."}, "push-type.missing"),
    (["--topic", "com.example.app", "--silence", "push-type.missing"], {"alert": "Hi."}, "!push-type.missing"),
    ([], {"alert": "x" * 4096}, "PayloadTooLarge"),
    (["--topic", "com.example.app.voip"], {"x": "x" * 4096}, "!PayloadTooLarge"),
    ([], {"alert": "Hi."}, "!push-type.missing")])
def test_lint_says_what_the_gateway_would_answer(tmp_path, flags, aps, rule):
    (tmp_path / "push.json").write_text(json.dumps({"aps": aps}))
    ended = pushcote("lint", "push.json", *flags, cwd=tmp_path)
    assert (rule.strip("!") in ended.stdout) == (not rule.startswith("!")), ended.stdout
