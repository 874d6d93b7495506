"""Recordings: a run saved as a file that another gateway can open, replay and compare."""

import datetime
import json

import httpx
import pytest

import tokens
from gateway import Gateway, pushcote
from provider import Provider
from test_extensions import EXAMPLES, PYTHON

CHAT, NEWS, WEATHER = "com.example.chat", "com.example.news", "com.example.weather"
LIVE = CHAT + ".push-type.liveactivity"
DELIVERY = {
    "name": "Delivery", "attributes": {"orderId": "String"}, "contentState": {"eta": "Date", "step": "Int"},
    "template": {"title": "Order {orderId}", "lines": ["Step {step}", "At {eta}"]}}
START = datetime.datetime(2032, 11, 22, 4, tzinfo=datetime.UTC)
T0 = int(START.timestamp())


def live(gateway, connect):
    """Plays a day that covers everything a recording must contain; the clock is stopped."""
    gateway.api("PUT", "/clock", json={"mode": "manual", "now": START.isoformat()})
    gateway.api("PUT", f"/apps/{CHAT}", json={
        "liveActivities": {"types": [DELIVERY]}, "extension": {"kind": "process", "command": [*PYTHON, str(EXAMPLES / "python/extension.py")]}})
    gateway.api("PUT", f"/apps/{WEATHER}", json={"intents": [{
        "intent": "CheckWeatherIntent", "parameters": [{"name": "location", "type": "String"}],
        "combinations": [{"parameters": ["location"]}]}]})
    gateway.api("PUT", "/devices/phone", json={
        "registrations": [{"topic": CHAT}, {"topic": NEWS}, {"topic": LIVE}],
        "focus": {"modes": [{"id": "work", "schedule": [{"days": "everyDay", "from": "09:00", "to": "17:00"}]}]},
        "summary": {"isEnabled": True, "times": ["08:00", "18:00"]},
        "apps": {NEWS: {"scheduledDelivery": "enabled"}}})
    gateway.api("PATCH", f"/devices/phone/apps/{CHAT}/live-activities", json={"setting": "always"})
    token = {one["topic"]: one["token"] for one in gateway.api("GET", "/devices/phone")["registrations"]}
    bearer = tokens.provider_token(gateway.private_key, gateway.key_id, gateway.team_id, iat=T0)
    provider = connect(gateway, bearer=bearer)

    def push(topic, title, *, reason=None, to=None, **edits):
        aps = {"alert": {"title": title, "body": "b"}, "sound": "default"} if title else {"content-available": 1}
        payload = {"aps": aps}
        answer = provider.push(
            to or token[topic], json.dumps(payload).encode(), apns_topic=topic, **{"apns_push_type": "alert", **edits})
        assert answer.reason == reason, answer

    push(CHAT, "Good morning")
    push(NEWS, "In the summary")
    push(CHAT, "No such topic", reason="DeviceTokenNotForTopic", to=token[NEWS])
    push(CHAT, "Wrong priority", reason="BadPriority", apns_priority="7")
    push(CHAT, "A device of its own", to="ab" * 32)
    push(CHAT, None, apns_push_type="background", apns_priority="10")
    gateway.api("POST", "/faults", json={
        "name": "slow", "match": {"topic": NEWS}, "effect": {"delay": "10ms"}, "count": 1})
    push(NEWS, "Slow")
    gateway.api("POST", "/faults", json={
        "name": "down", "effect": {"answer": {"status": 503, "reason": "ServiceUnavailable"}}, "count": 1})
    push(CHAT, "Down", reason="ServiceUnavailable")
    payload = {"aps": {"alert": {"title": "Original", "body": "b"}, "mutable-content": 1}}
    provider.push(token[CHAT], json.dumps(payload).encode(), apns_topic=CHAT)
    gateway.wait(device="phone", text="Original", state="delivered")
    start = {"event": "start", "timestamp": T0, "attributes-type": "Delivery", "attributes": {"orderId": "7"},
             "content-state": {"eta": 0, "step": 1}, "alert": {"title": "On its way", "body": "b"}}
    answer = provider.push(token[LIVE], json.dumps({"aps": start}).encode(), apns_topic=LIVE, apns_push_type="liveactivity")
    assert answer.status == 200
    assert gateway.api("GET", "/devices/phone/activities")["activities"]
    gateway.api("POST", "/devices/phone/donations", json={
        "app": WEATHER, "interaction": {"intent": {"class": "CheckWeatherIntent", "location": "cupertino"}}})
    gateway.api("POST", "/clock/advance", json={"by": "6h"})
    push(CHAT, "Too late", reason="ExpiredProviderToken")
    gateway.api("POST", f"/devices/phone/push?topic={CHAT}", json={"aps": {"alert": "By hand, silenced"}})
    gateway.api("POST", f"/devices/phone/push?topic={CHAT}&priority=3", json={"aps": {}}, expect=400)
    gateway.api("PATCH", "/devices/phone", json={"isOnline": False})
    gateway.api("POST", f"/devices/phone/push?topic={CHAT}", json={"aps": {"alert": "Stored"}})
    gateway.api("POST", "/clock/advance", json={"by": "9h"})
    gateway.api("PATCH", "/devices/phone", json={"isOnline": True})
    gateway.api("POST", "/devices/phone/actions", json={"action": "unlock"})


def answers(gateway):
    """The answers to what the lists, the page and the commands request, byte for byte."""
    paths = ["/state", "/devices", "/apps", "/notifications?limit=1000", "/notifications?order=newest", "/requests",
             "/requests?order=newest", "/requests/latest", "/channels"]
    for device in gateway.api("GET", "/devices")["devices"]:
        path = f"/devices/{device['name']}"
        paths += [path] + [f"{path}/{name}" for name in (
            "registrations", "events?limit=1000", "screen", "screen.svg", "day", "day.svg", "activities", "donations",
            "suggestions?surface=lockScreen", "local-notifications", "calendar")]
    for one in gateway.notifications(limit=1000):
        paths += [f"/notifications/{one['id']}", f"/notifications/{one['id']}/explanation",
                  f"/notifications/{one['id']}/picture.svg", f"/notifications/{one['id']}/payload"]
    paths += [f"/requests/{one['number']}" for one in gateway.api("GET", "/requests")["requests"]]
    found = {path: gateway.admin.get("/api/v1" + path) for path in paths}
    return {path: (answer.status_code, answer.content) for path, answer in found.items()}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory, certificates, bearer):
    """The recording of a day as a file, and its gateway's answers at the end of the day."""
    from conftest import _running

    folder = tmp_path_factory.mktemp("recorded")
    opened = []

    def connect(gateway, **options):
        opened.append(Provider.to(gateway, **options))
        return opened[-1]

    with _running(folder, certificates, bearer) as gateway:
        started = gateway.api("POST", "/recordings", json={"name": "day"}, expect=201)
        assert gateway.api("GET", "/recordings") == {"recordings": [started]}
        live(gateway, connect)
        file = folder / "run.json"
        file.write_bytes(gateway.admin.get("/api/v1/recordings/day").content)
        before = answers(gateway)
        for provider in opened:
            provider.channel.close()
    return file, before


@pytest.fixture
def replay(tmp_path, certificates):
    """Starts `pushcote replay` on free ports."""
    started = []

    def start(file):
        folder = tmp_path / f"replay-{len(started)}"
        folder.mkdir()
        gateway = Gateway(folder, certificates)
        gateway.command[1:2] = ["replay", str(file)]
        started.append(gateway)
        return gateway.start()

    yield start
    for gateway in started:
        try:
            gateway.stop()
        finally:
            gateway.kill()


def check(file, *options):
    done = pushcote("replay", file, "--check", *options, cwd=file.parent)
    return done.returncode, done.stdout, done.stderr


def test_settings_change_what_they_decide_and_nothing_else(start_gateway, tmp_path):
    gateway = start_gateway()
    gateway.device("phone")
    gateway.api("POST", "/recordings", json={"name": "run"}, expect=201)
    with Provider.to(gateway) as provider:
        # One to a token that nobody registered.
        assert provider.push("ab" * 32).status == 200
        assert provider.push(gateway.api("GET", "/devices/phone")["registrations"][0]["token"]).status == 200
    file = tmp_path / "run.json"
    file.write_bytes(gateway.admin.get("/api/v1/recordings/run").content)
    for same in ("environment=sandbox", "assumptions.travelSpeed=31", "assumptions.callRingTime=2m"):
        assert (check(file, "--set", same)[0], "No difference." in check(file, "--set", same)[1]) == (0, True), same
    for other in ("tokens.unknown=reject", "profile=strict"):
        status, output, _ = check(file, "--set", other)
        assert status == 1 and "request 1: status: recorded 200, replayed 400" in output, output
        assert "request 2" not in output


def test_a_recorded_day_repeats_exactly(recorded):
    file, _ = recorded
    status, output, errors = check(file)
    assert (status, errors) == (0, ""), output + errors
    assert "No difference." in output
    report = json.loads(check(file, "--json")[1])
    recording = json.loads(file.read_text())
    # All except the two changed by fault rules, the expired token's and the one with a manual rejection.
    count = len(recording["requests"])
    assert report == {"differences": [], "answerCount": count - 4, "requestCount": count}
    assert (status, output, errors) == check(file)


def test_a_recording_is_complete_and_has_no_secrets(recorded, bearer):
    file, _ = recorded
    text = file.read_text()
    recording = json.loads(text)
    kinds = {event["event"] for event in recording["events"]["phone"]}
    assert kinds >= {"summaryDelivered", "focusStarted", "nseStarted", "stored"}
    assert {answer["status"] for answer in (one["answer"] for one in recording["requests"])} >= {200, 400, 403, 503}
    assert '"name":"authorization"' not in text and bearer not in text and "PRIVATE KEY" not in text
    assert not any(name.startswith(("admin.", "certificates.", "listen.")) for name in recording["settings"])


def test_a_recording_opens_and_gives_the_same_answers(recorded, replay):
    file, before = recorded
    first, second = replay(file), replay(file)
    assert any(line.startswith("Replay of day: ") for line in first.announcement)
    after = answers(first)
    assert list(after) == list(before)
    for path, answer in before.items():
        assert after[path] == answer, path
    assert answers(second) == after
    assert first.api("GET", "/clock")["now"] == json.loads(file.read_text())["endedAt"]
    page = httpx.get(f"{first.admin.base_url}", headers={"accept": "text/html"})
    assert page.status_code == 200 and "<title>" in page.text
    # The replayed gateway accepts new pushes.
    first.api("POST", f"/devices/phone/push?topic={CHAT}", json={"aps": {"alert": "After the replay"}})
    assert first.notifications(text="After the replay")[0]["state"] == "delivered"
    # The replayed gateway has no extension, so the device shows the original.
    payload = {"aps": {"alert": "For the extension", "mutable-content": 1}}
    first.api("POST", f"/devices/phone/push?topic={CHAT}&pushType=alert", json=payload)
    found = first.detail(first.wait(text="For the extension", state="delivered")[0])
    assert found["extension"]["rule"] == "nse.noAnswer"


def edited(file, folder, edit):
    recording = json.loads(file.read_text())
    edit(recording)
    copy = folder / "edited.json"
    copy.write_text(json.dumps(recording))
    return copy


def request(recording, **members):
    return next(one for one in recording["requests"] if members.items() <= one["answer"].items())


@pytest.mark.parametrize("status", [200, 400, 403, 503])
def test_a_changed_answer_is_reported(recorded, tmp_path, status):
    file, _ = recorded
    number = request(json.loads(file.read_text()), status=status)["number"]
    copy = edited(file, tmp_path, lambda recording: request(recording, status=status)["answer"].update(status=201))
    code, output, _ = check(copy)
    assert code == 1
    assert f"  request {number}: status: recorded 201, replayed {status}\n" in output, output


def test_one_changed_byte_of_a_body_is_reported(recorded, tmp_path):
    file, _ = recorded
    body = {"body": '{"reason":"BadPriority"}'}
    number = request(json.loads(file.read_text()), **body)["number"]
    copy = edited(file, tmp_path, lambda recording: request(recording, **body)["answer"].update(body='{"reason":"BadPrioritx"}'))
    code, output, _ = check(copy)
    assert code == 1 and f"  request {number}: body: recorded " in output


def test_a_changed_setting_is_reported_with_the_request_it_decides(recorded, tmp_path):
    file, _ = recorded
    recording = json.loads(file.read_text())
    quiet = next(one["push"]["notification"] for one in recording["inputs"] if "push" in one and {
        "name": "apns-push-type", "value": "background"} in one["push"]["_0"]["headers"])
    number = next(one["number"] for one in recording["requests"] if one["outcome"] == {"accepted": {"notification": quiet}})
    line = f'  request {number}: status: recorded 200, replayed 400\n'
    copy = edited(file, tmp_path, lambda recording: recording["settings"].update({"strict.backgroundPriority": True}))
    for code, output, _ in (check(copy), check(file, "--set", "strict.backgroundPriority=true")):
        assert code == 1 and line in output, output


def test_a_changed_assumption_is_reported_with_its_effect(recorded):
    file, _ = recorded
    code, output, _ = check(file, "--set", "assumptions.backgroundBudget=0")
    assert code == 1 and "\n  device phone, event " in output, output


def test_a_changed_event_is_reported(recorded, tmp_path):
    file, _ = recorded

    def edit(recording):
        event = next(one for one in recording["events"]["phone"] if one["event"] == "contentDelivered")
        event["details"]["title"] = "Good evening"

    code, output, _ = check(edited(file, tmp_path, edit))
    assert code == 1
    assert ': details: title: recorded "Good evening", replayed "Good morning"\n' in output


def test_a_changed_state_is_reported(recorded, tmp_path):
    file, _ = recorded
    code, output, _ = check(edited(file, tmp_path, lambda recording: recording.update(stateDigest="0" * 64)))
    assert code == 1 and "  state: not the recorded one" in output
    # Another version may serialize the same state differently.
    code, _, _ = check(edited(file, tmp_path, lambda recording: (
        recording.update(stateDigest="0" * 64), recording["pushcote"].update(version="0.0.9"))))
    assert code == 0


@pytest.mark.parametrize("edit, message", [
    (lambda text: text[:-1000], "truncated"),
    (lambda text: "", "empty"),
    (lambda text: '{"devices":[]}', "no recording; "),
    (lambda text: text.replace('"recording":2,', '"recording":1,'), "format 1, from Pushcote"),
    (lambda text: text.replace('"endedAt"', '"andedAt"'), "'endedAt' is missing."),
    (lambda text: text.replace('"isFormer":false', '"isFormer":7', 1), "isFormer"),
    (lambda text: text.replace('"notification":2,"token"', '"notification":0,"token"'), "is impossible after those before it"),
    (lambda text: text.replace('"lastSequence":0', f'"lastSequence":{1 << 60}'), "lastSequence is not a number from 0 to"),
])
def test_unreadable_recordings_are_rejected_with_place_and_remedy(recorded, tmp_path, edit, message):
    file, _ = recorded
    copy = tmp_path / "wrong.json"
    text = edit(file.read_text())
    assert text != file.read_text()
    copy.write_text(text)
    for arguments in (["--check"], []):
        done = pushcote("replay", copy, *arguments, cwd=tmp_path)
        assert done.returncode == 1 and done.stderr.startswith(f"pushcote: {copy}: "), done.stderr
        assert message in done.stderr, done.stderr
        assert any(word in done.stderr for word in ("ecord the run again", "Replay ", "write recordings")), done.stderr


def test_one_recording_at_a_time(start_gateway):
    gateway = start_gateway()
    assert gateway.api("GET", "/recordings") == {"recordings": []}
    gateway.api("POST", f"/devices/phone/push?topic={CHAT}", json={"aps": {"alert": "Before"}})
    assert gateway.api("POST", "/recordings", json={}, expect=201)["name"] == "run"
    refused = gateway.api("POST", "/recordings", json={"name": "other"}, expect=409)["error"]
    assert "'run' runs since" in refused and "DELETE /api/v1/recordings/{name}" in refused
    gateway.api("POST", f"/devices/phone/push?topic={CHAT}", json={"aps": {"alert": "During"}})
    recording = gateway.api("GET", "/recordings/run")
    assert [one["push"]["notification"] for one in recording["inputs"] if "push" in one] == [2]
    assert [one["number"] for one in recording["requests"]] == [2]
    assert gateway.api("GET", "/recordings/other", expect=404)["error"].startswith("There is no recording 'other'.")
    assert gateway.api("DELETE", "/recordings/other") == {"removed": 0}
    assert gateway.api("DELETE", "/recordings/run") == {"removed": 1}
    gateway.api("GET", "/recordings/run", expect=404)
    gateway.api("POST", "/recordings", json={"name": ""}, expect=400)


def test_a_recording_can_start_at_any_time_and_redact_everything(start_gateway, tmp_path):
    gateway = start_gateway("journal=sqlite")
    gateway.api("POST", f"/devices/phone/push?topic={CHAT}", json={"aps": {"alert": "Before"}})
    state = gateway.api("GET", "/state")
    gateway.api("POST", "/recordings", expect=201)
    gateway.api("POST", f"/devices/phone/push?topic={CHAT}", json={"aps": {"alert": "During"}})
    gateway.api("DELETE", "/requests")
    gateway.api("POST", "/reset", json={})
    gateway.api("PUT", "/state", json=state)
    gateway.api("POST", f"/devices/phone/push?topic={CHAT}", json={"aps": {"alert": "At the end"}})
    file = tmp_path / "run.json"
    file.write_bytes(gateway.admin.get("/api/v1/recordings/run").content)
    assert check(file)[0] == 0, check(file)


@pytest.mark.parametrize("redaction", ["redact.deviceTokens=true", "redact.keyIds=true"])
def test_a_redacted_recording_repeats(start_gateway, connect, tmp_path, redaction):
    gateway = start_gateway(redaction)
    key = tokens.load(gateway.api("POST", "/keys", json={"keyId": "SECRET0001"}, expect=201)["privateKey"])
    gateway.api("PUT", "/devices/phone", json={"registrations": [{"topic": CHAT}, {"topic": NEWS, "token": "0badcafe07"}]})
    gateway.api("POST", f"/devices/phone/push?topic={CHAT}", json={"aps": {"alert": "Before"}})
    gateway.api("POST", "/recordings", json={"name": "run"}, expect=201)
    gateway.api("POST", f"/devices/phone/push?topic={CHAT}", json={"aps": {"alert": "Direct"}})
    provider = connect(gateway, bearer=tokens.provider_token(key, "SECRET0001", "PUSHCOTEAM"))
    assert [provider.push(token, apns_topic=topic).status for token, topic in (("0badcafe07", NEWS), ("ab" * 32, CHAT))] == [200, 200]
    gateway.api("PUT", "/devices/pad", json={"registrations": [{"topic": CHAT}]})
    file = tmp_path / "run.json"
    file.write_bytes(gateway.admin.get("/api/v1/recordings/run").content)
    assert ("ab" * 32 if "Tokens" in redaction else "SECRET0001") not in file.read_text()
    code, output, errors = check(file)
    assert code == 0 and "No difference." in output, output + errors
    code, output, _ = check(edited(file, tmp_path, lambda recording: recording["state"]["devices"][0].update(createdAt=START.isoformat())))
    assert code == 1 and "  state: not the recorded one" in output, output


def test_magic_tokens_and_a_delayed_410_replay(start_gateway, connect, tmp_path):
    gateway = start_gateway("tokens.magic=true", "assumptions.unregisteredDelay=10m")
    gateway.api("POST", "/recordings", expect=201)
    name, token = gateway.device()
    gateway.api("DELETE", f"/devices/{name}/registrations/{token}")
    provider = connect(gateway)
    assert [provider.push(one).status for one in (token, "00" * 28 + "badd0410")] == [200, 410]
    file = tmp_path / "run.json"
    file.write_bytes(gateway.admin.get("/api/v1/recordings/run").content)
    status, output, _ = check(file)
    assert status == 0 and "2 of 2 answers recomputed\n" in output, output


@pytest.mark.parametrize("code", [0, 3])
def test_exec_records_even_if_the_command_fails(certificates, tmp_path, code):
    script = f'curl -sSf "$PUSHCOTE_ADMIN/api/v1/devices/phone/push?topic={CHAT}" -d \'{{"aps":{{"alert":"Hi"}}}}\'; exit {code}'
    done = pushcote(
        "exec", "--record", "run.json", "--set", f"certificates.folder={certificates}", "--", "sh", "-c", script, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    status, output, _ = check(tmp_path / "run.json")
    assert status == 0 and "1 of 1 answers recomputed\n" in output
    # It has payloads and tokens.
    assert (tmp_path / "run.json").stat().st_mode & 0o777 == 0o600


def test_exec_reports_that_it_cannot_write(certificates, tmp_path):
    done = pushcote(
        "exec", "--record", "no/such/folder.json", "--set", f"certificates.folder={certificates}", "--", "true", cwd=tmp_path)
    assert done.returncode == 1 and "the recording cannot be written to no/such/folder.json" in done.stderr
