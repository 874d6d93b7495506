"""The commands for the gateway's records and state, run with the built program."""

import json
import os
import re
import select
import subprocess
import time

import pytest

from gateway import BINARY, device_token, environment, pushcote, ROOT

TOPIC = "com.example.app"


class Commands:
    """Runs commands against one gateway."""

    def __init__(self, gateway, folder):
        self.gateway, self.folder = gateway, folder
        self.admin = "http://%s:%d" % gateway.admin_address
        self.followers = []

    def __call__(self, *arguments, expect=0):
        ended = pushcote(*arguments, "--admin", self.admin, cwd=self.folder, timeout=60)
        assert ended.returncode == expect, (ended.returncode, ended.stdout, ended.stderr)
        return ended.stdout if expect == 0 else ended.stderr

    def json(self, *arguments):
        return json.loads(self(*arguments, "--json"))

    def follow(self, *arguments):
        """Starts a command that runs until the test ends; returns a function that reads until the given words."""
        process = subprocess.Popen(
            [BINARY, *arguments, "--admin", self.admin], cwd=self.folder, env=environment(), stdout=subprocess.PIPE)
        self.followers.append(process)
        seen = b""

        def until(words, seconds=20):
            nonlocal seen
            deadline = time.monotonic() + seconds
            while words.encode() not in seen or not seen.endswith(b"\n"):
                left = max(0, deadline - time.monotonic())
                assert select.select([process.stdout], [], [], left)[0], f"no {words!r} in {seen.decode()}"
                chunk = os.read(process.stdout.fileno(), 65536)
                assert chunk, f"ended without {words!r}: {seen.decode()}"
                seen += chunk
            return seen.decode()

        return until

    def end(self):
        for process in self.followers:
            process.kill()
            process.wait()
            process.stdout.close()


@pytest.fixture
def run(gateway, tmp_path):
    commands = Commands(gateway, tmp_path)
    yield commands
    commands.end()


@pytest.fixture
def alone(start_gateway, tmp_path):
    """Commands against a gateway used by one test only."""
    commands = Commands(start_gateway(), tmp_path)
    yield commands
    commands.end()


def send(run, device, text, *options):
    (run.folder / "payload.json").write_text(json.dumps({"aps": {"alert": text}}))
    return run("send", device, TOPIC, "payload.json", *options)


def test_version(tmp_path, gateway):
    ended = pushcote("--version", cwd=tmp_path)
    assert ended.returncode == 0 and ended.stdout.strip() == gateway.facts["version"]


def test_every_command_is_in_the_documentation(tmp_path):
    page = (ROOT / "docs/cli.md").read_text()
    subcommands = pushcote("--help", cwd=tmp_path).stdout.partition("SUBCOMMANDS:\n")[2]
    names = re.findall(r"^  (\w+) {2,}", subcommands, re.M)
    assert len(names) > 25
    assert [name for name in names if not re.search(rf"`(pushcote )?{name}( [A-Z-]+)*`", page)] == []


@pytest.mark.parametrize("arguments, words", [
    (["inbx"], "did you mean inbox?"),
    (["setup", "pusshy"], "did you mean Pushy?"),
    (["setup", "node-apn"], "did you mean @parse/node-apn or node-apn and apn?"),
    (["setup", "apns2"], "did you mean sideshow/apns2 or apns2 (npm) or PyAPNs2?"),
])
def test_the_nearest_name(tmp_path, arguments, words):
    ended = pushcote(*arguments, cwd=tmp_path)
    assert ended.returncode == 64 and words in ended.stderr, ended.stderr


def test_the_nearest_scenario(run):
    assert "did you mean goaway-and-linger?" in run("fault", "apply", "goaway-and-lingers", expect=1)


def test_lost_output_is_a_failure(run):
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [BINARY, "devices", "--admin", run.admin], cwd=run.folder, env=environment(), stdout=full,
            stderr=subprocess.PIPE, text=True)
    assert (ended.returncode, ended.stderr) == (1, "pushcote: standard output: No space left on device\n")


@pytest.mark.parametrize("arguments, status, words", [
    (["fault", "clear", ""], 1, "a part of the path is empty"), (["screen", ""], 1, "a part of the path is empty"),
    (["explain", "newest"], 64, "The notification's number, or latest."),
    (["local", "add", "phone", "tea", "--app", TOPIC, "--body", "Tea", "--in", "4m", "--region", "home"], 64,
     "--in, --on and --region exclude each other"),
    (["fault", "clear", "nope"], 1, "there is no fault rule 'nope'; pushcote fault list shows them"),
    (["channels", "delete", "nope"], 1, "there is no channel 'nope'; pushcote channels lists them"),
    (["inbox", "nophone"], 1, "there is no device 'nophone'; pushcote devices lists them"),
    (["wait", "nophone", "--timeout", "10ms"], 3, "0 of 1 matched; there is no device 'nophone'"),
    (["device", "set", "phone"], 64, "the device's name comes first: pushcote device phone set isLocked=false"),
    (["fault", "apply", "G99"], 1, "accepted: the scenarios that `pushcote fault scenarios`"),
    (["serve", "--port", "2197"], 64, "--set listen.provider=127.0.0.1:2197")])
def test_what_is_missing_or_too_much_is_named(run, arguments, status, words):
    assert words in run(*arguments, expect=status)


def test_an_admin_address_with_tls_names_the_remedy(tmp_path):
    words = "the admin API does not use TLS; use http://localhost:8197"
    flag = pushcote("devices", "--admin", "https://localhost:8197", cwd=tmp_path)
    assert flag.returncode == 64 and "--admin" in flag.stderr and words in flag.stderr, flag.stderr
    variable = pushcote("devices", cwd=tmp_path, env=environment(PUSHCOTE_ADMIN="https://localhost:8197"))
    assert variable.returncode == 64 and "PUSHCOTE_ADMIN" in variable.stderr and words in variable.stderr, variable.stderr


def test_the_latest_notification_is_explained(alone):
    assert "No notification matches" in alone("explain", "latest", expect=1)
    device, _ = alone.gateway.device("phone")
    for text in ("One.", "Two."):
        send(alone, device, text)
    assert alone("explain", "latest") == alone("explain", "2")
    assert alone.json("explain", "latest")["body"] == "Two."
    assert alone("explain", "latest", "--svg", "-") == alone("explain", "2", "--svg", "-")


def test_a_token_in_another_folder_is_of_the_gateways_key(start_gateway, tmp_path):
    gateway = start_gateway(certificates=tmp_path / "certs")
    device, _ = gateway.device("phone")
    token = gateway.api("GET", "/devices/phone")["registrations"][0]["token"]
    info = gateway.api("GET", "/info")
    assert os.path.isabs(info["demonstrationKey"]["file"]) and os.path.isabs(info["certificate"]["caFile"])
    admin = "http://%s:%d" % gateway.admin_address
    other = tmp_path / "other"
    other.mkdir()
    refused = pushcote("token", "--admin", admin, "--age", "99999d", cwd=other)
    assert refused.returncode != 0 and not refused.stdout and "age" in refused.stderr, refused
    assert not list(other.iterdir())

    def push(made):
        return subprocess.run(
            ["curl", "--silent", "--noproxy", "*", "--header", f"authorization: bearer {made.stdout.strip()}",
             "--header", f"apns-topic: {TOPIC}", "--data", '{"aps":{}}', "--write-out", "%{http_code}",
             f"http://{info['addresses']['clearText'][0]}/3/device/{token}"],
            capture_output=True, text=True, timeout=30, check=True).stdout

    def signed(*options, **variables):
        made = pushcote("token", *options, cwd=other, env=environment(**variables))
        assert made.returncode == 0, made.stderr
        return made

    # Empty variables mean none.
    for made in signed("--admin", admin), signed(PUSHCOTE_ADMIN=admin, PUSHCOTE_ADMIN_TOKEN=""):
        assert not made.stderr and not list(other.iterdir())
        assert push(made) == "200"
    old = json.loads(signed("--admin", admin, "--age", "2h", "--json").stdout)
    assert time.time() - old["issuedAt"] > 7000 and old["keyId"] == "PUSHCOTE01"
    assert gateway.api("POST", "/provider-tokens", json={"teamId": "OTHERTEAM1"})["teamId"] == "OTHERTEAM1"
    # Whatever the pattern of durations allows.
    assert gateway.api("POST", "/provider-tokens", json={"age": "9999d"})["issuedAt"] < old["issuedAt"] - 86_400 * 9_000
    nowhere = "http://127.0.0.1:1"
    refused = pushcote("token", "--admin", nowhere, cwd=other)
    assert refused.returncode == 4 and "nothing answers" in refused.stderr and not list(other.iterdir())
    alone = signed(PUSHCOTE_ADMIN=nowhere)
    assert "created certs/AuthKey_PUSHCOTE01.p8: only a gateway with this certificate folder" in alone.stderr
    assert push(alone) == '{"reason":"InvalidProviderToken"}403'
    diagnosis = gateway.api("GET", "/requests/latest")["diagnosis"]
    assert diagnosis["id"] == "token.signature"
    assert "Each certificate folder has a PUSHCOTE01 of its own" in diagnosis["message"]
    assert not signed(PUSHCOTE_ADMIN=nowhere).stderr


def test_near_misses_are_compared_as_the_wait_compares(alone):
    send(alone, "phone", "Order 7")
    send(alone, "phone", "Parcel 8")
    assert "Order 7" in alone("wait", "phone", "--text", "ORDER", "--timeout", "100ms")
    late = alone("wait", "phone", "--text", "ORDER", "--count", "2", "--timeout", "100ms", expect=3)
    assert late == (
        "pushcote: timed out after 100ms: 1 of 2 matched\n  text~ORDER\nNearest:\n"
        "  2  text: expected something that contains ORDER, got \"Parcel 8\"\n")
    late = alone("wait", "--text", "ORDER", "--topic", "com.example.other", "--timeout", "100ms", expect=3)
    assert "  1  topic: expected com.example.other" in late and "  1  text" not in late and "  2  text" in late
    # The payload is searched, too.
    assert "1 of 2 matched" in (late := alone("wait", "--text", '"Order 7"', "--count", "2", "--timeout", "100ms", expect=3))
    assert "  1  " not in late and "  2  text" in late


def test_an_empty_token_means_none_for_commands_that_start_no_gateway(tmp_path):
    (tmp_path / "payload.json").write_text('{"aps":{"alert":"Hi"}}')
    for variables in ({"PUSHCOTE_ADMIN_TOKEN": ""}, {"PUSHCOTE_POSTGRES_CONNECTION": ""}):
        for command in (("lint", "payload.json"), ("token",)):
            ended = pushcote(*command, cwd=tmp_path, env=environment(**variables, PUSHCOTE_ADMIN="http://127.0.0.1:1"))
            assert ended.returncode == 0, ended.stderr
        # A gateway would have no token although one was meant.
        ended = pushcote("exec", "--", "true", cwd=tmp_path, env=environment(**variables))
        assert ended.returncode != 0 and next(iter(variables)) in ended.stderr


@pytest.mark.parametrize("arguments, words", [
    (("act", "phone", "tap", "-1"), "'-1' is negative"), (("explain", "-1"), "'-1' is negative"),
    (("inbox", "phone", "--limit", "-3"), "'-3' is negative; accepted: a positive value, such as 3"),
    (("act", "phone", "setBadge", "3"), "give it as --count 3"),
    (("act", "phone", "tap", "99999"), "give it as --notification 99999"),
])
def test_numbers_in_wrong_places_are_named(tmp_path, arguments, words):
    ended = pushcote(*arguments, cwd=tmp_path)
    assert ended.returncode == 64 and words in ended.stderr, ended.stderr


def test_a_device_in_place_of_a_condition_is_named(run):
    send(run, "phone", "Hi")
    assert "write device=phone." in run("verify", "phone", "title=Hi", expect=1)


def test_a_running_clock_says_how_to_stop_it(alone):
    assert "pushcote clock stop" in alone("clock", "advance", "1h", expect=1)


def test_send_tells_number_outcome_and_findings(run):
    device, _ = run.gateway.device()
    sent = send(run, device, "the update you asked for has come")
    number = re.search(r"^#(\d+) Active, delivered at once: on the lock screen", sent, re.M)[1]
    assert f"Notification sent to '{TOPIC}'" in sent and "\ninfo body.noPunctuation" in sent, sent
    assert f"notification {number} " in run("explain", number).lower()
    detail = json.loads(send(run, device, "Update", "--json"))
    assert detail["id"] > int(number) and detail["findings"] and detail["trace"]


def test_requests(run, connect):
    gateway = run.gateway
    provider = connect(gateway)
    device, token = gateway.device()
    assert provider.push(token).status == 200
    bad = device_token()[:-1]
    assert provider.push(bad).reason == "BadDeviceToken"
    listed = run("requests", "--device", device)
    assert "200" in listed and TOPIC in listed
    refused = run.json("requests", "--reason", "BadDeviceToken")["requests"][-1]
    line = run("requests", "--reason", "BadDeviceToken").splitlines()[-1]
    assert line.startswith(str(refused["number"])) and refused["diagnosis"]["message"] in line
    shown = run("requests", refused["number"])
    assert refused["diagnosis"]["message"] in shown and "name=apns-topic value=" in shown and "payloadText" in shown
    assert run("requests", "--status", "413", "--device", device).strip() == "No request matches."
    assert "accepted" in run("requests", "--reason", "BadToken", expect=1)
    connection = str(refused["connection"])
    assert run("requests", "--connection", connection).count("BadDeviceToken") == 1
    [row] = [line for line in run("connections").splitlines() if line.startswith(connection + " ")]
    assert "HTTP/2" in row and "TLSv1.3" in row
    assert "tls.cipher" in run("connections", connection)
    assert run.json("connections", connection)["accepted"] == 1


def test_follow(run, connect):
    gateway = run.gateway
    device, token = gateway.device()
    provider = connect(gateway)
    inbox, requests = run.follow("inbox", device, "--follow"), run.follow("requests", "--device", device, "--follow")
    events = run.follow("events", device, "--follow", "--json", "--kind", "lockScreen")
    for text in ("first", "second"):
        payload = json.dumps({"aps": {"alert": text}}).encode()
        assert provider.push(token, payload).status == 200
        assert inbox(f"now     {text}").count("RECEIVED") == 1
        requests(" 200 ")
        events('"lockScreen"')
    lines = events("lockScreen").splitlines()
    assert all(json.loads(line)["event"] == "lockScreen" for line in lines)


def test_tail(alone, connect):
    gateway = alone.gateway
    device, token = gateway.device("phone")
    provider = connect(gateway)
    provider.push(token)
    tail, lines = alone.follow("tail", "--last", "1"), alone.follow("tail", "--json", "--last", "1")
    tail(f"200 alert {TOPIC} → phone · Active, delivered at once: on the lock screen, in Notification Center")
    assert provider.push("abc").reason == "BadDeviceToken"
    refused = alone.gateway.api("GET", "/requests", params={"reason": "BadDeviceToken"})["requests"][-1]
    tail(f"400 BadDeviceToken {TOPIC} · {refused['diagnosis']['message']} (request {refused['number']})")
    lines('"BadDeviceToken"')
    alone("device", "phone", "set", "focus.modes=[{\"id\":\"work\"}]", "focus.active=work")
    provider.push(token)
    assert tail("silenced by the Focus").count("\n") == 3
    shown = [json.loads(line) for line in lines("silenced by the Focus").splitlines()]
    # The second follower may have started after the first push.
    assert "diagnosis" in shown[-2] and " → phone · Active, silenced by the Focus work:" in shown[-1]["summary"]


def test_devices_are_created_and_deleted(alone):
    made = alone("devices", "create", "phone", "--app", TOPIC, "--app", "com.example.b", "isLocked=false")
    assert made.count("active") == 2 and "sandbox" in made
    assert alone.json("device", "phone")["isLocked"] is False
    token = alone.json("devices", "phone")["registrations"][0]["token"]
    again = alone.json("devices", "create", "phone", "--app", TOPIC)
    for arguments, words in ((["phone"], "The device 'phone' existed"), (["tablet"], "")):
        made = pushcote("devices", "create", *arguments, "--admin", alone.admin, cwd=alone.folder)
        assert made.returncode == 0 and made.stderr.startswith(words) and bool(made.stderr) == bool(words), made.stderr
    alone("devices", "delete", "tablet")
    assert token in [one["token"] for one in again["registrations"]] and again["isLocked"] is True
    assert alone("devices", "delete", "phone").strip() == "1 device removed"
    assert "there is no device 'phone'" in alone("devices", "delete", "phone", expect=1)
    assert alone("devices").strip() == "There are no devices yet."


def test_state_and_reset(alone):
    device, _ = alone.gateway.device("phone")
    send(alone, device, "It works.")
    assert "bytes" in alone("state", "save", "state.json")
    assert (alone.folder / "state.json").stat().st_mode & 0o077 == 0
    saved = alone("state", "save", "-")
    assert json.loads(saved) == json.loads((alone.folder / "state.json").read_text())
    assert alone("reset", "--keep", "devices").strip() == "reset; kept devices"
    assert alone("inbox").strip() == "No notification matches." and "phone" in alone("devices")
    assert alone("reset").strip() == "reset" and "phone" not in alone("devices")
    assert alone("state", "load", "state.json").strip() == "Loaded: 1 devices, 0 apps, 1 notifications"
    assert "It works." in alone("inbox", "phone")
    (alone.folder / "broken.json").write_text("{")
    assert "JSON" in alone("state", "load", "broken.json", expect=1)
    assert "devices" in alone("reset", "--keep", "device", expect=1)
